package schemas

import "benchmill/pipeline"

// RepositoryTopics is what a repository is about.
type RepositoryTopics struct {
	Repo     string   `parquet:"repo"`   // owner/name
	Topics   []string `parquet:"topics"` // of the stage's list, the main one first
	Reason   string   `parquet:"reason"` // in the model's words
	Origin   string   `parquet:"origin"` // "model", "hand-written" or "extractive"
	Provider string   `parquet:"provider"`
	Model    string   `parquet:"model"`    // as the provider reported it
	Template string   `parquet:"template"` // name/version of the prompt
}

// Topics are the topics of repositories, one row each.
var Topics = pipeline.NewSchema[RepositoryTopics]("repository_topics", 1,
	"Topics of computer science that repositories cover.", "repo")

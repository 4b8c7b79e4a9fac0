package schemas

import "benchmill/pipeline"

// Judgment is what one model said about one row, kept whether or not the row was.
type Judgment struct {
	Subject  string `parquet:"subject"`  // key of the row in the stage's input
	Question string `parquet:"question"` // what was asked: "convertible", "specific", ...
	Voter    string `parquet:"voter"`    // name of the model in pipeline.yaml, with "#n" for a repeated vote
	Verdict  string `parquet:"verdict"`  // "yes", "no", a letter, ...
	Reason   string `parquet:"reason"`   // in the model's words
	Origin   string `parquet:"origin"`   // "model", "hand-written" or "extractive"
	Provider string `parquet:"provider"`
	Model    string `parquet:"model"`    // as the provider reported it
	Template string `parquet:"template"` // name/version of the prompt
	Asked    int64  `parquet:"asked"`    // requests until the answer had its form
}

// Judgments are the verdicts of models, with their reasoning.
var Judgments = pipeline.NewSchema[Judgment]("judgments", 1,
	"What models said about rows, with their reasoning.", "subject", "question", "voter").InPartition()

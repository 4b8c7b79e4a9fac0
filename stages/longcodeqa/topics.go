package longcodeqa

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/ask"
)

// TopicNames are the topics a repository can have.
var TopicNames = []string{
	"artificial intelligence",
	"cloud and infrastructure",
	"compilers and languages",
	"data science",
	"databases",
	"developer tools",
	"graphics and user interfaces",
	"hardware and embedded systems",
	"multimedia",
	"networking",
	"operating systems",
	"scientific computing",
	"security",
	"text and documents",
	"web development",
}

const (
	mostTopics  = 3
	mostEntries = 100 // of the top folder that a model is shown
)

// covers is what a model says about a repository.
type covers struct {
	Reason string   `json:"reason"`
	Topics []string `json:"topics"`
}

func (c covers) problems() []string {
	var out []string
	if n := len(c.Topics); n < 1 || n > mostTopics {
		out = append(out, fmt.Sprintf("there are %d topics, not 1 to %d", n, mostTopics))
	}
	for i, t := range c.Topics {
		if !slices.Contains(TopicNames, t) {
			out = append(out, fmt.Sprintf("%q is not in the list of topics", t))
		}
		if slices.Contains(c.Topics[:i], t) {
			out = append(out, fmt.Sprintf("%q is there twice", t))
		}
	}
	return out
}

var topicsForm = ask.NewForm("topics", promptFiles, "prompts/topics.tmpl", covers.problems)

// TopicsConfig configures [Topics].
type TopicsConfig struct {
	Model        pipeline.ModelName `yaml:"model" doc:"a name of the models section"`
	ReadmeChars  int                `yaml:"readme_chars" min:"1" doc:"how much of the README the model is shown"`
	ask.Settings `yaml:",inline"`
}

// Topics has a model say which topics a repository covers (section 4.4,
// "Topics"), from its README and the names of what lies at its top. The list of
// topics is our own. Without this stage a repository has the topic of its list.
//
// Version history:
//
//	1: first version
func Topics() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.topics", Version: 1,
		Doc: "Has a model say which topics of computer science a repository covers.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
		},
		Out:   []pipeline.Port{{Name: "topics", Schema: schemas.Topics}},
		Flows: []pipeline.Flow{{From: "repository", To: []string{"topics"}}},
		Uses:  pipeline.Uses{LLM: true},
		NewConfig: func() any {
			return &TopicsConfig{ReadmeChars: 8000, Settings: ask.Settings{MaxTokens: 512, Reasks: 1}}
		},
		Identify: func(any) []string { return append(topicsForm.Identity(), TopicNames...) },
		Run:      topics,
	}
}

func topics(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[TopicsConfig](p)
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	files, err := pipeline.Collect[schemas.File](ctx, p, "files")
	if err != nil {
		return err
	}
	readme := readmeOf(files)
	what := "topics " + repo.Repo
	a, err := topicsForm.Ask(ctx, p, c.Model, c.Settings, ask.Question[covers]{
		What: what,
		Data: map[string]any{
			"Repo": repo.Repo, "Most": mostTopics, "Topics": TopicNames, "Entries": topEntries(files),
			"ReadmePath": readme.Path, "Readme": firstChars(readme.Text, c.ReadmeChars),
		},
		Subject: map[string]string{"repo": repo.Repo, "topic": repo.Topic},
	})
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", what, err)
	case !a.OK():
		p.Drops.Drop("repository", repo.Repo, reasonOf(a.Failure), a.Detail())
		return nil
	}
	return pipeline.Emit(p, "topics", schemas.RepositoryTopics{
		Repo: repo.Repo, Topics: a.Value.Topics, Reason: a.Value.Reason,
		Origin: a.Reply.Origin, Provider: a.Reply.Provider, Model: a.Reply.Model, Template: a.Template,
	})
}

// readmeOf is the README at the top of a repository, the first by path where
// there are several.
func readmeOf(files []schemas.File) schemas.File {
	for _, f := range files {
		name := strings.ToLower(f.Path)
		if strings.TrimSuffix(name, path.Ext(name)) == "readme" {
			return f
		}
	}
	return schemas.File{Path: "README", Text: "(there is none)"}
}

// topEntries lists the files and folders, with a slash, at the top.
func topEntries(files []schemas.File) []string {
	var out []string
	for _, f := range files {
		name, _, folder := strings.Cut(f.Path, "/")
		if folder {
			name += "/"
		}
		out = append(out, onOneLine(name))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), mostEntries)]
}

// firstChars is the beginning of a text.
func firstChars(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// Package pipelines carries the ready pipelines: for each a folder with a
// pipeline.yaml and the files it names. A program can write them out as a start,
// and they can be run where they are.
package pipelines

import (
	"embed"
	"io/fs"
)

// Files are named one by one: a pipeline that was run where it is leaves a lock
// and a store beside them, which are no part of a template.
//
//go:embed minimal/pipeline.yaml minimal/repositories.yaml
//go:embed repoqa/pipeline.yaml repoqa/repositories.yaml
//go:embed longcodeqa/pipeline.yaml
//go:embed crosscodeeval/pipeline.yaml
//go:embed yabloco/pipeline.yaml yabloco/recipes.yaml yabloco/repositories.yaml
var embedded embed.FS

// Template is a pipeline to start from.
type Template struct {
	Name string
	Doc  string // one sentence: what it makes and what it needs
	// Files holds pipeline.yaml at its top and the files that it names, relative
	// to it.
	Files fs.FS
}

// Templates lists the ready pipelines, the simplest first.
func Templates() []Template {
	return []Template{
		{
			Name:  "minimal",
			Doc:   "One repository of your choice, small contexts; needs no key and no file.",
			Files: folder("minimal"),
		},
		{
			Name:  "repoqa",
			Doc:   "RepoQA as in the paper: 60 repositories, 16,384 tokens; needs CodeLlama's tokenizer.model and an OpenAI key, or the alternatives its comments name.",
			Files: folder("repoqa"),
		},
		{
			Name:  "longcodeqa",
			Doc:   "LongCodeQA as in the paper: repositories of a search, their closed issues, six brackets up to a million tokens; needs a GitHub token and an OpenAI key.",
			Files: folder("longcodeqa"),
		},
		{
			Name:  "crosscodeeval",
			Doc:   "CrossCodeEval as in the paper: repositories of a window of time in four languages; needs a GitHub token, and no model.",
			Files: folder("crosscodeeval"),
		},
		{
			Name:  "yabloco",
			Doc:   "YABLoCo as in the paper: functions of four large C and C++ repositories, their call graphs and histories; needs no key, and for test coverage a sandbox and what the recipes name.",
			Files: folder("yabloco"),
		},
	}
}

func folder(name string) fs.FS {
	sub, err := fs.Sub(embedded, name)
	if err != nil {
		panic("pipelines: " + err.Error()) // the names above are valid paths
	}
	return sub
}

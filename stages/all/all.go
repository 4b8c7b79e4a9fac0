// Package all is the registry of stages and languages: functions that return
// slices, checked once at start.
package all

import (
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
	"benchmill/stages/repoqa"
	"benchmill/stages/repos"
)

// Stages lists every stage a pipeline can use.
func Stages(l *lang.Set) []*pipeline.Stage {
	return []*pipeline.Stage{
		repos.List(),
		repos.Snapshot(),
		code.Files(l),
		code.Functions(l),
		repoqa.Needles(),
		repoqa.Describe(l),
		repoqa.Contexts(l),
	}
}

// Schemas lists every table a release can be made of.
func Schemas() []*pipeline.Schema {
	return []*pipeline.Schema{
		schemas.Repositories, schemas.Snapshot, schemas.Files, schemas.Configs, schemas.Order, schemas.Functions,
		schemas.Needles, schemas.Descriptions, schemas.RepoQATasks, pipeline.DropSchema,
	}
}

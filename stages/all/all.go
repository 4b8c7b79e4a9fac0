// Package all is the registry of stages and languages: functions that return
// slices, checked once at start.
package all

import (
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/issues"
	"benchmill/stages/lang"
	"benchmill/stages/longcodeqa"
	"benchmill/stages/policy"
	"benchmill/stages/repoqa"
	"benchmill/stages/repos"
)

// Stages lists every stage a pipeline can use.
func Stages(l *lang.Set) []*pipeline.Stage {
	return []*pipeline.Stage{
		repos.List(),
		repos.Search(),
		repos.Snapshot(),
		code.Files(l),
		code.Texts(l),
		code.Functions(l),
		issues.Collect(),
		issues.Details(),
		issues.Links(),
		policy.OptOut(),
		policy.Licences(),
		policy.Allow(),
		policy.Scrub(),
		repoqa.Needles(),
		repoqa.Describe(l),
		repoqa.Contexts(l),
		longcodeqa.Candidates(),
		longcodeqa.Questions(),
		longcodeqa.Specific(),
		longcodeqa.ClosedBook(),
		longcodeqa.Review(),
		longcodeqa.Topics(),
		longcodeqa.Sizes(),
		longcodeqa.Select(),
		longcodeqa.Tasks(),
	}
}

// Schemas lists every table a release can be made of.
func Schemas() []*pipeline.Schema {
	return []*pipeline.Schema{
		schemas.Repositories, schemas.Snapshot, schemas.Files, schemas.Configs, schemas.Order, schemas.Functions,
		schemas.FoundRepositories, schemas.Issues, schemas.Comments, schemas.PullRequests, schemas.IssueEvents, schemas.IssueLinks,
		schemas.FileLicences, schemas.RepositoryLicences,
		schemas.Judgments, schemas.Needles, schemas.Descriptions, schemas.RepoQATasks,
		schemas.Discussions, schemas.Questions, schemas.Topics, schemas.QuestionSizes, schemas.Selection, schemas.LongCodeQATasks, schemas.LongCodeQAStatistics,
		pipeline.DropSchema,
	}
}

// Package all is the registry of stages and languages: functions that return
// slices, checked once at start.
package all

import (
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/callgraph"
	"benchmill/stages/code"
	"benchmill/stages/coverage"
	"benchmill/stages/crosscodeeval"
	"benchmill/stages/crossfile"
	"benchmill/stages/dedup"
	"benchmill/stages/history"
	"benchmill/stages/issues"
	"benchmill/stages/lang"
	"benchmill/stages/longcodeqa"
	"benchmill/stages/policy"
	"benchmill/stages/repoqa"
	"benchmill/stages/repos"
	"benchmill/stages/yabloco"
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
		callgraph.Native(l),
		callgraph.Clang(),
		callgraph.Agreement(),
		history.Dates(),
		coverage.Import(),
		coverage.Run(),
		crossfile.Uses(l),
		crossfile.Check(l),
		crossfile.Agreement(l),
		issues.Collect(),
		issues.Details(),
		issues.Links(),
		policy.OptOut(),
		policy.Licences(),
		policy.Allow(),
		policy.Scrub(),
		policy.Bounds(),
		policy.Exclude(),
		dedup.Signatures(),
		dedup.Near(),
		dedup.Against(),
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
		crosscodeeval.Examples(l),
		crosscodeeval.Filter(l),
		crosscodeeval.Texts(),
		crosscodeeval.Unique(),
		crosscodeeval.Predictable(l),
		crosscodeeval.Tasks(l),
		yabloco.Functions(),
		yabloco.Graph(),
		yabloco.Candidates(),
		yabloco.Unique(),
		yabloco.Texts(),
		yabloco.Review(),
		yabloco.Select(),
		yabloco.Tasks(l),
	}
}

// Adapters lists what releases can also be written as.
func Adapters() []*pipeline.Adapter {
	return []*pipeline.Adapter{
		crosscodeeval.LineCompletion(),
		yabloco.Published(),
		yabloco.PublishedGraph(),
	}
}

// Schemas lists every table a release can be made of.
func Schemas() []*pipeline.Schema {
	return []*pipeline.Schema{
		schemas.Repositories, schemas.Snapshot, schemas.Files, schemas.Configs, schemas.Order, schemas.Functions,
		schemas.FoundRepositories, schemas.Issues, schemas.Comments, schemas.PullRequests, schemas.IssueEvents, schemas.IssueLinks,
		schemas.Definitions, schemas.Calls, schemas.Callers, schemas.CallAgreements, schemas.FunctionAgreements, schemas.FunctionDates, schemas.FunctionHits,
		schemas.CrossFileUses, schemas.CheckedFiles, schemas.CrossFileAgreements,
		schemas.FileLicences, schemas.RepositoryLicences,
		schemas.Judgments, schemas.Needles, schemas.Descriptions, schemas.RepoQATasks,
		schemas.Discussions, schemas.Questions, schemas.Topics, schemas.QuestionSizes, schemas.Selection, schemas.LongCodeQATasks, schemas.LongCodeQAStatistics,
		schemas.Texts, schemas.TextSignatures, schemas.TextVerdicts, schemas.TextMatches,
		schemas.CompletionExamples, schemas.CompletionTasks,
		schemas.RepositoryFunctions, schemas.GraphNodes, schemas.BodyCandidates, schemas.BodyTasks,
		pipeline.DropSchema,
	}
}

package schemas

import "benchmill/pipeline"

// Needle is a function to be found.
type Needle struct {
	Index     int64  `parquet:"needle_index"` // 0 to n-1, decides the depth
	Needles   int64  `parquet:"needles"`      // n of the repository
	Path      string `parquet:"path"`
	Name      string `parquet:"name"`
	StartByte int64  `parquet:"start_byte"`
	EndByte   int64  `parquet:"end_byte"`
	StartLine int64  `parquet:"start_line"`
	EndLine   int64  `parquet:"end_line"`
	Chunk     int64  `parquet:"chunk"` // of the concatenated repository, 0-based
}

// Needles are the functions drawn from a repository.
var Needles = pipeline.NewSchema[Needle]("repoqa_needles", 1,
	"Functions drawn from a repository: uniquely named, spread over it.", "needle_index").InPartition()

// Described is a needle with its description in four parts.
type Described struct {
	Index     int64  `parquet:"needle_index"`
	Needles   int64  `parquet:"needles"`
	Path      string `parquet:"path"`
	Name      string `parquet:"name"`
	StartByte int64  `parquet:"start_byte"`
	EndByte   int64  `parquet:"end_byte"`
	StartLine int64  `parquet:"start_line"`
	EndLine   int64  `parquet:"end_line"`
	Purpose   string `parquet:"purpose"`
	Input     string `parquet:"input"`
	Output    string `parquet:"output"`
	Procedure string `parquet:"procedure"`
	Origin    string `parquet:"description_origin"` // "model", "hand-written" or "extractive"
	Provider  string `parquet:"description_provider"`
	Model     string `parquet:"description_model"`
	Template  string `parquet:"description_template"` // name/version of the prompt
	Asked     int64  `parquet:"description_asked"`    // requests until the description passed its checks
}

// Descriptions are needles with descriptions that passed every check.
var Descriptions = pipeline.NewSchema[Described]("repoqa_described", 1,
	"Needles with descriptions in four parts that give no identifier away.", "needle_index").InPartition()

// Variants of a [RepoQATask]'s context.
const (
	VariantDefault     = "default"      // as the repository has it
	VariantCommentFree = "comment_free" // comments removed
	VariantPadded      = "padded"       // comments removed, the needle kept at its depth by numbered comments
)

// Candidate is a function that stands whole in a context. Offsets are bytes in
// code_context, end exclusive.
type Candidate struct {
	Path   string `parquet:"path"`
	Name   string `parquet:"name"`
	Start  int64  `parquet:"start"`
	End    int64  `parquet:"end"`
	Needle bool   `parquet:"needle"` // one of the repository's needles
}

// RepoQATask is one task of Searching Needle Function.
type RepoQATask struct {
	TaskID            string      `parquet:"task_id"` // language::owner/name::function::tokens::variant
	Language          string      `parquet:"language"`
	Repo              string      `parquet:"repo"`
	Commit            string      `parquet:"commit_sha"`
	Entrypoint        string      `parquet:"entrypoint_path"`
	Topic             string      `parquet:"topic"`
	Licence           string      `parquet:"licence"`
	NeedleIndex       int64       `parquet:"needle_index"`
	Name              string      `parquet:"name"`
	Path              string      `parquet:"path"`
	StartLine         int64       `parquet:"start_line"`
	EndLine           int64       `parquet:"end_line"`
	StartByte         int64       `parquet:"start_byte"`
	EndByte           int64       `parquet:"end_byte"`
	Needle            string      `parquet:"needle"` // the code to be found, as it stands in the context
	Description       string      `parquet:"description"`
	DescriptionOrigin string      `parquet:"description_origin"`
	DescriptionModel  string      `parquet:"description_model"`
	Variant           string      `parquet:"variant"`
	PositionRatio     float64     `parquet:"position_ratio"`    // wanted depth of the needle, 0 to 1
	CodeContextSize   int64       `parquet:"code_context_size"` // wanted tokens
	CodeContext       string      `parquet:"code_context"`
	CodeContextTokens int64       `parquet:"code_context_ntokens"`
	NeedleTokenStart  int64       `parquet:"needle_token_start"`
	NeedleTokenEnd    int64       `parquet:"needle_token_end"`
	Tokenizer         string      `parquet:"tokenizer"` // identity of the tokenizer that counted
	Candidates        []Candidate `parquet:"candidates"`
	Instruction       string      `parquet:"instruction"`
	Prompt            string      `parquet:"prompt"`
}

// RepoQATasks are the tasks of a RepoQA release.
var RepoQATasks = pipeline.NewSchema[RepoQATask]("repoqa_tasks", 1,
	"Searching Needle Function: find a function in a long context by its description.", "task_id")

package schemas

import "benchmill/pipeline"

// Context levels of a [RepositoryFunction]: the widest class of what it calls.
const (
	LevelProject = "project"      // in another folder of the repository
	LevelPackage = "same_package" // in another file of the same folder
	LevelFile    = "same_file"
	LevelStdlib  = "stdlib" // outside of the repository
	LevelNone    = "none"
)

// RepositoryFunction is a function with what is known of it. Repo, Commit and ID
// name it in a release; ID alone is the same at other commits, wherever the
// function stands in its file.
type RepositoryFunction struct {
	ID        string `parquet:"id"` // 16 upper-case hexadecimal digits
	Repo      string `parquet:"repo"`
	Commit    string `parquet:"commit"`
	Licence   string `parquet:"licence"`
	Language  string `parquet:"language"`
	Name      string `parquet:"name"`
	Qualified string `parquet:"qualified"`
	File      string `parquet:"file"`
	Signature string `parquet:"signature"`
	Docstring string `parquet:"docstring"` // its comment without markers, "" where it has none

	Pos        int64 `parquet:"pos"`         // 1-based first line, with the return type
	CodeLength int64 `parquet:"code_length"` // last line - first line
	Start      int64 `parquet:"start"`       // byte offsets in the file, as those of its [Definition]
	Body       int64 `parquet:"body"`
	End        int64 `parquet:"end"`

	// How many functions call it, and how many different ones it calls, by where they
	// stand; DepNum is the sum of the five. Counted says by which evidence.
	CallsNum    int64  `parquet:"calls_num"`
	DepNum      int64  `parquet:"dep_num"`
	SameFile    int64  `parquet:"same_file"`
	SamePackage int64  `parquet:"same_package"`
	Project     int64  `parquet:"project"`
	Stdlib      int64  `parquet:"stdlib"`
	External    int64  `parquet:"external_binaries"`
	Unresolved  int64  `parquet:"unresolved"` // called too, but from where is not known
	Counted     string `parquet:"counted"`    // kinds of evidence of a [Call], in order: "macro,operator,written"
	Level       string `parquet:"level"`
	Engine      string `parquet:"engine"` // of the call graph; "" where there is no call

	LastCommit string `parquet:"last_commit"`      // day of the newest commit of its lines, as 2006-01-02 in UTC; "" where not known
	DateMode   string `parquet:"last_commit_mode"` // as in [FunctionDate]
	Hits       *int64 `parquet:"test_cov_hits"`    // nil where no coverage report speaks of it
	HitsSource string `parquet:"test_cov_source"`
	Condition  string `parquet:"condition"` // as in [Definition]
}

// RepositoryFunctions are all functions of repositories.
var RepositoryFunctions = pipeline.NewSchema[RepositoryFunction]("yabloco_functions", 1,
	"Every function with its comment, place, callers and callees, last change and test hits.", "repo", "commit", "id")

// GraphNeighbour is a function at the other end of an edge.
type GraphNeighbour struct {
	ID        string `parquet:"id"`
	Name      string `parquet:"name"`
	Qualified string `parquet:"qualified"`
	Path      string `parquet:"path"`       // in the repository, or the header or module of what is not of it; "" where not known
	StartLine int64  `parquet:"start_line"` // lines and columns (of bytes) are 1-based; 0 where not known
	StartCol  int64  `parquet:"start_col"`
	EndLine   int64  `parquet:"end_line"` // of the last byte
	EndCol    int64  `parquet:"end_col"`
	Origin    string `parquet:"origin"`   // as in [Call]; of callers "defined"
	Evidence  string `parquet:"evidence"` // kinds of evidence, in order, joined by ","
	Sites     int64  `parquet:"sites"`    // how many calls
	Level     string `parquet:"level"`    // class of the callee as its caller sees it; "external_binaries", "unresolved" too
	Engine    string `parquet:"engine"`
}

// GraphNode is a function with its edges both ways.
type GraphNode struct {
	ID        string           `parquet:"id"`
	Repo      string           `parquet:"repo"`
	Commit    string           `parquet:"commit"`
	Licence   string           `parquet:"licence"`
	Language  string           `parquet:"language"`
	Name      string           `parquet:"name"`
	Qualified string           `parquet:"qualified"`
	Path      string           `parquet:"path"`
	StartLine int64            `parquet:"start_line"`
	StartCol  int64            `parquet:"start_col"`
	EndLine   int64            `parquet:"end_line"`
	EndCol    int64            `parquet:"end_col"`
	Callees   []GraphNeighbour `parquet:"callees,list"` // in the order called
	Callers   []GraphNeighbour `parquet:"callers,list"` // by path and place
}

// GraphNodes are call graphs, a function a row.
var GraphNodes = pipeline.NewSchema[GraphNode]("yabloco_graph", 1,
	"Call graphs both ways: each function with what it calls and what calls it.", "repo", "commit", "id")

// Values of [BodyCandidate.Branches].
const (
	BranchesWritten = "written" // the body has #if and stands as in its file
	BranchesElse    = "else"    // of an #if with #else in the body only what stands under #else is left
)

// BodyCandidate is a function whose body may be asked for.
type BodyCandidate struct {
	ID        string             `parquet:"id"`
	Function  RepositoryFunction `parquet:"function"`
	Text      string             `parquet:"body"`       // from [RepositoryFunction.Body] to its end
	Code      string             `parquet:"code"`       // signature and body, with what is between them
	BodyLines int64              `parquet:"body_lines"` // between its braces, blank ones not counted
	Branches  string             `parquet:"branches"`   // "" where the body has no #if

	// What people said of the docstring.
	Review    string `parquet:"review"` // "accepted", "open" or ""
	Accepts   int64  `parquet:"accepts"`
	Rejects   int64  `parquet:"rejects"`
	Reviewers string `parquet:"reviewers"` // in order, joined by ", "

	// Where the candidate came when rows were chosen; "" and 0 before.
	Split  string `parquet:"split"`  // "test" or "dev"
	Rank   int64  `parquet:"rank"`   // 1-based, in its repository and level
	Prompt int64  `parquet:"prompt"` // 1-based number of its instruction
}

// BodyCandidates are functions whose bodies may be asked for.
var BodyCandidates = pipeline.NewSchema[BodyCandidate]("yabloco_candidates", 1,
	"Functions that are fit for a task, with their bodies.", "id").InPartition()

// ContextFunction is a function that the target calls.
type ContextFunction struct {
	ID   string `parquet:"id"`
	File string `parquet:"file"`
	Name string `parquet:"name"`
}

// BodyTask is one row of the benchmark: write the body of a function.
type BodyTask struct {
	TaskID      string `parquet:"task_id"` // the function's ID
	Repo        string `parquet:"repo"`
	Commit      string `parquet:"commit"`
	Licence     string `parquet:"licence"`
	Language    string `parquet:"language"`
	Level       string `parquet:"level"`
	Rank        int64  `parquet:"rank"`        // in its repository and level
	Instruction string `parquet:"instruction"` // with {language}, {signature}, {docstring} and {context}
	Template    string `parquet:"template"`    // which instruction it is
	Title       string `parquet:"input_language"`
	Signature   string `parquet:"signature"`
	Docstring   string `parquet:"docstring"`
	Context     string `parquet:"context"`
	Prompt      string `parquet:"prompt"`   // the instruction, filled in
	Reference   string `parquet:"body"`     // what is asked for
	Output      string `parquet:"output"`   // the whole function
	Branches    string `parquet:"branches"` // as in [BodyCandidate]

	Name        string `parquet:"name"`
	Qualified   string `parquet:"qualified"`
	File        string `parquet:"file"`
	Blob        string `parquet:"blob"`  // git's id of the file
	Start       int64  `parquet:"start"` // byte offsets in the file
	Body        int64  `parquet:"body_start"`
	End         int64  `parquet:"end"`
	Pos         int64  `parquet:"pos"`
	CodeLength  int64  `parquet:"code_length"`
	CallsNum    int64  `parquet:"calls_num"`
	DepNum      int64  `parquet:"dep_num"`
	SameFile    int64  `parquet:"same_file"`
	SamePackage int64  `parquet:"same_package"`
	Project     int64  `parquet:"project"`
	Stdlib      int64  `parquet:"stdlib"`
	External    int64  `parquet:"external_binaries"`
	Counted     string `parquet:"counted"`
	LastCommit  string `parquet:"last_commit"`
	DateMode    string `parquet:"last_commit_mode"`
	Hits        *int64 `parquet:"test_cov_hits"`
	HitsSource  string `parquet:"test_cov_source"`

	Shown     []ContextFunction `parquet:"context_functions,list"` // in the context's order
	Review    string            `parquet:"review"`
	Reviewers string            `parquet:"reviewers"`
}

// BodyTasks is the benchmark.
var BodyTasks = pipeline.NewSchema[BodyTask]("yabloco", 1,
	"Function bodies to be written, given signature, docstring and the functions they call.", "task_id")

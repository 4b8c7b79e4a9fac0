package schemas

import "benchmill/pipeline"

// CallAgreement compares two call graphs of one repository by the edges of the
// functions that both have. An edge is a function with the name of what it calls:
// however often, and whichever function of that name.
type CallAgreement struct {
	Repo      string `parquet:"repo"`
	Commit    string `parquet:"commit"`
	Language  string `parquet:"language"`
	Reference string `parquet:"reference"` // engine of the graph that is compared with
	// Evidence is that of the edges: "written", "written+macro", "operator", "indirect".
	Evidence string `parquet:"evidence"`
	// By is "name", the last part of what is called, or "qualified", all of it.
	By           string  `parquet:"by"`
	Functions    int64   `parquet:"functions"` // that both have
	Both         int64   `parquet:"both"`
	OnlyOurs     int64   `parquet:"only_native"`
	OnlyTheirs   int64   `parquet:"only_reference"`
	Precision    float64 `parquet:"precision"` // 1 where there is nothing to be wrong about
	Recall       float64 `parquet:"recall"`    // likewise
	F1           float64 `parquet:"f1"`
	Located      int64   `parquet:"located"`       // of Both: the reference knows where in the repository what is called is defined
	SameLocation int64   `parquet:"same_location"` // of those: both say the same file
}

// CallAgreements are comparisons of call graphs by their edges.
var CallAgreements = pipeline.NewSchema[CallAgreement]("call_agreement", 1,
	"How far two call graphs of a repository agree on what its functions call.",
	"repo", "commit", "language", "reference", "evidence", "by")

// FunctionAgreement compares two call graphs of one repository by their functions.
type FunctionAgreement struct {
	Repo          string `parquet:"repo"`
	Commit        string `parquet:"commit"`
	Language      string `parquet:"language"`
	Reference     string `parquet:"reference"` // engine of the graph that is compared with
	Native        int64  `parquet:"native"`    // functions
	Theirs        int64  `parquet:"reference_functions"`
	Both          int64  `parquet:"both"`
	SameStart     int64  `parquet:"same_start"` // of Both: to the byte
	SameLine      int64  `parquet:"same_line"`  // of Both: the first line
	SameEnd       int64  `parquet:"same_end"`   // of Both: to the byte
	SameName      int64  `parquet:"same_name"`
	SameQualified int64  `parquet:"same_qualified"`
	SameLevel     int64  `parquet:"same_level"` // of Both: the context level; calls through pointers count for none
}

// FunctionAgreements are comparisons of call graphs by their functions.
var FunctionAgreements = pipeline.NewSchema[FunctionAgreement]("function_agreement", 1,
	"How far two call graphs of a repository agree on its functions.", "repo", "commit", "language", "reference")

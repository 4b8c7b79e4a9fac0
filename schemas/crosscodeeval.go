package schemas

import "benchmill/pipeline"

// CompletionExample is a place in a file where a statement is to be completed that
// needs another file. Prompt + Reference + RightContext is the whole file.
type CompletionExample struct {
	ID           string `parquet:"id"` // unique in the dataset and stable: of repository, commit, file, name and cursor
	Path         string `parquet:"path"`
	Name         string `parquet:"name"`      // the name that needs another file
	Kind         string `parquet:"kind"`      // of the use: "member", "name" or "inherited"
	NameByte     int64  `parquet:"name_byte"` // where the name starts
	CursorByte   int64  `parquet:"cursor_byte"`
	CursorLine   int64  `parquet:"cursor_line"` // 0-based
	EndByte      int64  `parquet:"end_byte"`    // of the reference
	RightLine    int64  `parquet:"right_line"`  // 0-based line the right context starts to count from: that of the end, + 1
	Prompt       string `parquet:"prompt"`
	Reference    string `parquet:"reference"`
	RightContext string `parquet:"right_context"`
	Target       string `parquet:"target_path"` // the file that explains the name, where known
	Via          string `parquet:"via"`         // how what owns the name was known, as the detector says
	Detector     string `parquet:"detector"`
	Baseline     string `parquet:"baseline"` // models that did not write the reference from the prompt alone: "provider/model"
}

// CompletionExamples are examples of one repository.
var CompletionExamples = pipeline.NewSchema[CompletionExample]("crosscodeeval_examples", 1,
	"Places where completing a statement needs another file.", "path", "cursor_byte", "name_byte").InPartition()

// RetrievedChunk is a piece of another file.
type RetrievedChunk struct {
	Text  string  `parquet:"retrieved_chunk"`
	Path  string  `parquet:"filename"`
	Score float64 `parquet:"score"`
}

// CrossFileContext is what one retrieval setting found for an example.
type CrossFileContext struct {
	Setting string           `parquet:"setting"` // query and ranker: "rg1_bm25", "oracle_bm25", ...
	Text    string           `parquet:"text"`    // to stand before the prompt
	Chunks  []RetrievedChunk `parquet:"list,list"`
}

// CompletionTask is one row of the benchmark.
type CompletionTask struct {
	TaskID       string             `parquet:"task_id"`
	Repo         string             `parquet:"repo"`
	Commit       string             `parquet:"commit"`
	Licence      string             `parquet:"licence"`
	Language     string             `parquet:"language"`
	Path         string             `parquet:"file"`
	Name         string             `parquet:"name"`
	Kind         string             `parquet:"kind"`
	Via          string             `parquet:"via"`
	Target       string             `parquet:"target_path"`
	Prompt       string             `parquet:"prompt"`
	Reference    string             `parquet:"groundtruth"`
	RightContext string             `parquet:"right_context"`
	ContextLine  int64              `parquet:"context_start_lineno"`       // 0: prompts start with the file
	CursorLine   int64              `parquet:"groundtruth_start_lineno"`   // 0-based
	RightLine    int64              `parquet:"right_context_start_lineno"` // 0-based
	Tokens       int64              `parquet:"reference_tokens"`
	Tokenizer    string             `parquet:"tokenizer"` // its identity
	Contexts     []CrossFileContext `parquet:"crossfile_context,list"`
	Baseline     string             `parquet:"baseline"` // models that did not write the reference from the prompt alone
	Detector     string             `parquet:"detector"`
}

// CompletionTasks is the benchmark.
var CompletionTasks = pipeline.NewSchema[CompletionTask]("crosscodeeval", 1,
	"Cross-file code completion: prompts, references, right contexts and retrieved chunks.", "task_id")

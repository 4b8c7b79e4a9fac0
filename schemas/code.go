package schemas

import "benchmill/pipeline"

// OrderedFile is a source file with its place in the dependency order.
type OrderedFile struct {
	Path         string   `parquet:"path"`
	Position     int64    `parquet:"position"`     // 0 comes first; dependencies before dependents
	Dependencies []string `parquet:"dependencies"` // paths it imports, ascending
	Bytes        int64    `parquet:"bytes"`
	Lines        int64    `parquet:"lines"`       // line breaks + 1
	GlobalByte   int64    `parquet:"global_byte"` // where it starts in all files concatenated in this order
	GlobalLine   int64    `parquet:"global_line"`
	Functions    int64    `parquet:"functions"`
	CommentBytes int64    `parquet:"comment_bytes"`
	ErrorShare   float64  `parquet:"error_share"` // of bytes inside syntax errors
}

// Order is the dependency order of a repository's source files.
var Order = pipeline.NewSchema[OrderedFile]("order", 1,
	"Source files in dependency order: depth-first post-order over the files in path order.", "path").InPartition()

// Function is one function definition, as RepoQA counts them. Global offsets
// count over all files concatenated in dependency order.
type Function struct {
	Path            string  `parquet:"path"`
	Name            string  `parquet:"name"`
	StartByte       int64   `parquet:"start_byte"`
	EndByte         int64   `parquet:"end_byte"`
	StartLine       int64   `parquet:"start_line"` // 0-based
	EndLine         int64   `parquet:"end_line"`   // exclusive
	GlobalStartByte int64   `parquet:"global_start_byte"`
	GlobalEndByte   int64   `parquet:"global_end_byte"`
	GlobalStartLine int64   `parquet:"global_start_line"`
	GlobalEndLine   int64   `parquet:"global_end_line"`
	CommentRatio    float64 `parquet:"comment_ratio"` // bytes of comments / bytes of the function
}

// Functions are the functions of a repository.
var Functions = pipeline.NewSchema[Function]("functions", 1,
	"Function definitions with their place in the file and in the whole repository.", "path", "start_byte", "end_byte").InPartition()

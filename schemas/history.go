package schemas

import "benchmill/pipeline"

// Modes of [FunctionDate].
const (
	// HistoryMainline dates a line when it reached the main line: the last commit of
	// the first-parent history that changed it.
	HistoryMainline = "mainline"
	// HistoryBlame dates a line when it was written: the commit that git blame names.
	HistoryBlame = "blame"
)

// FunctionDate is when a function was last changed.
type FunctionDate struct {
	Path   string `parquet:"path"`
	Start  int64  `parquet:"start"`  // of its [Definition]
	Date   string `parquet:"date"`   // commit time of the newest commit of its lines, RFC 3339 in UTC
	Commit string `parquet:"commit"` // which that is
	Mode   string `parquet:"mode"`   // "mainline" or "blame"
}

// FunctionDates says when functions were last changed.
var FunctionDates = pipeline.NewSchema[FunctionDate]("function_dates", 1,
	"The newest commit of each function's lines.", "path", "start").InPartition()

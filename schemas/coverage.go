package schemas

import "benchmill/pipeline"

// FunctionHit is how often tests ran a function.
type FunctionHit struct {
	Path   string `parquet:"path"`
	Start  int64  `parquet:"start"`  // of its [Definition]
	Hits   int64  `parquet:"hits"`   // times it was entered
	Source string `parquet:"source"` // where that is from: "lcov", "gcov", "llvm-cov"
}

// FunctionHits are the functions that coverage reports speak of, those that were
// never run included.
var FunctionHits = pipeline.NewSchema[FunctionHit]("function_hits", 1,
	"How often a test suite ran each function.", "path", "start").InPartition()

package schemas

import "benchmill/pipeline"

// Definition is a function with a body, as a call graph's node. Path and Start
// name it.
type Definition struct {
	Path      string `parquet:"path"`
	Start     int64  `parquet:"start"`     // byte offset of its first token, return type and specifiers included
	Body      int64  `parquet:"body"`      // byte offset where its body begins
	End       int64  `parquet:"end"`       // byte offset after its last token
	Line      int64  `parquet:"line"`      // 1-based, of Start
	EndLine   int64  `parquet:"end_line"`  // 1-based, of the last token
	Name      string `parquet:"name"`      // the last part of it
	Qualified string `parquet:"qualified"` // with its namespaces and classes, as the language writes them
	Signature string `parquet:"signature"` // the text from Start to Body, without blanks at its ends
	Doc       string `parquet:"doc"`       // the comment that belongs to it, as written, markers included
	Local     bool   `parquet:"local"`     // seen in its file only: static, or in an unnamed namespace
	Inline    bool   `parquet:"inline"`
	// Condition is what is known of the #if around it: "" where there is none or it
	// surely holds, "unknown" where what decides is not in the repository.
	Condition string `parquet:"condition"`
}

// Values of [Definition.Condition].
const ConditionUnknown = "unknown"

// Definitions are the functions of a repository.
var Definitions = pipeline.NewSchema[Definition]("definitions", 1,
	"Functions with a body: where they stand, what they are called, and their comments.", "path", "start").InPartition()

// Evidence of a [Call].
const (
	EvidenceWritten  = "written"  // the call stands in the caller's text
	EvidenceMacro    = "macro"    // it stands in the body of a macro that the caller uses
	EvidenceIndirect = "indirect" // through a pointer to a function: it may be called
	EvidenceOperator = "operator" // an operator or a conversion that a type of the repository defines
)

// Origins of what is called.
const (
	OriginDefined    = "defined"    // CalleePath and CalleeStart name a [Definition]
	OriginDeclared   = "declared"   // the repository declares it, and defines it nowhere; or a pointer to a function
	OriginSystem     = "system"     // of the language's standard library or the system; CalleePath is its header or module
	OriginExternal   = "external"   // of a library that is installed; CalleePath is its header or module
	OriginUnresolved = "unresolved" // nothing is known but its name
)

// Call is an edge of a call graph: all calls of one function to another with one
// kind of evidence.
type Call struct {
	CallerPath  string `parquet:"caller_path"`
	CallerStart int64  `parquet:"caller_start"` // Start of its [Definition]
	Caller      string `parquet:"caller"`       // qualified
	// Callee is the qualified name of what is called. With evidence "indirect" it is
	// the variable that holds the pointer, or "Struct::field".
	Callee      string `parquet:"callee"`
	CalleePath  string `parquet:"callee_path"`
	CalleeStart int64  `parquet:"callee_start"` // byte offset; -1 where no definition or declaration of the repository is known
	CalleeLine  int64  `parquet:"callee_line"`  // 1-based; 0 where CalleeStart is -1
	Origin      string `parquet:"origin"`
	Evidence    string `parquet:"evidence"`
	// Via is the macro whose body holds the call, the outermost one, with evidence "macro".
	Via          string `parquet:"via"`
	Sites        int64  `parquet:"sites"`        // how many calls
	First        int64  `parquet:"first"`        // byte offset of the first in the caller's file; of the macro's use with evidence "macro"
	Alternatives int64  `parquet:"alternatives"` // other definitions that it may be as well, such as that of another branch of #if
	Engine       string `parquet:"engine"`       // "native" or "clang"
}

// Calls is a call graph from callers to callees.
var Calls = pipeline.NewSchema[Call]("calls", 1,
	"Which functions call which, each edge with its evidence.",
	"caller_path", "caller_start", "evidence", "callee_path", "callee_start", "callee").InPartition()

// Callers is the same graph from callees to callers.
var Callers = pipeline.NewSchema[Call]("callers", 1,
	"Which functions are called by which: the call graph the other way round.",
	"callee_path", "callee_start", "callee", "caller_path", "caller_start", "evidence").InPartition()

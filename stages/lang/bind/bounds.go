package bind

// Bounds. A question is whether one ref is a use. Beyond its bounds a value is not
// known, which makes no use; the files of the sample repositories stay far below
// all of them.
const (
	maxDepth     = 200       // expressions inside each other, through names and calls too
	maxSteps     = 20_000    // expressions and declarations that a question infers
	maxFileSteps = 2_000_000 // and all about a file do
	// maxFileLooks bounds what is cheap, but may be as much as the file is large for
	// everything in it: values remembered, scopes climbed, declarations of one name,
	// guards, whole imports.
	maxFileLooks = 8_000_000
	maxBases     = 24 // classes above each other
	maxItems     = 12 // possibilities of one value
	maxUnify     = 12 // types inside each other that are matched
	maxQualified = 12 // parts of a name with namespaces in front
	// Arguments are followed so many calls deep, and while a question has taken few
	// steps: what depends on them is inferred anew for each call.
	maxByCall      = 3
	maxByCallSteps = 2_000
)

// step counts an expression to infer, and reports whether the bounds allow it.
func (s *session) step() bool {
	s.steps++
	return s.steps <= maxSteps && s.spent <= maxFileSteps
}

// look counts n of the cheap things, and reports whether the bounds allow more.
func (s *session) look(n int) bool {
	s.looks += n
	return s.looks <= maxFileLooks
}

// next begins the next question.
func (s *session) next() { s.spent, s.steps = s.spent+s.steps, 0 }

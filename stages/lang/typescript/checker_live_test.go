package typescript

import (
	"testing"

	"benchmill/stages/lang/langtest"
)

// TestTSC compares the marks of the cases with what tsc says.
func TestTSC(t *testing.T) { langtest.Checker(t, Language()) }

package java

import (
	"testing"

	"benchmill/stages/lang/langtest"
)

// TestJavac compares the marks of the cases with what javac says.
func TestJavac(t *testing.T) { langtest.Checker(t, Language()) }

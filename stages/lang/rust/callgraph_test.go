package rust

import (
	"testing"

	"benchmill/stages/lang/langtest"
)

func TestCalls(t *testing.T) { langtest.Calls(t, Language()) }

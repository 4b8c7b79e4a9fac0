package repoqa

import (
	"flag"
	"testing"

	"benchmill/internal/prompt/prompttest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The text of a prompt changes only together with its version.
func TestPrompts(t *testing.T) {
	prompttest.CheckGolden(t, "testdata/prompts.golden", *update, description.Templates()...)
}

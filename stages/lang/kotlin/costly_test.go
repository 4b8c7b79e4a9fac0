package kotlin

import (
	"errors"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// TestCostly refuses what ends the process or takes gigabytes, and nothing that has
// as much of what people write.
func TestCostly(t *testing.T) {
	for _, c := range []struct {
		unit  string
		times int
		want  bool
	}{
		{"@a ", maxLoose, false},
		{"@a ", maxLoose + 1, true},
		{"@a()\n@b ", maxLoose, true},
		{"@a, ", maxLoose + 1, true},
		{"@a@b ", maxLoose, true},
		{"@a /* b */ ", maxLoose + 1, true},
		{"@a(" + strings.Repeat("(", maxArguments) + " b ", maxLoose + 1, true},
		{"@A(\"b\")\nfun c() {}\n", 10 * maxLoose, false},
		{"@A fun `b c`() {}\n", 10 * maxLoose, false},
		{"@get:A.B val c = 1\n", 10 * maxLoose, false},
		{"/** @param a b */\n", 10 * maxLoose, false},
		{`"${`, maxTemplates, false},
		{`"${`, maxTemplates + 1, true},
		{"fun a() = \"${)}\"\n", maxTemplates + 1, true},
		{"\"\x00", maxTemplates + 1, true},
		{"\"$é", maxTemplates + 1, true},
		{"\"$ 1\" // $1.50\n", maxTemplates / 2, false},
		{"\"$_\"\n", maxTemplates, false},
	} {
		if got := costly([]byte(strings.Repeat(c.unit, c.times))); got != c.want {
			t.Errorf("%d times %q: %v", c.times, c.unit, got)
		}
	}
}

// TestCostlyBounds parses as much as is allowed of what costs most: the process and
// the clock stand it.
func TestCostlyBounds(t *testing.T) {
	l := Language()
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	for unit, times := range map[string]int{"@a ": maxLoose, "@a@b ": maxLoose / 2, "@a, ": maxLoose, `"${`: maxTemplates, `"""${`: maxTemplates, "fun a() = \"${)}\"\n": maxTemplates} {
		if _, err := l.Analyze("a.kt", []byte(strings.Repeat(unit, times)), treesitter.DefaultLimits); err != nil {
			t.Errorf("%d times %q: %v", times, unit, err)
		}
		_, err := l.Analyze("a.kt", []byte(strings.Repeat(unit, 4*times)), treesitter.DefaultLimits)
		if !errors.Is(err, treesitter.ErrCostly) || lang.Reason(err) != lang.ReasonCostly {
			t.Errorf("%d times %q: %v", 4*times, unit, err)
		}
	}
}

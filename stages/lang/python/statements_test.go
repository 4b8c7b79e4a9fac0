package python

import (
	"strings"
	"testing"

	"benchmill/internal/treesitter"
)

// TestStatements cuts at ‹ and ends at ›.
func TestStatements(t *testing.T) {
	l := Language()
	for _, text := range []string{
		"a = b.‹c(1)›\nd\n",
		"a = b.‹c(\n  1,\n)[0]›\nd\n",
		"if a.‹b() >= c:›\n  d\n",
		"if a: x = b.‹c(d)›; e\n",
		"if a:\n  b\nelif ‹c.d(e):›\n  f\n",
		"for a in b.‹c():›\n  d\nelse:\n  e\n",
		"with a.‹b() as c, d:›\n  e\n",
		"@a.‹b(c)›\n@d\ndef e(): pass\n",
		"def a(b=c.‹d, *e) -> f:›\n  \"\"\"g\"\"\"\n",
		"class A(b.‹C):›\n  d = 1\n",
		"try:\n  a\nexcept b.‹C as d:›\n  e\n",
		"while a.‹b:› # c\n  d\n",
		"match a.‹b:›\n  case c: d\n",
		"match a:\n  case b.‹C(d):›\n    e\n",
		"return a.‹b if c else [\n  d for d in e]›\n",
		"x = a.‹b + \"\"\"\nc\n\"\"\"›\n",
		"a = lambda: b.‹c(d)›\ne\n",
		"a(b=lambda: c.‹d,\n  e=f)›\ng\n",
	} {
		cursor := strings.Index(text, "‹")
		end := strings.Index(text, "›") - len("‹")
		src := strings.NewReplacer("‹", "", "›", "").Replace(text)
		tree, err := l.ParseWhole("a.py", []byte(src), treesitter.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := l.Statements.End(tree, cursor); !ok || got != end {
			t.Errorf("%q ends at %q (%v)", text, src[cursor:max(got, cursor)], ok)
		}
	}
}

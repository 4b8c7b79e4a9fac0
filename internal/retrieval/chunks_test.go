package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	var numbered strings.Builder
	for i := range 23 {
		fmt.Fprintf(&numbered, "l%d\r\n \t\n", i)
	}
	chunks := Lines("p", numbered.String(), ChunkLines, Stride)
	if len(chunks) != 3 || strings.Count(chunks[0].Text, "\n") != 9 || chunks[2].Text != "l20\nl21\nl22" || chunks[2].Index != 2 {
		t.Fatalf("%+v", chunks)
	}
	// A chunk without words takes no index; what follows it follows its neighbour.
	chunks = Lines("p", "a\n}\n)\n  b", 1, 1)
	if len(chunks) != 2 || chunks[1].Text != "  b" || chunks[1].Index != 1 {
		t.Errorf("%+v", chunks)
	}
	chunks = Lines("p", "a\nb\nc", 2, 1)
	if len(chunks) != 3 || chunks[1].Text != "b\nc" || chunks[2].Text != "c" {
		t.Errorf("overlapping: %+v", chunks)
	}
	if chunks = Lines("p", "\n \n", 10, 10); len(chunks) > 0 {
		t.Errorf("blank: %+v", chunks)
	}
}

func TestQuery(t *testing.T) {
	for _, c := range []struct {
		n     int
		texts []string
		want  string
	}{
		{2, []string{"a\n\nb\n \nc\n    "}, "b\nc"},
		{2, []string{"a\nx = b.", "f()\n"}, "x = b.\nf()"}, // one line of the file, two of the query
		{10, []string{"", " "}, ""},
		{3, []string{"a", "b\nc\nd"}, "b\nc\nd"},
	} {
		if got := Query(c.n, c.texts...); got != c.want {
			t.Errorf("Query(%d, %q) = %q, want %q", c.n, c.texts, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"a.py", "b.py", 0},
		{"s/a.py", "s/b.py", 0},
		{"s/a.py", "b.py", 1},
		{"s/a.py", "t/b.py", 2},
		{"s/t/a.py", "s/b.py", 1},
		{"s/t/u/a.py", "s/tt/b.py", 3},
		{"x/y/a.py", "p/q/r/b.py", 5},
		{"s/ab.py", "s/a.py", 0},
	} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("Distance(%q, %q) = %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestNear(t *testing.T) {
	far := strings.Repeat("d/", MaxDistance+1) + "x.py"
	got := Near("s/m.py", []string{far, "z.py", "s/m.py", "s/z.py", "s/a.py", "t/a.py", ".ci/x.py", "s/.x.py", "s/t/b.py", far[4:]}, 6)
	if want := []string{"s/a.py", "s/z.py", "s/t/b.py", "z.py", "t/a.py", far[4:]}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Near("m", []string{"m"}, 5); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestText(t *testing.T) {
	got := Text([]Hit{{Path: "a/b.py", Text: "  x\n\ty\u2028z"}, {Path: "c.py", Text: "w"}}, "#", Wording{"Head:", "In:"})
	if want := "# Head:\n\n# In:\n# a/b.py\n#   x\n# \ty\n# z\n\n# In:\n# c.py\n# w\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Text(nil, "#", OwnWording); got != "" {
		t.Errorf("nothing found: %q", got)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\r\n\r\nb\xff\n\x1c\nc", 2, 1)
	f.Fuzz(func(t *testing.T, text string, size, stride int) {
		if size < 1 || size > 50 || stride < 1 || stride > 50 || len(text) > 1<<12 {
			t.Skip()
		}
		for i, c := range Lines("p", text, size, stride) {
			if c.Index != i || len(c.Words) == 0 || strings.Count(c.Text, "\n") >= size {
				t.Fatalf("chunk %d: %+v", i, c)
			}
		}
	})
}

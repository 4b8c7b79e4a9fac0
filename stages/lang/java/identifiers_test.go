package java

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"class A extends B<C> { }", "A B C"},
		{"package a.b; import c.D; import static e.F.g; class H { }", "H"},
		{"// Line\n/* Block\n Of lines */ Code", "Code"},
		{`"Text \" Text" 'C' '\'' Code`, "Code"},
		{"\"\"\"\n Text \\\"\"\" \" Text \"\"\" Code", "Code"},
		{"\"open Text\nCode", "Code"},
		{"'open Text\nCode", "Code"},
		{"\"\"\"open Text\nText", ""},
		{"/* open Text", ""},
		{"x.Member y . Member z. /* c */ Member", "x x.Member y z"},
		{"a.b.Type.method() a.b.c", "a a.b.Type"},
		{"this.Field super.Field int.class", ""},
		{"f().Result g[0].Item", "f g"},
		{"Outer.Inner Outer::ref", "Outer"},
		{"a.\nb.C", "a"},
		{"0x1F 1e10 1L 1.5f 0b1_0 Code", "Code"},
		{"@Marked int x", "Marked x"},
		{"été Été _x $y", "$y _x Été été"},
		{"\xef\xbb\xbfpackage a; B", "B"},
		{"var yield record sealed permits true null", ""},
		{"String... rest", "String"},
	} {
		if got := strings.Join(identifiers([]byte(c.src)), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

func FuzzIdentifiers(f *testing.F) {
	for _, seed := range []string{"class A { a.b.C c; }", "\"\"\"\n\\\"\"\"", "'\\", "/*", "import"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		start := time.Now()
		words := identifiers(src)
		if took := time.Since(start); took > time.Second+time.Duration(len(src))*time.Microsecond {
			t.Errorf("%d bytes took %s", len(src), took)
		}
		if !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
			t.Errorf("%q are not ascending and unique", words)
		}
		for _, word := range words {
			if word == "" || strings.ContainsAny(word, " \t\n\"'/") || !strings.Contains(string(src), word) {
				t.Errorf("%q is no word of %q", word, src)
			}
		}
	})
}

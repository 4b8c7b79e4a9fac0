package csharp

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"class A : B<C> { }", "A B C"},
		{"// Line\n/* Block\n Of lines */ Code", "Code"},
		{"#region It's \"Text\nCode\n  #if Symbol\nMore", "Code More"},
		{`"Text \" Text" 'C' '\'' Code`, "Code"},
		{`@"Text \" Code @"two "" Text" More @"" End`, "Code End More"},
		{"@\"over\nlines Text\" Code", "Code"},
		{`"""Text " "" Text""" Code`, "Code"},
		{"\"\"\"\"\n Text \"\"\" Text\n\"\"\"\" Code", "Code"},
		{`$"Text {Hole} Text {{Text}} {Other:N2}" Code`, "Code Hole N2 Other"},
		{`$"{F("Text" + $"{Deep}")} Text" Code`, "Code Deep F"},
		{`$"{new A { B = 1 }} Text" Code`, "A B Code"},
		{`$@"Text "" {Hole} Text" @$"{Two}" Code`, "Code Hole Two"},
		{`$"""Text {Hole} " Text""" Code`, "Code Hole"},
		{`$$"""Text {Text} {{Hole}} {{{Edge}}}""" Code`, "Code Edge Hole"},
		{"$\"{Open\nCode", "Code Open"},
		{"\"open Text\nCode", "Code"},
		{"x.Member x?.Member x!.Member x . Member", "x"},
		{"A.B.C a.B", "A A.B.C a"},
		{"A.B.Call() new A.B.Type() A.Call()", "A A.B A.B.Type"},
		{"A.B.c.D", "A A.B"},
		{"global::A.B using C = D;", "A A.B C D"},
		{"this.Field base.Field", ""},
		{"@class @Type @ $", "Type"},
		{"0x1F 1e10 1L 1_000m Code", "Code"},
		{"\xef\xbb\xbfA é", "A é"},
		{"}}}} Code", "Code"},
	} {
		if got := strings.Join(identifiers([]byte(c.src)), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.src, got, c.want)
		}
	}
}

func FuzzIdentifiers(f *testing.F) {
	for _, seed := range []string{"class A { A.B.C c; }", `$"{a}"`, `$$"""{{a}}"""`, `@"""`, "'\\", "/*", "#if", strings.Repeat(`$"{`, 100)} {
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
			if word == "" || strings.ContainsAny(word, " \t\n\"'/{") || !strings.Contains(string(src), word) {
				t.Errorf("%q is no word of %q", word, src)
			}
		}
	})
}

package spdx

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"MIT":                                   "MIT",
		" MIT ":                                 "MIT",
		"(MIT)":                                 "MIT",
		"MIT OR Apache-2.0":                     "Apache-2.0 OR MIT",
		"mit or mit":                            "mit",
		"MIT AND (Apache-2.0 OR ISC)":           "(Apache-2.0 OR ISC) AND MIT",
		"MIT AND Apache-2.0 OR ISC":             "Apache-2.0 AND MIT OR ISC",
		"GPL-2.0+ WITH Classpath-exception-2.0": "GPL-2.0+ WITH Classpath-exception-2.0",
		"A AND (B AND C)":                       "A AND B AND C",
		"LicenseRef-x":                          "LicenseRef-x",
		"DocumentRef-a:LicenseRef-b":            "DocumentRef-a:LicenseRef-b",
		"B OR(A)":                               "A OR B",
		strings.Repeat("(", 30) + "A" + strings.Repeat(")", 30): "A",
	} {
		e, err := Parse(text)
		if err != nil || e.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, e, err, want)
		}
	}
	for text, says := range map[string]string{
		"":             "ends where a licence is due",
		"MIT OR":       "ends where a licence is due",
		"OR MIT":       `"OR" is no licence`,
		"MIT Apache":   `"Apache" where the expression should end`,
		"(MIT":         "not closed",
		"MIT)":         `")" where`,
		"MIT/Apache":   "no licence identifier",
		"MIT WITH":     "ends where",
		"MIT WITH (a)": `"(" is no licence`,
		"+":            "no licence identifier",
		"see LICENSE.": "should end",
		strings.Repeat("(", 100) + "A" + strings.Repeat(")", 100): "too many",
		strings.Repeat("A OR ", 2000) + "A":                       "10001 bytes",
	} {
		if e, err := Parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %q, %v; want an error that says %s", text, e, err, says)
		}
	}
}

func TestAccepts(t *testing.T) {
	for _, test := range []struct {
		list, text string
		want       bool
	}{
		{"MIT", "MIT", true},
		{"mit", "MIT", true},
		{"MIT", "ISC", false},
		{"MIT", "MIT OR GPL-3.0-only", true},
		{"MIT", "MIT AND ISC", false},
		{"MIT,ISC", "MIT AND ISC", true},
		{"MIT", "MIT AND (ISC OR MIT)", true},
		{"MIT", "(MIT AND ISC) OR Zlib", false},
		{"GPL-2.0-only", "GPL-2.0", true},
		{"GPL-2.0", "GPL-2.0-only", true},
		{"GPL-2.0-only", "GPL-2.0-or-later", true},
		{"GPL-2.0-only", "GPL-2.0+", true},
		{"GPL-2.0-or-later", "GPL-2.0-only", false},
		{"GPL-3.0-only", "GPL-2.0-or-later", false},
		{"Apache-2.0", "Apache-2.0 WITH LLVM-exception", false},
		{"Apache-2.0 WITH llvm-exception", "Apache-2.0 WITH LLVM-exception", true},
		{"Apache-2.0 WITH LLVM-exception", "Apache-2.0", false},
		{"", "MIT", false},
	} {
		var ids []string
		if test.list != "" {
			ids = strings.Split(test.list, ",")
		}
		l, err := NewList(ids)
		e, err2 := Parse(test.text)
		if err != nil || err2 != nil || l.Accepts(e) != test.want {
			t.Errorf("%+v: %v %v %v", test, l.Accepts(e), err, err2)
		}
	}
	if (List{}).Accepts(Expr{}) {
		t.Error("no licence was accepted")
	}
	for _, bad := range []string{"MIT OR ISC", "", "a b"} {
		if _, err := NewList([]string{bad}); err == nil {
			t.Errorf("%q in a list", bad)
		}
	}
}

func TestSame(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"MIT", "mit", true},
		{"GPL-3.0", "GPL-3.0-or-later", true},
		{"GPL-3.0", "GPL-2.0", false},
		{"MIT OR Apache-2.0", "Apache-2.0 OR MIT", true},
		{"MIT OR Apache-2.0", "Apache-2.0 AND MIT", false},
		{"GPL-2.0-only WITH x", "GPL-2.0-only", false},
	} {
		a, _ := Parse(test.a)
		b, _ := Parse(test.b)
		if Same(a, b) != test.want {
			t.Errorf("%+v", test)
		}
	}
}

func TestJoin(t *testing.T) {
	mit, isc := Licence("MIT"), Licence("ISC")
	for want, got := range map[string]Expr{
		"":                          And(),
		"MIT":                       And(mit, Expr{}, mit),
		"ISC AND MIT":               And(mit, isc),
		"ISC OR MIT":                Or(mit, isc, mit),
		"GPL-2.0+ AND (ISC OR MIT)": And(Or(mit, isc), Licence("GPL-2.0+")),
	} {
		if got.String() != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"MIT OR (Apache-2.0 AND GPL-2.0+ WITH x)", "((a))", "a AND b OR c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != e.String() {
			t.Errorf("%q is written %q and read as %q, %v", s, e, again, err)
		}
	})
}

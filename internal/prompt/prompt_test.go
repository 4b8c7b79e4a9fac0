package prompt

import (
	"strings"
	"testing"
	"testing/fstest"
	"testing/quick"
)

const sample = "---\nname: describe\nversion: 3\n---\n\nDescribe {{.Name}}.\n{{range .Leaked}}Do not say {{.}}.\n{{end}}\n"

func parseOK(t *testing.T, text string) *Template {
	t.Helper()
	p, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRender(t *testing.T) {
	p := parseOK(t, sample)
	got, err := p.Render(map[string]any{"Name": "f", "Leaked": []string{"x", "<y>"}})
	if want := "Describe f.\nDo not say x.\nDo not say <y>."; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if _, err := p.Render(map[string]any{"Name": "f"}); err == nil || !strings.Contains(err.Error(), "describe/3") {
		t.Errorf("missing data: %v", err)
	}
}

func TestIdentity(t *testing.T) {
	p := parseOK(t, sample)
	if want := "describe/3#"; !strings.HasPrefix(p.Identity(), want) || len(p.Identity()) != len(want)+12 {
		t.Errorf("identity %s", p.Identity())
	}
	if other := parseOK(t, sample+"One word more."); other.Digest == p.Digest {
		t.Error("the text does not change the digest")
	}
	if other := parseOK(t, strings.Replace(sample, "version: 3", "version: 4", 1)); other.Digest != p.Digest || other.Identity() == p.Identity() {
		t.Error("the version belongs to the identity, not to the digest")
	}
}

// What is filled in stands in the prompt as it is: nothing is escaped.
func TestDataIsVerbatim(t *testing.T) {
	p := parseOK(t, "---\nname: p\nversion: 1\n---\n[{{.X}}]")
	if err := quick.Check(func(s string) bool {
		got, err := p.Render(map[string]any{"X": s})
		return err == nil && got == "["+s+"]"
	}, nil); err != nil {
		t.Error(err)
	}
}

func TestParseErrors(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"no head":       {"Say x.", "head"},
		"open head":     {"---\nname: p\nversion: 1\nSay x.", "head"},
		"no name":       {"---\nversion: 1\n---\nx", "name"},
		"no version":    {"---\nname: p\n---\nx", "version"},
		"unknown field": {"---\nname: p\nversion: 1\nmodel: x\n---\nx", "model"},
		"bad template":  {"---\nname: p\nversion: 1\n---\n{{if}}\n", "missing value for if"},
	} {
		if _, err := Parse([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
}

func TestMustLoad(t *testing.T) {
	files := fstest.MapFS{"good.tmpl": {Data: []byte(sample)}, "bad.tmpl": {Data: []byte("x")}}
	if p := MustLoad(files, "good.tmpl"); p.Name != "describe" || p.Version != 3 {
		t.Errorf("%+v", p)
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "bad.tmpl") {
			t.Errorf("recovered %v", r)
		}
	}()
	MustLoad(files, "bad.tmpl")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("---\nname: a\nversion: 1\n---\n{{.X"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		if p.Name == "" || p.Version < 1 || p.Digest == "" {
			t.Errorf("accepted %q as %+v", text, p)
		}
		if again, err := Parse(text); err != nil || again.Identity() != p.Identity() {
			t.Error("another identity the second time")
		}
	})
}

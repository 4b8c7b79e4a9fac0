package extractive

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"benchmill/pipeline"
)

var update = flag.Bool("update", false, "rewrite the descriptions in testdata")

// subjectOf reads the subject and the wanted description of a case.
func subjectOf(a *txtar.Archive) (subject map[string]string, want string) {
	subject = map[string]string{}
	for _, f := range a.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		subject[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
	}
	return subject, want
}

func identifiersOf(subject map[string]string) []string {
	ids := []string{subject[KeyName]}
	for _, key := range []string{KeyParams, KeyLocals, KeyAvoid} {
		for _, id := range list(subject[key]) {
			if id != "self" && id != "this" {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// parts of a description with their labels.
func parts(d Description) map[string]string {
	return map[string]string{"purpose": d.Purpose, "input": d.Input, "output": d.Output, "procedure": d.Procedure}
}

func TestDescribe(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	seen := map[string]string{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			subject, want := subjectOf(archive)
			d := Describe(subject)
			got := Model + "\n" + d.Lines() + "\n"
			if *update {
				rewrite(t, file, archive, got)
			} else if got != want {
				t.Errorf("described otherwise (raise the version in Model, then -update):\n%s\nwant:\n%s", got, want)
			}
			checkDescription(t, subject, d)
			if other, ok := seen[d.JSON()]; ok {
				t.Errorf("described exactly as %s", other)
			}
			seen[d.JSON()] = file
		})
	}
}

func rewrite(t *testing.T, file string, a *txtar.Archive, got string) {
	kept := a.Files[:0]
	for _, f := range a.Files {
		if f.Name != "want" {
			kept = append(kept, f)
		}
	}
	a.Files = append(kept, txtar.File{Name: "want", Data: []byte(got)})
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkDescription holds for every subject there is.
func checkDescription(t *testing.T, subject map[string]string, d Description) {
	t.Helper()
	banned := newBanned(identifiersOf(subject)...)
	for label, text := range parts(d) {
		if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\n\r\x00") {
			t.Errorf("%s is empty or has line breaks: %q", label, text)
		}
		for _, tok := range tokenize(text) {
			if tok.word && banned.has(tok.text) {
				t.Errorf("%s uses %q: %s", label, tok.text, text)
			}
		}
	}
	if again := Describe(subject); again != d {
		t.Errorf("described otherwise the second time: %v and %v", d, again)
	}
}

var fourParts = json.RawMessage(`{"type":"object","properties":{"purpose":{"type":"string"}},"required":["purpose","input","output","procedure"]}`)

func TestComplete(t *testing.T) {
	subject := map[string]string{KeyCode: "def f(x):\n    return x + 1\n", KeyName: "f", KeyParams: "x"}
	for _, test := range []struct {
		name   string
		req    pipeline.Request
		starts string
		fails  string
	}{
		{"structured", pipeline.Request{Subject: subject, Schema: fourParts}, `{"purpose":"`, ""},
		{"lines", pipeline.Request{Subject: subject}, "**Purpose**: ", ""},
		{"no code", pipeline.Request{Subject: map[string]string{KeyDoc: "Adds one."}}, "", "no code"},
		{"another question", pipeline.Request{Subject: subject, Schema: json.RawMessage(`{"required":["is_qa"]}`)}, "", `the schema wants "is_qa"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			reply, err := New().Complete(t.Context(), test.req)
			if test.fails != "" {
				if err == nil || !strings.Contains(err.Error(), test.fails) || pipeline.ClassOf(err) != pipeline.Permanent {
					t.Fatalf("error %v, want a permanent one with %q", err, test.fails)
				}
				return
			}
			if err != nil || !strings.HasPrefix(reply.Text, test.starts) {
				t.Fatalf("reply %q, error %v", reply.Text, err)
			}
			if reply.Origin != pipeline.OriginExtractive || reply.Model != Model || reply.Finish != "stop" || reply.InputTokens+reply.OutputTokens+reply.CostMicroUSD != 0 {
				t.Errorf("reply %+v", reply)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Complete(ctx, pipeline.Request{Subject: subject}); pipeline.ClassOf(err) != pipeline.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

func TestJSONIsTheDescription(t *testing.T) {
	d := Description{Purpose: `a "b" <c>`, Input: "é", Output: "x", Procedure: "y"}
	var back Description
	if err := json.Unmarshal([]byte(d.JSON()), &back); err != nil || back != d {
		t.Fatalf("%s: %v", d.JSON(), err)
	}
	if strings.Contains(d.JSON(), `\u003c`) {
		t.Errorf("escaped for HTML: %s", d.JSON())
	}
}

// Foreign code must not take long, however it nests.
func TestHostileCodeEndsSoon(t *testing.T) {
	for name, code := range map[string]string{
		"brackets": "int f(int a) { return " + strings.Repeat("(", 30000) + "a" + strings.Repeat(")", 30000) + "; }",
		"braces":   "int f(int a) " + strings.Repeat("{", 30000),
		"ifs":      "int f(int a) { " + strings.Repeat("if (a) ", 9000) + "return 1; }",
		"lengths":  "int f(int a) { return " + strings.Repeat("len(", 9000) + "a" + strings.Repeat(")", 9000) + "; }",
		"choices":  "int f(int a) { return " + strings.Repeat("a ? ", 9000) + "1" + strings.Repeat(" : 2", 9000) + "; }",
		"indented": "def f(a):\n" + nestedPython(300),
		"quotes":   "def f(a):\n  return " + strings.Repeat(`"'`, 20000),
		"bytes":    "f(a) { \xff\xfe\x00 return a }",
	} {
		t.Run(name, func(t *testing.T) {
			subject := map[string]string{KeyCode: code, KeyName: "f", KeyParams: "a"}
			begun := time.Now()
			d := Describe(subject)
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			checkDescription(t, subject, d)
			if len(d.Lines()) > 20000 {
				t.Errorf("%d bytes long", len(d.Lines()))
			}
		})
	}
}

func nestedPython(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i+1) + "for x in a:\n")
	}
	return b.String() + strings.Repeat(" ", depth+1) + "return x\n"
}

func FuzzDescribe(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		s, _ := subjectOf(archive)
		f.Add(s[KeyCode], s[KeyDoc], s[KeyName], s[KeyParams], s[KeyLocals], s[KeySignature], s[KeyReturns])
	}
	f.Fuzz(func(t *testing.T, code, doc, name, params, locals, signature, returns string) {
		subject := map[string]string{KeyCode: code, KeyDoc: doc, KeyName: name, KeyParams: params, KeyLocals: locals, KeySignature: signature, KeyReturns: returns}
		checkDescription(t, subject, Describe(subject))
	})
}

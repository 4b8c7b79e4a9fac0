package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// call runs a command in this process.
func call(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Main(context.Background(), args, &streams{strings.NewReader(""), &o, &e, false})
	return code, o.String(), e.String()
}

// TestHelp: every verb says what it does and shows how it is called.
func TestHelp(t *testing.T) {
	parser, err := kong.New(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	leaves := parser.Model.Leaves(true)
	if len(leaves) < 18 {
		t.Errorf("%d verbs", len(leaves))
	}
	for _, leaf := range leaves {
		var verb []string
		for _, w := range strings.Fields(leaf.Path()) {
			if !strings.HasPrefix(w, "<") && !strings.HasPrefix(w, "[") {
				verb = append(verb, w)
			}
		}
		name := strings.Join(verb, " ")
		code, out, errs := call(append(verb, "--help")...)
		if code != exitOK || errs != "" {
			t.Errorf("%s --help: exit code %d, %s", name, code, errs)
		}
		if leaf.Help == "" || !strings.Contains(out, leaf.Help) {
			t.Errorf("%s: no description in\n%s", name, out)
		}
		_, example, ok := strings.Cut(out, "\nExample:\n")
		if !ok || !strings.Contains(example, "  benchmill "+name) {
			t.Errorf("%s: no example in\n%s", name, out)
		}
		for _, flag := range leaf.Flags {
			if flag.Help == "" {
				t.Errorf("%s: --%s is not explained", name, flag.Name)
			}
		}
		if !leaf.Hidden && leaf.Help != "" && !strings.HasSuffix(leaf.Help, ".") {
			t.Errorf("%s: the description is no sentence: %s", name, leaf.Help)
		}
	}
}

// TestJSON: every verb that can print for machines has the same flag for it.
func TestJSON(t *testing.T) {
	parser, err := kong.New(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range parser.Model.Leaves(true) {
		found := false
		for _, flag := range leaf.Flags {
			found = found || flag.Name == "json"
		}
		if !found {
			t.Errorf("%s has no --json", leaf.Path())
		}
	}
}

// TestExamples calls every line of every example as far as its flags and
// arguments go.
func TestExamples(t *testing.T) {
	parser, err := kong.New(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, leaf := range parser.Model.Leaves(true) {
		e, ok := leaf.Target.Addr().Interface().(interface{ Example() string })
		if !ok {
			continue // TestHelp tells
		}
		for _, line := range strings.Split(e.Example(), "\n") {
			line, ok := strings.CutPrefix(line, "  benchmill ")
			if !ok {
				continue
			}
			lines++
			line, _, _ = strings.Cut(line, "   ") // what it does
			line, _, _ = strings.Cut(line, " | ")
			line, _, _ = strings.Cut(line, " && ")
			line, _, _ = strings.Cut(line, " > ")
			fresh, err := kong.New(&cli{}, kong.Exit(func(int) {}))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fresh.Parse(strings.Fields(line)); err != nil {
				t.Errorf("example of %s: benchmill %s: %v", leaf.Path(), line, err)
			}
		}
	}
	if lines < 18 {
		t.Errorf("%d lines of examples", lines)
	}
}

// TestTerminal has progress bars on while a run finds its objects damaged, some
// of them only when it makes the release and starts over. A quarantined
// repository leaves bars that never get to their end.
func TestTerminal(t *testing.T) {
	dir := small(t)
	list := filepath.Join(dir, "repositories.yaml")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, []byte("  - {repo: own/gone, url: ./gone, commit: \"1111111111111111111111111111111111111111\", language: python}\n")...)
	if err := os.WriteFile(list, text, 0o644); err != nil {
		t.Fatal(err)
	}
	run := func() (int, string, string) {
		var o, e bytes.Buffer
		args := []string{"run", "-f", filepath.Join(dir, "pipeline.yaml")}
		code := Main(context.Background(), args, &streams{strings.NewReader(""), &o, &e, true})
		return code, o.String(), e.String()
	}
	if code, _, errs := run(); code != exitQuarantined {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	objects := filepath.Join(dir, ".benchmill", "objects")
	for name := range contents(t, objects) {
		if err := os.Chmod(filepath.Join(objects, name), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(objects, name), []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, ".benchmill", "releases")); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run(); code != exitQuarantined || !strings.Contains(out, "demo 1.0.0 (new): 10 rows") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
}

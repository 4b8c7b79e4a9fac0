package langtest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/stages/lang"
)

var update = flag.Bool("update", false, "write the golden sections of testdata/*.txtar")

const wanted = "want/"

// A repository is one golden archive.
type repository struct {
	file    string // on disk
	archive *txtar.Archive
	entry   string
	lossy   []string
	want    []string // sections
}

func readGoldens(t testing.TB) []*repository {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no testdata/*.txtar: a language needs golden archives")
	}
	var out []*repository
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := &repository{file: file, archive: archive, want: []string{"facts", "dependencies", "order", "names"}}
		for line := range strings.Lines(string(archive.Comment)) {
			switch key, value, _ := strings.Cut(strings.TrimSpace(line), ": "); key {
			case "entry":
				r.entry = value
			case "want":
				r.want = strings.Fields(value)
			case "lossy":
				r.lossy = strings.Fields(value)
			}
		}
		out = append(out, r)
	}
	return out
}

// sources are the files of the language in all archives.
func sources(l *lang.Language, repositories []*repository) []file {
	var out []file
	for _, r := range repositories {
		out = append(out, r.sources(l)...)
	}
	return out
}

func (r *repository) sources(l *lang.Language) []file {
	var out []file
	for _, f := range r.archive.Files {
		if !strings.HasPrefix(f.Name, wanted) && l.Syntax(f.Name) != nil && (r.entry == "" || strings.HasPrefix(f.Name, r.entry+"/")) {
			out = append(out, file{f.Name, f.Data, filepath.Base(r.file), slices.Contains(r.lossy, f.Name)})
		}
	}
	return out
}

func (r *repository) config(l *lang.Language) map[string]string {
	out := map[string]string{}
	for _, f := range r.archive.Files {
		if !strings.HasPrefix(f.Name, wanted) && l.IsConfig(f.Name) {
			out[f.Name] = string(f.Data)
		}
	}
	return out
}

func (r *repository) index(t testing.TB, l *lang.Language) *lang.Index {
	t.Helper()
	var facts []*lang.Facts
	for _, file := range r.sources(l) {
		f, err := l.Analyze(file.path, file.src, limits)
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, f)
	}
	return lang.NewIndex(r.entry, facts, r.config(l))
}

func goldens(t *testing.T, l *lang.Language, repositories []*repository) {
	for _, r := range repositories {
		t.Run(strings.TrimSuffix(filepath.Base(r.file), ".txtar"), func(t *testing.T) {
			got := r.sections(t, l)
			if *update {
				r.write(t, got)
				return
			}
			stale := map[string]bool{}
			for _, f := range r.archive.Files {
				stale[f.Name] = strings.HasPrefix(f.Name, wanted)
			}
			for _, section := range got {
				delete(stale, section.Name)
				at := slices.IndexFunc(r.archive.Files, func(f txtar.File) bool { return f.Name == section.Name })
				if at < 0 {
					t.Errorf("%s has no %s; write it with -update and read it", r.file, section.Name)
				} else if want := r.archive.Files[at].Data; !bytes.Equal(want, section.Data) {
					t.Errorf("%s: %s differs\n%s", r.file, section.Name, difference(want, section.Data))
				}
			}
			for name, is := range stale {
				if is {
					t.Errorf("%s: %s is wanted by nobody", r.file, name)
				}
			}
		})
	}
}

func (r *repository) write(t *testing.T, sections []txtar.File) {
	files := slices.DeleteFunc(slices.Clone(r.archive.Files), func(f txtar.File) bool { return strings.HasPrefix(f.Name, wanted) })
	updated := txtar.Format(&txtar.Archive{Comment: r.archive.Comment, Files: append(files, sections...)})
	if err := os.WriteFile(r.file, updated, 0o644); err != nil {
		t.Fatal(err)
	}
}

// difference shows the lines that only one side has.
func difference(want, got []byte) string {
	wants, gots := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	var b strings.Builder
	for _, line := range wants {
		if !slices.Contains(gots, line) {
			fmt.Fprintln(&b, "-", line)
		}
	}
	for _, line := range gots {
		if !slices.Contains(wants, line) {
			fmt.Fprintln(&b, "+", line)
		}
	}
	if b.Len() == 0 {
		return "the same lines in another order, or repeated"
	}
	return b.String()
}

// sections are the golden sections as they should be.
func (r *repository) sections(t *testing.T, l *lang.Language) []txtar.File {
	ix := r.index(t, l)
	dependencies := map[string][]string{}
	if l.NewResolver != nil {
		resolver := l.NewResolver(ix)
		for _, p := range ix.Paths {
			dependencies[p] = resolver.Dependencies(ix.Files[p])
			checkDependencies(t, ix, p, dependencies[p])
		}
	}
	src := map[string][]byte{}
	for _, f := range r.archive.Files {
		src[f.Name] = f.Data
	}
	var out []txtar.File
	for _, name := range r.want {
		var b bytes.Buffer
		for _, p := range ix.Paths {
			switch name {
			case "facts":
				writeFacts(&b, ix.Files[p], src[p])
			case "dependencies":
				fmt.Fprintf(&b, "%s -> %s\n", p, strings.Join(dependencies[p], " "))
			case "names":
				writeNames(&b, l, ix.Files[p], src[p])
			case "order":
			default:
				t.Fatalf("%s: no section is called %q", r.file, name)
			}
		}
		if name == "order" {
			for _, p := range lang.Order(ix.Paths, dependencies) {
				fmt.Fprintln(&b, p)
			}
		}
		out = append(out, section(wanted+name, b.String()))
	}
	for _, p := range strings.Fields(string(src["strip"])) {
		if !ix.Has(p) {
			t.Fatalf("%s: strip lists %s, which is no source", r.file, p)
		}
		out = append(out, section(wanted+"stripped/"+p, lang.StripComments(string(src[p]), ix.Files[p].Comments, nil)))
	}
	return out
}

// section makes lines end without blanks and the text with a line break, as the
// archive's format and editors want them.
func section(name, text string) txtar.File {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \t\n") + "\n")
	}
	return txtar.File{Name: name, Data: []byte(b.String())}
}

func writeFacts(b *bytes.Buffer, f *lang.Facts, src []byte) {
	fmt.Fprintf(b, "%s: %d bytes, %d lines", f.Path, f.Bytes, f.Lines)
	if f.ErrorShare > 0 {
		fmt.Fprintf(b, ", %.3f in errors", f.ErrorShare)
	}
	b.WriteByte('\n')
	if f.Module != "" {
		fmt.Fprintf(b, "\tmodule %s\n", f.Module)
	}
	for _, im := range f.Imports {
		fmt.Fprintf(b, "\timport %s %q", im.Kind, im.Path)
		if len(im.Names) > 0 {
			fmt.Fprintf(b, " names %s", strings.Join(im.Names, " "))
		}
		if im.Level != 0 {
			fmt.Fprintf(b, " level %d", im.Level)
		}
		b.WriteByte('\n')
	}
	for _, fn := range f.Functions {
		fmt.Fprintf(b, "\tfunction %s lines %d-%d bytes %d-%d comments %d\n", fn.Name, fn.StartLine, fn.EndLine, fn.Start, fn.End, fn.CommentBytes)
	}
	for _, c := range f.Comments {
		fmt.Fprintf(b, "\tcomment %d-%d %q\n", c.Start, c.End, src[c.Start:c.End])
	}
	if len(f.Declares) > 0 {
		fmt.Fprintf(b, "\tdeclares %s\n", strings.Join(f.Declares, " "))
	}
	if len(f.Identifiers) > 0 {
		fmt.Fprintf(b, "\tidentifiers %s\n", strings.Join(f.Identifiers, " "))
	}
}

func writeNames(b *bytes.Buffer, l *lang.Language, f *lang.Facts, src []byte) {
	for _, fn := range f.Functions {
		if l.Names == nil {
			continue
		}
		n, ok := names(l, f.Path, src[fn.Start:fn.End])
		if !ok {
			fmt.Fprintf(b, "%s %s: not a function by itself\n", f.Path, fn.Name)
			continue
		}
		fmt.Fprintf(b, "%s %s: params [%s] locals [%s]\n", f.Path, n.Name, strings.Join(n.Params, " "), strings.Join(n.Locals, " "))
	}
}

// checkDependencies reports what breaks the promises of [lang.Resolver].
func checkDependencies(t testing.TB, ix *lang.Index, self string, dependencies []string) {
	t.Helper()
	for i, d := range dependencies {
		if !ix.Has(d) {
			t.Errorf("%s depends on %q, which is not in the index", self, d)
		}
		if d == self {
			t.Errorf("%s depends on itself", self)
		}
		if i > 0 && dependencies[i-1] >= d {
			t.Errorf("dependencies of %s are not ascending and unique: %q", self, dependencies)
		}
	}
}

// Package langtest is the conformance suite of [lang.Language]: what every
// language promises, checked over its own golden archives, over the sample
// repositories, and over inputs nobody would write.
//
// A language's test is three lines:
//
//	func TestLanguage(t *testing.T)      { langtest.Run(t, Language()) }
//	func BenchmarkAnalyze(b *testing.B)  { langtest.Bench(b, Language()) }
//	func BenchmarkParseOnly(b *testing.B) { langtest.BenchParseOnly(b, Language()) }
//
// # Golden archives
//
// Every testdata/*.txtar of the language's folder is a tiny repository. A file
// with a suffix of the language is a source, one the language calls a config
// file is a config, others are ignored. The text above the first file may hold
// these lines beside free words:
//
//	entry: src             the entry directory; sources outside are left out
//	want: facts names      the sections to keep, of those below; all by default
//	lossy: a.py b.py       files whose functions do not survive StripComments
//
// The flag -update writes the golden sections, which always come last:
//
//	want/facts             what Analyze says of each file
//	want/dependencies      what the resolver says of each file
//	want/order             the files in dependency order
//	want/names             what Names says of each function's own text
//	want/stripped/<path>   StripComments of each path listed in a file "strip"
package langtest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// limits are those of every parse here but the ones that test limits.
var limits = treesitter.DefaultLimits

// Run checks a language against the contract. It reads the testdata folder of
// the package under test.
func Run(t *testing.T, l *lang.Language) {
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	t.Run("contract", func(t *testing.T) { contract(t, l) })
	repositories := readGoldens(t)
	t.Run("golden", func(t *testing.T) { goldens(t, l, repositories) })
	files := append(sources(l, repositories), samples(t, l)...)
	if len(files) == 0 {
		t.Fatal("no source file of the language in testdata")
	}
	t.Run("facts", func(t *testing.T) { plausible(t, l, files) })
	t.Run("pruning", func(t *testing.T) { pruning(t, l, files) })
	t.Run("stripping", func(t *testing.T) { stripping(t, l, files) })
	t.Run("concurrency", func(t *testing.T) { concurrency(t, l, files) })
	t.Run("hostile", func(t *testing.T) { hostile(t, l, files) })
	if l.NewResolver != nil {
		t.Run("resolver", func(t *testing.T) { hostileImports(t, l, repositories) })
	}
}

func contract(t *testing.T, l *lang.Language) {
	if err := l.Compile(); err != nil {
		t.Errorf("second Compile: %v", err)
	}
	if a, b := l.Identity(), l.Identity(); a != b {
		t.Errorf("Identity differs from call to call: %s, %s", a, b)
	}
	raised := *l
	raised.Version++
	if raised.Identity() == l.Identity() {
		t.Error("Identity does not depend on Version")
	}
	seen := map[string]bool{}
	for _, s := range l.Syntaxes {
		if s.Source == "" || len(s.Suffixes) == 0 {
			t.Errorf("syntax %s: no query or no suffixes", s.Grammar.Name)
		}
		for _, suffix := range s.Suffixes {
			if suffix == "" || suffix[0] != '.' {
				t.Errorf("suffix %q does not start with a dot", suffix)
			}
			if seen[suffix] {
				t.Errorf("suffix %q is listed twice", suffix)
			}
			seen[suffix] = true
			if l.Syntax("folder/file"+suffix) != s {
				t.Errorf("suffix %q is hidden by another one", suffix)
			}
		}
	}
	if l.Syntax("folder/file.none") != nil {
		t.Error("a path of no language has a syntax")
	}
	if _, err := l.Analyze("folder/file.none", nil, limits); err == nil {
		t.Error("a path of no language was analysed")
	}
	comment := l.CommentPrefix + " words\n"
	f, err := l.Analyze("file"+l.Syntaxes[0].Suffixes[0], []byte(comment), limits)
	if err != nil || len(f.Comments) != 1 || f.Comments[0].Start != 0 || f.Comments[0].End < len(comment)-1 {
		t.Errorf("%q is not one comment: %+v, %v", comment, f, err)
	}
}

// plausible checks what must hold for facts of any file.
func plausible(t *testing.T, l *lang.Language, files []file) {
	for _, file := range files {
		f, err := l.Analyze(file.path, file.src, limits)
		if err != nil {
			t.Error(err)
			continue
		}
		check(t, file, f)
		if l.Names == nil {
			continue
		}
		for _, fn := range f.Functions {
			n, ok := names(l, file.path, file.src[fn.Start:fn.End])
			if ok && n.Name != fn.Name {
				t.Errorf("%s: Names calls function %q %q", file.path, fn.Name, n.Name)
			}
			for _, name := range slices.Concat(n.Params, n.Locals) {
				if name == "" || !bytes.Contains(file.src[fn.Start:fn.End], []byte(name)) {
					t.Errorf("%s: function %s has no name %q", file.path, fn.Name, name)
				}
			}
		}
	}
}

// check reports what breaks the promises of [lang.Facts].
func check(t *testing.T, file file, f *lang.Facts) {
	t.Helper()
	fail := func(format string, args ...any) { t.Helper(); t.Errorf("%s: "+format, append([]any{file}, args...)...) }
	inside := func(what string, s lang.Span) {
		t.Helper()
		if s.Start < 0 || s.Start > s.End || s.End > len(file.src) {
			fail("%s %v is not inside the file of %d bytes", what, s, len(file.src))
		} else if !onRune(file.src, s.Start) || !onRune(file.src, s.End) {
			fail("%s %v cuts a rune", what, s)
		}
	}
	if f.Path != file.path || f.Bytes != len(file.src) || f.Lines != 1+bytes.Count(file.src, []byte("\n")) {
		fail("path %q, %d bytes, %d lines", f.Path, f.Bytes, f.Lines)
	}
	if f.ErrorShare < 0 || f.ErrorShare > 1 {
		fail("error share %v", f.ErrorShare)
	}
	last := lang.Function{Span: lang.Span{Start: -1}}
	for _, fn := range f.Functions {
		inside("function "+fn.Name, fn.Span)
		if fn.Name == "" {
			fail("function without a name at %d", fn.Start)
		}
		if fn.Start < last.Start || fn.Start == last.Start && fn.End >= last.End {
			fail("function %s %v comes after %s %v", fn.Name, fn.Span, last.Name, last.Span)
		}
		if fn.StartLine < 0 || fn.StartLine >= fn.EndLine || fn.EndLine > f.Lines {
			fail("function %s: lines %d-%d of %d", fn.Name, fn.StartLine, fn.EndLine, f.Lines)
		}
		if fn.CommentBytes < 0 || fn.CommentBytes > fn.End-fn.Start {
			fail("function %s: %d comment bytes", fn.Name, fn.CommentBytes)
		}
		last = fn
	}
	end := 0
	for _, c := range f.Comments {
		inside("comment", c)
		if c.Start < end || c.Start == c.End {
			fail("comment %v is empty or overlaps one that ends at %d", c, end)
		}
		end = c.End
	}
	for name, words := range map[string][]string{"identifiers": f.Identifiers, "declares": f.Declares} {
		if !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
			fail("%s are not ascending and unique: %q", name, words)
		}
	}
	encoded, err := json.Marshal(f)
	if err != nil {
		fail("%v", err)
		return
	}
	var decoded lang.Facts
	if err := json.Unmarshal(encoded, &decoded); err != nil {
		fail("%v", err)
	} else if again, err := json.Marshal(decoded); err != nil || !bytes.Equal(again, encoded) {
		fail("facts do not survive JSON: %v", err)
	}
}

func onRune(src []byte, at int) bool { return at == len(src) || utf8.RuneStart(src[at]) }

// pruning proves the Texts and Starts of each syntax: skipping subtrees without
// them must lose nothing.
func pruning(t *testing.T, l *lang.Language, files []file) {
	for _, file := range files {
		prunes(t, l, file)
		if !bytes.HasPrefix(file.src, bom) {
			prunes(t, l, file.with("with a BOM", slices.Concat(bom, file.src)))
		}
		for i := 1; i < 4; i++ {
			prunes(t, l, file.with("cut", file.src[:len(file.src)*i/4]))
		}
	}
}

func prunes(t *testing.T, l *lang.Language, file file) {
	t.Helper()
	s := l.Syntax(file.path)
	keep := s.Query().Keep
	pruned, err := treesitter.Parse(file.src, s.Grammar, keep, limits)
	if err != nil {
		t.Error(err)
		return
	}
	full, err := treesitter.Parse(file.src, s.Grammar, keep.Unpruned(), limits)
	if err != nil {
		t.Error(err)
		return
	}
	if pruned.ErrorBytes != full.ErrorBytes {
		t.Errorf("%s: %d bytes in errors, %d without pruning", file, pruned.ErrorBytes, full.ErrorBytes)
	}
	for i := range min(len(pruned.Nodes), len(full.Nodes)) {
		if pruned.Nodes[i] != full.Nodes[i] {
			n := full.Nodes[i]
			t.Errorf("%s:%d: pruning lost or changed %s %.40q", file, n.StartRow+1, full.Kind(int32(i)), full.Text(int32(i)))
			return
		}
	}
	if len(pruned.Nodes) < len(full.Nodes) {
		i := int32(len(pruned.Nodes))
		t.Errorf("%s:%d: pruning lost %s %.40q", file, full.Nodes[i].StartRow+1, full.Kind(i), full.Text(i))
	}
}

// stripping removes all comments of each file and looks at what is left.
func stripping(t *testing.T, l *lang.Language, files []file) {
	for _, file := range files {
		f, err := l.Analyze(file.path, file.src, limits)
		if err != nil {
			t.Error(err)
			continue
		}
		stripped := lang.StripComments(string(file.src), f.Comments, nil)
		again, err := l.Analyze(file.path, []byte(stripped), limits)
		if err != nil {
			t.Errorf("without comments: %v", err)
			continue
		}
		for _, c := range again.Comments {
			t.Errorf("%s: StripComments left %.40q", file, stripped[c.Start:c.End])
		}
		if a, b := functionNames(f), functionNames(again); !file.lossy && !slices.Equal(a, b) {
			t.Errorf("%s: StripComments changed the functions from %q to %q", file, a, b)
		}
		if all := lang.StripComments(string(file.src), f.Comments, func(string) bool { return true }); all != string(file.src) {
			t.Errorf("%s: StripComments that spares all comments changed the text", file)
		}
	}
}

func functionNames(f *lang.Facts) []string {
	var out []string
	for _, fn := range f.Functions {
		out = append(out, fn.Name)
	}
	return out
}

func concurrency(t *testing.T, l *lang.Language, files []file) {
	var want []*lang.Facts
	for _, file := range files {
		f, err := l.Analyze(file.path, file.src, limits)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, f)
	}
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range files {
				at := (i + worker*len(files)/8) % len(files)
				f, err := l.Analyze(files[at].path, files[at].src, limits)
				if err != nil || !reflect.DeepEqual(f, want[at]) {
					t.Errorf("%s: other facts when analysed again in parallel, %v", files[at], err)
					return
				}
				runtime.Gosched()
			}
		})
	}
	wait.Wait()
}

// names runs Language.Names on a function's own text, as descriptions do that
// know nothing but the text. It reports whether the text alone is a function.
func names(l *lang.Language, path string, text []byte) (lang.Names, bool) {
	s := l.Syntax(path)
	t, err := treesitter.Parse(text, s.Grammar, nil, limits)
	if err != nil || t.ErrorBytes > 0 {
		return lang.Names{}, false
	}
	at := treesitter.NoNode
	s.Query().Matches(t, func(m treesitter.Match) {
		fn, ok := m.Get("definition.function")
		if n := t.Nodes[max(fn, 0)]; ok && at == treesitter.NoNode && n.Start == 0 && int(n.End) == len(text) {
			at = fn
		}
	})
	if at == treesitter.NoNode {
		return lang.Names{}, false
	}
	return l.Names(t, at), true
}

package langtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

var bom = []byte("\xef\xbb\xbf")

// Bounds on one hostile input. The limits are far below the default ones, so
// that inputs of full length stay quick to test.
var hostileLimits = treesitter.Limits{MaxBytes: 128 << 10, MaxNodes: 1_000_000, Timeout: 2 * time.Second}

const hostileLine = 32 << 10 // bytes

const (
	hostileTime   = 20 * time.Second // of one input; most take milliseconds
	hostileMemory = 4 << 30          // of the whole process at its worst
)

// hostile analyses inputs nobody would write.
func hostile(t *testing.T, l *lang.Language, files []file) {
	sample := slices.MaxFunc(files, func(a, b file) int { return len(a.src) - len(b.src) })
	for _, file := range files {
		atStart(t, l, file)
	}
	tooLarge(t, l)
	deep := 10_000
	for _, s := range l.Syntaxes {
		suffix := s.Suffixes[0]
		var inserted file
		for _, file := range files {
			if l.Syntax(file.path) == s {
				inserted = file
			}
		}
		for _, in := range hostileTexts(hostileLine, deep) {
			survives(t, l, file{path: "file" + suffix, src: in.text, from: in.name})
		}
		deep = 1000 // further syntaxes of a language are much like its first
		middle := bytes.LastIndexByte(inserted.src[:len(inserted.src)/2], '\n') + 1
		for _, in := range hostileTexts(hostileLine/16, 500) {
			text := slices.Concat(inserted.src[:middle], in.text, inserted.src[middle:])
			in := file{path: "file" + suffix, src: text, from: in.name + " in a file"}
			if survives(t, l, in) != nil {
				prunes(t, l, in)
			}
		}
	}
	for i := range 16 {
		survives(t, l, sample.with(fmt.Sprintf("%d/16", i), sample.src[:len(sample.src)*i/16]))
	}
	if peak := peakMemory(); peak > hostileMemory {
		t.Errorf("peak memory %d MB", peak>>20)
	}
}

// survives analyses a file that may be refused, but only with a known reason.
func survives(t *testing.T, l *lang.Language, file file) *lang.Facts {
	t.Helper()
	start := time.Now()
	f, err := l.Analyze(file.path, file.src, hostileLimits)
	if took := time.Since(start); took > hostileTime {
		t.Errorf("%s took %s", file, took)
	}
	switch {
	case len(file.src) > hostileLimits.MaxBytes:
		if !errors.Is(err, treesitter.ErrTooLarge) {
			t.Errorf("%s: %v, want %v", file, err, treesitter.ErrTooLarge)
		}
	case !utf8.Valid(file.src):
		if !errors.Is(err, lang.ErrNotUTF8) {
			t.Errorf("%s: %v, want %v", file, err, lang.ErrNotUTF8)
		}
	case err == nil:
		check(t, file, f)
		binds(t, l, file)
		lang.StripComments(string(file.src), f.Comments, nil)
		return f
	case lang.Reason(err) == "parse_failed":
		t.Errorf("%s: %v", file, err)
	}
	return nil
}

// binds resolves the names of a file that stands alone, so that no use may come
// of it but those of itself.
func binds(t *testing.T, l *lang.Language, file file) {
	t.Helper()
	if l.Binding == nil {
		return
	}
	start := time.Now()
	bound, failed := l.BindAll([]lang.SourceFile{{Path: file.path, Text: string(file.src)}}, hostileLimits)
	for _, err := range failed {
		if r := lang.Reason(err); r == lang.ReasonTimeout || r == lang.ReasonTooLarge {
			continue // the whole tree is more than what facts need
		}
		t.Errorf("%s: facts but no bindings: %v", file, err)
	}
	for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
		for _, u := range l.Resolver(bound, nil, mode).Uses(file.path) {
			if u.Start < 0 || u.End > len(file.src) || u.Start >= u.End {
				t.Errorf("%s: a use of %q at %d to %d of %d bytes", file, u.Name, u.Start, u.End, len(file.src))
			}
		}
	}
	if took := time.Since(start); took > hostileTime {
		t.Errorf("%s: binding took %s", file, took)
	}
}

// tooLarge checks that a huge file is refused for its size, before its bytes
// are looked at: parsing it would take far longer.
func tooLarge(t *testing.T, l *lang.Language) {
	huge := bytes.Repeat([]byte("a"), 100<<20)
	start := time.Now()
	_, err := l.Analyze("file"+l.Syntaxes[0].Suffixes[0], huge, treesitter.DefaultLimits)
	if !errors.Is(err, treesitter.ErrTooLarge) || lang.Reason(err) != lang.ReasonTooLarge {
		t.Errorf("100 MB: %v", err)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("refusing 100 MB took %s", took)
	}
}

// atStart checks a byte order mark, which belongs to the file's bytes, so that
// offsets count it; and other ways to end a line.
func atStart(t *testing.T, l *lang.Language, file file) {
	t.Helper()
	if bytes.HasPrefix(file.src, bom) || bytes.Contains(file.src, []byte("\r")) || len(file.src) > hostileLimits.MaxBytes {
		return
	}
	plain := survives(t, l, file)
	marked := survives(t, l, file.with("with a BOM", slices.Concat(bom, file.src)))
	crlf := survives(t, l, file.with("with CRLF", bytes.ReplaceAll(file.src, []byte("\n"), []byte("\r\n"))))
	survives(t, l, file.with("with lone CR", bytes.ReplaceAll(file.src, []byte("\n"), []byte("\r"))))
	if plain == nil || marked == nil || crlf == nil {
		t.Errorf("%s was refused", file)
		return
	}
	if len(marked.Functions) != len(plain.Functions) || len(crlf.Functions) != len(plain.Functions) {
		t.Errorf("%s: %d functions, %d with a BOM, %d with CRLF", file, len(plain.Functions), len(marked.Functions), len(crlf.Functions))
		return
	}
	for i, fn := range plain.Functions {
		m, c := marked.Functions[i], crlf.Functions[i]
		if m.Name != fn.Name || m.End != fn.End+len(bom) || m.StartLine != fn.StartLine || m.EndLine != fn.EndLine || m.CommentBytes != fn.CommentBytes {
			t.Errorf("%s: function %+v is %+v with a BOM", file, fn, m)
		}
		if c.Name != fn.Name || c.StartLine != fn.StartLine || c.EndLine != fn.EndLine {
			t.Errorf("%s: function %+v is %+v with CRLF", file, fn, c)
		}
	}
}

type hostileText struct {
	name string
	text []byte
}

// hostileTexts are lines of a length in bytes, and nests of a depth.
func hostileTexts(line, deep int) []hostileText {
	out := []hostileText{
		{"empty", nil},
		{"only a BOM", bom},
		{"two BOMs", slices.Concat(bom, bom)},
		{"invalid UTF-8", []byte("a\xff\xfeb\n")},
		{"surrogate halves", []byte("\xed\xa0\x80\n")},
		{"Latin-1", []byte("// caf\xe9\n")},
		{"NUL", []byte("\x00")},
		{"NULs in code", []byte("a\x00b (\x00) { \x00 }\n\x00")},
		{"too large by one byte", bytes.Repeat([]byte("a"), hostileLimits.MaxBytes+1)},
	}
	for _, s := range []string{"(", "[", "{", "<", "a", "a ", "a.", "a(", "\"", "'", "`", "\\", "/*", "//", "#", "\n", "\r", "\x00", "é", "=>", "\"\"\"", "\"${", "@a ", "@a, ", "-", "!", "? a : "} {
		out = append(out, hostileText{fmt.Sprintf("a line of %q", s), []byte(strings.Repeat(s, line/len(s)))})
	}
	for _, pair := range [][2]string{
		{"(", ")"}, {"[", "]"}, {"{", "}"}, {"f(", ")"}, {"{a:", "}"}, {"if (x) {", "}"}, {"if x {", "}"},
		{"a ? ", ": b"}, {"f<", ">"}, {"() => {", "}"}, {"class A {", "}"}, {"void f() {", "}"}, {"namespace a {", "}"},
		{"if (x) ", ";"}, {"else ", ""}, {"-", "1"}, {"lambda: ", "1"}, {"#if A\n", "\n#endif"}, {"/*", "*/"},
	} {
		out = append(out, hostileText{fmt.Sprintf("%d times %q", deep, pair[0]), []byte(strings.Repeat(pair[0], deep) + strings.Repeat(pair[1], deep))})
	}
	var indented strings.Builder
	for i := range min(deep, 400) { // the text grows with the square of the depth
		indented.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return append(out, hostileText{"indented blocks", []byte(indented.String() + strings.Repeat(" ", min(deep, 400)) + "pass\n")})
}

// hostileImports asks the resolver about imports nobody would write, and gives
// it config files that are damaged.
func hostileImports(t *testing.T, l *lang.Language, repositories []*repository) {
	for _, r := range repositories {
		ix := r.index(t, l)
		if len(ix.Paths) == 0 {
			continue
		}
		first, last := ix.Paths[0], ix.Paths[len(ix.Paths)-1]
		paths := []string{
			"", ".", "..", "/", "//", "*", "...", "../", "./", "../../../etc/passwd", "/etc/passwd", "a/../../b", "a\x00b", "\xff", "@", "~", "::", ".*", "a..b",
			`..\..\windows`, "C:/windows", "file:///etc/passwd", strings.Repeat("../", 1000) + "a", strings.Repeat("a.", 1000), strings.Repeat("a/", 1000),
			first, "./" + first, "../" + first, "/" + first, last, strings.TrimSuffix(last, l.Syntaxes[0].Suffixes[0]),
		}
		kinds := map[string]bool{"": true, "no such kind": true}
		var imports []lang.Import
		for _, p := range ix.Paths {
			for _, im := range ix.Files[p].Imports {
				kinds[im.Kind] = true
				imports = append(imports, im)
			}
		}
		for kind := range kinds {
			for _, p := range paths {
				imports = append(imports, lang.Import{Kind: kind, Path: p, Names: paths})
				for _, level := range []int{0, 1, 2, 50, -1} {
					imports = append(imports, lang.Import{Kind: kind, Path: p, Level: level})
				}
			}
		}
		resolver := l.NewResolver(ix)
		for _, p := range ix.Paths {
			f := *ix.Files[p]
			f.Imports, f.Identifiers, f.Module = imports, append(paths, f.Identifiers...), "../.."
			checkDependencies(t, ix, p, resolver.Dependencies(&f))
		}
		cyclic(t, l, ix, imports)
		for _, config := range damaged(l, r) {
			ix := lang.NewIndex(r.entry, facts(ix), config)
			resolver := l.NewResolver(ix)
			for _, p := range ix.Paths {
				checkDependencies(t, ix, p, resolver.Dependencies(ix.Files[p]))
			}
		}
	}
}

// cyclic builds an index in which every file has every import.
func cyclic(t *testing.T, l *lang.Language, ix *lang.Index, imports []lang.Import) {
	var all []*lang.Facts
	for _, f := range facts(ix) {
		g := *f
		g.Imports = imports
		all = append(all, &g)
	}
	tangled := lang.NewIndex(ix.Entry, all, ix.Config)
	resolver, again := l.NewResolver(tangled), l.NewResolver(tangled)
	dependencies := map[string][]string{}
	for _, p := range tangled.Paths {
		dependencies[p] = resolver.Dependencies(tangled.Files[p])
		checkDependencies(t, tangled, p, dependencies[p])
		if other := again.Dependencies(tangled.Files[p]); !slices.Equal(other, dependencies[p]) {
			t.Errorf("%s: two resolvers of one index say %q and %q", p, dependencies[p], other)
		}
	}
	order := lang.Order(tangled.Paths, dependencies)
	slices.Sort(order)
	if !slices.Equal(order, tangled.Paths) {
		t.Errorf("the order of tangled files is not a permutation: %q", order)
	}
}

func facts(ix *lang.Index) []*lang.Facts {
	var out []*lang.Facts
	for _, p := range ix.Paths {
		out = append(out, ix.Files[p])
	}
	return out
}

// damaged are config files of the language's kinds with contents that are not
// what they should be.
func damaged(l *lang.Language, r *repository) []map[string]string {
	var out []map[string]string
	for _, content := range []string{"", "\x00", "{", "[", "<", "null", "[]", "{}", "\xff\xfe", strings.Repeat("[", 10_000), strings.Repeat("<a>", 10_000)} {
		config := map[string]string{}
		for _, pattern := range l.ConfigFiles {
			name := strings.ReplaceAll(pattern, "*", "x")
			config[name], config["deep/er/"+name] = content, content
		}
		out = append(out, config)
	}
	for i := range 16 {
		config := map[string]string{}
		for p, content := range r.config(l) {
			config[p] = content[:len(content)*i/16]
		}
		if len(config) > 0 {
			out = append(out, config)
		}
	}
	return out
}

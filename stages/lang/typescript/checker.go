package typescript

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// Version history of the checker:
//
//	1: first version
const checkerVersion = 1

// newChecker asks tsc as appendix A.3 of CrossCodeEval does. One run sees every
// file three times: as it is, without its imports of the project, and with empty
// classes for them. The copies stand beside the files under names that nobody
// imports, so what a file still takes from others (exports from them, dynamic
// imports, global declarations) it takes from the files as they are.
func newChecker(l *lang.Language) *lang.Checker {
	return &lang.Checker{
		Version: checkerVersion, Tool: "tsc",
		Doc: "TS2304 and TS2552 (cannot find name) once the imports of the project are taken away; TS2339 and TS2551 " +
			"(property does not exist) once empty classes stand for what they bind. Of the file as it is nothing of that is reported.",
		Check: func(ctx context.Context, files []lang.SourceFile, run lang.Run) (map[string][]bind.Use, map[string]string, error) {
			c := check{uses: map[string][]bind.Use{}, skipped: map[string]string{}}
			if err := c.prepare(l, files); err != nil {
				return nil, nil, err
			}
			err := c.ask(ctx, run)
			return c.uses, c.skipped, err
		},
	}
}

// A variant is a copy of a file without what it imports from the project.
type variant int

const (
	original variant = iota
	removed          // nothing instead
	emptied          // empty classes instead
)

// Messages that count, by variant; those of the original do not.
var codes = map[variant]map[int]string{
	original: {2304: bind.KindName, 2552: bind.KindName, 2339: bind.KindMember, 2551: bind.KindMember},
	removed:  {2304: bind.KindName, 2552: bind.KindName},
	emptied:  {2339: bind.KindMember, 2551: bind.KindMember},
}

type check struct {
	sources []lang.SourceFile // in order of path
	names   map[string]copied // of all variants, by the path tsc sees
	texts   map[string]string // of all variants, by the path tsc sees
	uses    map[string][]bind.Use
	skipped map[string]string
}

type copied struct {
	path    string // of the file
	variant variant
}

// prepare makes the copies of all files that import from the project.
func (c *check) prepare(l *lang.Language, files []lang.SourceFile) error {
	config := map[string]string{}
	var facts []*lang.Facts
	for _, f := range files {
		if l.Syntax(f.Path) != nil {
			facts = append(facts, &lang.Facts{Path: f.Path})
		}
		if suffix(f.Path) != "" {
			c.sources = append(c.sources, f)
		} else if l.IsConfig(f.Path) {
			config[f.Path] = f.Text
		}
	}
	slices.SortFunc(c.sources, func(a, b lang.SourceFile) int { return cmp.Compare(a.Path, b.Path) })
	r := newResolver(lang.NewIndex("", facts, config)).(*resolver)
	c.names, c.texts = map[string]copied{}, map[string]string{}
	mark := unusedMark(c.sources)
	for _, f := range c.sources {
		t, err := l.ParseWhole(f.Path, []byte(f.Text), treesitter.DefaultLimits)
		if err != nil {
			c.skipped[f.Path] = lang.Reason(err)
			continue
		}
		c.add(f.Path, original, f.Path, f.Text)
		without, names := withoutImports(t, r.importer(f.Path))
		if without == f.Text {
			continue
		}
		stem, ext := strings.TrimSuffix(f.Path, suffix(f.Path)), suffix(f.Path)
		without += "\nexport {};\n" // it was a module before
		c.add(stem+mark+"1"+ext, removed, f.Path, without)
		for _, name := range names {
			without += "declare class " + name + " {}\n"
		}
		c.add(stem+mark+"2"+ext, emptied, f.Path, without)
	}
	return nil
}

func (c *check) add(seen string, v variant, path, text string) {
	c.names[seen], c.texts[seen] = copied{path, v}, text
}

// suffix is what tsc knows a TypeScript file by.
func suffix(path string) string {
	for _, s := range []string{".d.ts", ".ts", ".tsx"} {
		if strings.HasSuffix(path, s) {
			return s
		}
	}
	return ""
}

// unusedMark is a text that no path has in it.
func unusedMark(files []lang.SourceFile) string {
	mark := ".bare"
	for slices.ContainsFunc(files, func(f lang.SourceFile) bool { return strings.Contains(f.Path, mark) }) {
		mark += "_"
	}
	return mark
}

// withoutImports blanks the import statements of the project, so that every
// other byte stays in its place, and lists the names they bind, each once.
func withoutImports(t *treesitter.Tree, from importer) (text string, names []string) {
	out := slices.Clone(t.Source)
	root := int32(0)
	for i := range t.Children(root) {
		if t.Kind(i) != "import_statement" {
			continue
		}
		specifier, bound := importsOf(t, i)
		if !from.ofProject(specifier) {
			continue
		}
		for at := t.Nodes[i].Start; at < t.Nodes[i].End; at++ {
			if b := out[at]; b != '\n' && b != '\r' {
				out[at] = ' '
			}
		}
		for _, b := range bound {
			names = append(names, b.local)
		}
	}
	slices.Sort(names)
	return string(out), slices.Compact(names)
}

// ofProject reports whether a specifier means another file of the project.
func (i importer) ofProject(specifier string) bool {
	if specifier == "" {
		return false
	}
	found := i.find(specifier, false)
	return found != "" && found != i.path
}

// configPath is where the run's own settings stand; no repository's are used, so
// that the outcome depends on its sources alone.
const configPath = "tsconfig.crossfile.json"

// options see every file of the program, and nothing else but the compiler's own
// library: packages are not known, whether installed or not.
var options = map[string]any{
	"target": "ESNext", "module": "ESNext", "moduleResolution": "Bundler", "jsx": "preserve", "strict": true,
	"experimentalDecorators": true, "noEmit": true, "noResolve": true, "skipDefaultLibCheck": true, "types": []string{},
}

// ask runs tsc. It says nothing about types while a file does not parse; such
// files are set aside and the rest is tried again.
func (c *check) ask(ctx context.Context, run lang.Run) error {
	for {
		files := c.program()
		if len(files) == 0 {
			return nil
		}
		config, err := json.Marshal(map[string]any{"compilerOptions": options, "files": paths(files)})
		if err != nil {
			return err
		}
		out, err := run(ctx, []string{"--project", configPath, "--pretty", "false"},
			append(files, lang.SourceFile{Path: configPath, Text: string(config)}))
		if err != nil {
			return err
		}
		found, broken, err := c.read(out)
		if err != nil {
			return err
		}
		if len(broken) == 0 {
			c.report(found)
			return nil
		}
		maps.Copy(c.skipped, broken)
	}
}

func paths(files []lang.SourceFile) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// program lists the files to give to tsc, originals first: of several
// declarations of one global the first one counts.
func (c *check) program() []lang.SourceFile {
	var out []lang.SourceFile
	for _, path := range slices.SortedFunc(maps.Keys(c.names), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.names[a].variant, c.names[b].variant), cmp.Compare(a, b))
	}) {
		if c.skipped[c.names[path].path] == "" {
			out = append(out, lang.SourceFile{Path: path, Text: c.texts[path]})
		}
	}
	return out
}

// read maps what tsc said to the files as they are, by variant. Broken are files
// with errors of syntax, if they kept it from looking at types.
func (c *check) read(out lang.Output) (found map[variant][]finding, broken map[string]string, err error) {
	found, broken = map[variant][]finding{}, map[string]string{}
	typed := false
	for _, m := range messages(out.Stdout) {
		file, ok := c.names[m.path]
		if !ok {
			continue
		}
		if m.code/1000 == 1 {
			broken[file.path] = fmt.Sprintf("TS%d: %s", m.code, m.text)
			continue
		}
		typed = true
		kind, ok := codes[file.variant][m.code]
		if !ok {
			continue
		}
		if start, name := identifierAt(c.texts[m.path], m.line, m.column); name != "" {
			use := bind.Use{Start: start, End: start + len(name), Name: name, Kind: kind}
			found[file.variant] = append(found[file.variant], finding{file.path, use})
		}
	}
	if typed {
		broken = nil // these came with the others, from a look at types
	}
	if out.Exit != 0 && len(found) == 0 && len(broken) == 0 && !typed {
		return nil, nil, fmt.Errorf("tsc failed without a message about a file: exit code %d: %.300q", out.Exit, out.Stdout+out.Stderr)
	}
	return found, broken, nil
}

type finding struct {
	path string
	use  bind.Use
}

// report keeps what the files as they are do not have.
func (c *check) report(found map[variant][]finding) {
	seen := map[finding]bool{}
	for _, f := range found[original] {
		seen[f] = true
	}
	for _, f := range append(found[removed], found[emptied]...) {
		if !seen[f] {
			seen[f] = true
			c.uses[f.path] = append(c.uses[f.path], f.use)
		}
	}
	for _, uses := range c.uses {
		slices.SortFunc(uses, func(a, b bind.Use) int { return cmp.Or(a.Start-b.Start, cmp.Compare(a.Kind, b.Kind)) })
	}
}

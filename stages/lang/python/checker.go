package python

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// checker asks pylint.
//
// Version history:
//
//	1: first version
func checker() *lang.Checker {
	return &lang.Checker{
		Version: 1, Tool: "pylint",
		Doc:   "no-member (E1101) and undefined-variable (E0602) that appear once imports of the project are empty classes, and imports of everything are gone",
		Check: check,
	}
}

const (
	rcFile   = ".benchmill.pylintrc" // keeps settings of the machine out
	template = "{msg_id}\t{line}\t{column}\t{end_line}\t{end_column}\t{path}\t{msg}"
	fatal    = 1 // bits of its exit code: it stopped, or did not understand the arguments
	usage    = 32
)

// settings make pylint blind to the packages installed beside it: it loads all of
// itself, and then there is no more than the standard library.
const settings = `[MAIN]
init-hook=exec("import astroid, importlib, pkgutil, pylint, sys\nfor p in astroid, pylint:\n for m in pkgutil.walk_packages(p.__path__, p.__name__ + '.'):\n  try: m.name.endswith('__main__') or importlib.import_module(m.name)\n  except Exception: pass\nsys.path[:] = [p for p in sys.path if '-packages' not in p]", {})
`

var checkArgs = []string{
	"--rcfile=" + rcFile, "--persistent=no", "--score=no", "--reports=no", "--disable=all",
	"--enable=no-member,undefined-variable,syntax-error,astroid-error,parse-error,fatal", "--msg-template=" + template,
}

// check runs pylint on the files as they are and with stand-ins.
func check(ctx context.Context, files []lang.SourceFile, run lang.Run) (map[string][]bind.Use, map[string]string, error) {
	l := Language()
	skipped := map[string]string{}
	trees := map[string]*treesitter.Tree{}
	var bound []*bind.File
	for _, f := range files {
		if l.Syntax(f.Path) == nil {
			continue
		}
		t, err := l.ParseWhole(f.Path, []byte(f.Text), treesitter.DefaultLimits)
		if err != nil {
			skipped[f.Path] = err.Error()
			continue
		}
		trees[f.Path] = t
		bound = append(bound, l.Binding.Bind(f.Path, t))
	}
	slices.SortFunc(bound, func(a, b *bind.File) int { return cmp.Compare(a.Path, b.Path) })
	linker := l.Binding.Link(bound, nil)
	before, after := map[string]*stubbed{}, map[string]*stubbed{}
	for _, f := range bound {
		t := trees[f.Path]
		whole := &stubbed{}
		whole.copy(audible(t), 0, len(t.Source))
		before[f.Path], after[f.Path] = whole, stub(f, t, linker)
	}
	old, err := findings(ctx, run, before, trees, skipped)
	if err != nil {
		return nil, nil, err
	}
	found, err := findings(ctx, run, after, trees, skipped)
	if err != nil {
		return nil, nil, err
	}
	uses := map[string][]bind.Use{}
	for path, all := range found {
		if skipped[path] != "" {
			continue
		}
		for _, u := range all {
			if !slices.Contains(old[path], u) {
				uses[path] = append(uses[path], u)
			}
		}
	}
	return uses, skipped, nil
}

// findings runs pylint and returns its findings by path, in source order, with
// offsets of the original files.
func findings(ctx context.Context, run lang.Run, files map[string]*stubbed, trees map[string]*treesitter.Tree, skipped map[string]string) (map[string][]bind.Use, error) {
	var paths []string
	for p := range files {
		if skipped[p] == "" {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	slices.Sort(paths)
	given := []lang.SourceFile{{Path: rcFile, Text: settings}}
	args := slices.Clone(checkArgs)
	for _, p := range paths {
		given = append(given, lang.SourceFile{Path: p, Text: string(files[p].text)})
		args = append(args, "./"+p)
	}
	out, err := run(ctx, args, given)
	if err != nil {
		return nil, err
	}
	messages := parseMessages(out.Stdout)
	if out.Exit&usage != 0 || out.Exit&fatal != 0 && len(messages) == 0 {
		return nil, fmt.Errorf("pylint failed with exit code %d: %s", out.Exit, lastLine(out.Stderr))
	}
	found := map[string][]bind.Use{}
	for _, m := range messages {
		p := strings.TrimPrefix(m.path, "./")
		s := files[p]
		switch {
		case s == nil:
		case m.name == "":
			skipped[p] = m.text
		default:
			if u, ok := m.use(s, trees[p]); ok {
				found[p] = append(found[p], u)
			}
		}
	}
	for p, all := range found {
		slices.SortFunc(all, func(a, b bind.Use) int { return cmp.Or(a.Start-b.Start, cmp.Compare(a.Kind, b.Kind)) })
		found[p] = slices.Compact(all)
	}
	return found, nil
}

// lastLine is where Python says what went wrong.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// message is one line of pylint's output. Lines are 1-based, columns 0-based in
// bytes; name is "" where it is not about a name.
type message struct {
	id, path, text, name string
	line, column         int
	endLine, endColumn   int
}

var (
	memberText = regexp.MustCompile(`^(?:.*) has no '([^']+)' member`)
	nameText   = regexp.MustCompile(`^Undefined variable '([^']+)'`)
)

// parseMessages reads pylint's output and passes over what it does not know.
func parseMessages(stdout string) []message {
	var out []message
	for line := range strings.Lines(stdout) {
		parts := strings.SplitN(strings.TrimRight(line, "\r\n"), "\t", 7)
		if len(parts) != 7 {
			continue
		}
		m := message{id: parts[0], path: parts[5], text: parts[6]}
		for i, to := range []*int{&m.line, &m.column, &m.endLine, &m.endColumn} {
			*to = number(parts[i+1])
		}
		var text *regexp.Regexp
		switch m.id {
		case "E1101":
			text = memberText
		case "E0602":
			text = nameText
		case "E0001", "F0001", "F0002", "F0010":
			out = append(out, m)
			continue
		default:
			continue
		}
		if match := text.FindStringSubmatch(m.text); match != nil {
			m.name = match[1]
			out = append(out, m)
		}
	}
	return out
}

// number is a decimal number, or -1.
func number(s string) int {
	n := 0
	for _, r := range s {
		if r < '0' || r > '9' || n > 1<<30 {
			return -1
		}
		n = n*10 + int(r-'0')
	}
	if s == "" {
		return -1
	}
	return n
}

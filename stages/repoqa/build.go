package repoqa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchmill/internal/tokenizer"
	"benchmill/internal/treesitter"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

// HayFile is a file of the haystack with its functions.
type HayFile struct {
	Path      string
	Text      string
	Functions []schemas.Function
}

// Builder builds contexts out of one repository. It is not safe for concurrent
// use. Files are in dependency order.
type Builder struct {
	Files     []HayFile
	Language  *lang.Language
	Tokenizer pipeline.Tokenizer
	Lines     *tokenizer.Lines // counts of lines, kept over all needles of a repository
	Upstream  bool             // follow the published builder where it differs from the paper

	kept map[string][]lang.Span // by path, what stays without comments
}

// Context is a needle in its haystack.
type Context struct {
	Prefix, Needle, Suffix           string
	Ratio                            float64
	NeedleTokenStart, NeedleTokenEnd int
	Tokens                           int
	Candidates                       []candidate

	pieces [3][]piece // of prefix, needle and suffix
	path   string
}

// Text is the code context.
func (c *Context) Text() string { return c.Prefix + c.Needle + c.Suffix }

type candidate struct {
	schemas.Candidate
	fileStart int64
}

// piece is a run of a context: bytes [start, end) of a file, or text that
// stands in no file.
type piece struct {
	file       int // index into Files, -1 for text of its own
	start, end int
	text       string
}

func own(text string) piece { return piece{file: -1, text: text} }

func join(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// Build plants a needle, bytes [start, end) of a file, at a depth of a context
// of so many tokens. With t tokens in the needle, the prefix has a budget of
// int(tokens*ratio - t/2), at least none and at most all that is left beside the
// needle; the suffix has the rest. The prefix is the text before the needle, by
// lines from the needle upwards; when its file fits whole, under a line with the
// path, the files before it follow, each from its top. The suffix mirrors that
// downwards. A line is counted by itself with its line break. A file that is cut
// ends in a line "...".
func (b *Builder) Build(path string, start, end int, ratio float64, tokens int) (*Context, error) {
	at := slices.IndexFunc(b.Files, func(f HayFile) bool { return f.Path == path })
	if at < 0 || start < 0 || end > len(b.Files[at].Text) || start >= end {
		return nil, fmt.Errorf("needle at bytes %d to %d of %s is not in the repository", start, end, path)
	}
	if b.Upstream {
		start, end = byCharacters(b.Files[at].Text, start, end)
	}
	text := b.Files[at].Text
	needle := piece{at, start, end, text[start:end]}
	t := b.Tokenizer.Count(needle.text)
	budget := int(float64(tokens)*ratio - float64(t)/2)
	if !b.Upstream {
		// A long needle near an end leaves one side nothing and the other no more
		// than what the context holds beside the needle.
		budget = min(max(budget, 0), max(tokens-t, 0))
	}
	rest := tokens - t - budget

	prefix, used, cut := b.upwards(at, start, budget)
	for i := at - 1; i >= 0 && !cut && budget-used > 0; i-- {
		more, n, c := b.downwards(b.fileLines(i), budget-used)
		prefix, used, cut = append(more, prefix...), used+n, c
	}
	suffix, used, cut := b.downwards(b.linesFrom(at, end), rest)
	for i := at + 1; i < len(b.Files) && !cut && rest-used > 0; i++ {
		more, n, c := b.downwards(b.fileLines(i), rest-used)
		suffix, used, cut = append(suffix, more...), used+n, c
	}
	c := &Context{Ratio: ratio, path: path, pieces: [3][]piece{prefix, {needle}, suffix}}
	b.finish(c)
	return c, nil
}

// byCharacters reads byte offsets as counts of characters, as slicing a Python
// string with them does.
func byCharacters(text string, start, end int) (int, int) {
	at := func(n int) int {
		i := 0
		for ; n > 0 && i < len(text); n-- {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
		}
		return i
	}
	return at(start), at(end)
}

func (b *Builder) pathLine(i int) piece {
	return own(b.Language.CommentPrefix + " Path: " + b.Files[i].Path + "\n")
}

// fileLines are the lines of a whole file under its path.
func (b *Builder) fileLines(i int) []piece {
	return append([]piece{b.pathLine(i)}, b.linesFrom(i, 0)...)
}

// linesFrom are the lines of a file from an offset on, each with its line break.
func (b *Builder) linesFrom(i, from int) []piece {
	return b.lines(i, from, len(b.Files[i].Text), true)
}

func (b *Builder) lines(i, from, to int, last bool) []piece {
	text := b.Files[i].Text
	var out []piece
	for from < to {
		end := to
		if n := strings.IndexByte(text[from:to], '\n'); n >= 0 {
			end = from + n + 1
		}
		out = append(out, piece{i, from, end, text[from:end]})
		from = end
	}
	// A text that is split at line breaks ends in one more line, empty where the
	// text ends in a break; it gets a break of its own.
	switch n := len(out); {
	case n > 0 && !strings.HasSuffix(out[n-1].text, "\n"):
		if last || b.Upstream {
			out[n-1].text += "\n"
		}
	case b.Upstream, n == 0 && last && !strings.HasSuffix(text, "\n"):
		out = append(out, own("\n"))
	}
	return out
}

// upwards takes lines before an offset, the nearest first, while they fit.
func (b *Builder) upwards(i, to, budget int) (taken []piece, used int, cut bool) {
	lines := append([]piece{b.pathLine(i)}, b.lines(i, 0, to, false)...)
	from := len(lines)
	for ; from > 0; from-- {
		n := b.count(lines[from-1])
		if used+n > budget {
			cut = true
			break
		}
		used += n
	}
	return slices.Clone(lines[from:]), used, cut
}

// downwards takes lines from the top while they fit.
func (b *Builder) downwards(lines []piece, budget int) (taken []piece, used int, cut bool) {
	for i, l := range lines {
		n := b.count(l)
		if used+n > budget {
			dots := own("...\n")
			return append(slices.Clone(lines[:i]), dots), used + b.count(dots), true
		}
		used += n
	}
	return lines, used, false
}

func (b *Builder) count(p piece) int { return b.Lines.Count(strings.TrimSuffix(p.text, "\n")) }

// finish fills in what follows from the pieces.
func (b *Builder) finish(c *Context) {
	c.Prefix, c.Needle, c.Suffix = join(c.pieces[0]), join(c.pieces[1]), join(c.pieces[2])
	c.NeedleTokenStart = b.Tokenizer.Count(c.Prefix)
	c.NeedleTokenEnd = c.NeedleTokenStart + b.Tokenizer.Count(c.Needle)
	c.Tokens = c.NeedleTokenEnd + b.Tokenizer.Count(c.Suffix)
	c.Candidates = b.candidates(slices.Concat(c.pieces[0], c.pieces[1], c.pieces[2]))
}

// candidates are the functions that stand whole in a context: those of which
// every byte is there but for what the variant removes.
func (b *Builder) candidates(pieces []piece) []candidate {
	var out []candidate
	at := 0
	for i := 0; i < len(pieces); {
		if pieces[i].file < 0 {
			at += len(pieces[i].text)
			i++
			continue
		}
		file, first, from := pieces[i].file, i, at
		for i < len(pieces) && pieces[i].file == file && (i == first || pieces[i].start >= pieces[i-1].end) {
			at += len(pieces[i].text)
			i++
		}
		run := pieces[first:i]
		start, end := run[0].start, run[len(run)-1].end
		for _, f := range b.Files[file].Functions {
			if int(f.StartByte) < start || int(f.EndByte) > end {
				continue
			}
			out = append(out, candidate{
				Candidate: schemas.Candidate{
					Path: f.Path, Name: f.Name,
					Start: int64(from + startWithin(run, int(f.StartByte))), End: int64(from + endWithin(run, int(f.EndByte))),
				},
				fileStart: f.StartByte,
			})
		}
	}
	return out
}

// startWithin maps the offset of a file where something starts to one in the
// text of a run of its pieces; what was removed between two pieces counts as the
// start of the second.
func startWithin(run []piece, offset int) int {
	at := 0
	for _, p := range run {
		if offset < p.end {
			return at + max(0, offset-p.start)
		}
		at += len(p.text)
	}
	return at
}

// endWithin is the same for where something ends. The two differ between a piece
// with a line break added to it and the next.
func endWithin(run []piece, offset int) int {
	at := 0
	for _, p := range run {
		if offset <= p.end {
			return at + max(0, offset-p.start)
		}
		at += len(p.text)
	}
	return at
}

// Variant derives a variant of a default context.
func (b *Builder) Variant(c *Context, variant string) (*Context, error) {
	if variant == schemas.VariantDefault {
		return c, nil
	}
	out := &Context{Ratio: c.Ratio, path: c.path}
	for i, pieces := range c.pieces {
		stripped, err := b.strip(pieces)
		if err != nil {
			return nil, err
		}
		out.pieces[i] = stripped
	}
	b.finish(out)
	if variant == schemas.VariantPadded {
		b.pad(out, c)
	}
	return out, nil
}

// strip removes comments from pieces of files. A piece is a line, so comments
// are found in the whole file and cut out of the run of lines they cross.
func (b *Builder) strip(pieces []piece) ([]piece, error) {
	var out []piece
	for i := 0; i < len(pieces); {
		p := pieces[i]
		if p.file < 0 {
			out = append(out, p)
			i++
			continue
		}
		first := i
		for i < len(pieces) && pieces[i].file == p.file {
			i++
		}
		f := b.Files[p.file]
		start, end := p.start, pieces[i-1].end
		kept, err := b.keptOf(f)
		if err != nil {
			return nil, err
		}
		for _, s := range kept {
			if from, to := max(s.Start, start), min(s.End, end); from < to {
				out = append(out, piece{p.file, from, to, f.Text[from:to]})
			}
		}
		if added := strings.TrimPrefix(join(pieces[first:i]), f.Text[start:end]); added != "" {
			out = append(out, own(added))
		}
	}
	return out, nil
}

// keptOf finds what stays of a file without its comments, once.
func (b *Builder) keptOf(f HayFile) ([]lang.Span, error) {
	if spans, ok := b.kept[f.Path]; ok {
		return spans, nil
	}
	facts, err := b.Language.Analyze(f.Path, []byte(f.Text), treesitter.DefaultLimits)
	if err != nil {
		return nil, err
	}
	if b.kept == nil {
		b.kept = map[string][]lang.Span{}
	}
	b.kept[f.Path] = lang.KeptSpans(f.Text, facts.Comments, nil)
	return b.kept[f.Path], nil
}

// pad puts numbered comment lines around a comment-free context, so that the
// needle starts at the token it had before and the context keeps its size. The
// tokens that the needle itself lost are shared out by its depth.
func (b *Builder) pad(c, before *Context) {
	lost := (before.NeedleTokenEnd - before.NeedleTokenStart) - (c.NeedleTokenEnd - c.NeedleTokenStart)
	prefix := before.NeedleTokenStart - c.NeedleTokenStart + int(float64(lost)*c.Ratio)
	suffix := before.Tokens - c.Tokens - prefix
	line := 0
	padding := func(budget int) []piece {
		var out []piece
		for {
			p := own(b.Language.CommentPrefix + " " + strconv.Itoa(line) + "\n")
			n := b.count(p)
			if n > budget {
				return out
			}
			budget -= n
			out = append(out, p)
			line++
		}
	}
	c.pieces[0] = append(padding(prefix), c.pieces[0]...)
	c.pieces[2] = append(c.pieces[2], padding(suffix)...)
	b.finish(c)
}

// PrefixInOwnFile reports whether everything before the needle is of its own
// file, so that the order of files plays no part in where it stands.
func (c *Context) PrefixInOwnFile() bool {
	if len(c.pieces[0]) == 0 {
		return true
	}
	first := c.pieces[0][0]
	return first.file == c.pieces[1][0].file || strings.HasSuffix(first.text, " Path: "+c.path+"\n")
}

package split

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func pieces(p Splitter, s string) []string {
	var out []string
	for s != "" {
		n := p.Next(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// TestByHand holds cuts worked out from the expressions with pencil and paper.
// Pieces are parted by "|".
func TestByHand(t *testing.T) {
	cases := []struct {
		name string
		by   Splitter
		want string
	}{
		{"gpt2 words", GPT2, "Hello| world|,| you|'ll| see| it|'s| fine"},
		{"gpt2 upper contraction", GPT2, "it|'|S"},
		{"gpt2 number", GPT2, "x| 12345|/|678"},
		{"gpt2 leaves one space", GPT2, "a|   | b"},
		{"gpt2 leaves one of any space", GPT2, "a|\n\t|\t|b"},
		{"gpt2 tail", GPT2, "a|\n\n  "},
		{"gpt2 lone newline", GPT2, "a|\n|b"},
		{"gpt2 quote after space", GPT2, "a| '|s"},
		{"llama3 prefix", Llama3, "\tfoo|.bar|(x|,| y|);\n|}"},
		{"llama3 digits", Llama3, "123|456|7| |89"},
		{"llama3 contraction", Llama3, "IT|'S| we|'Ll| x|'ſ|y"},
		{"llama3 lines", Llama3, "{\n|   | return| x|;\n\n|   |\tb"},
		{"llama3 tail", Llama3, "a|\n|  "},
		{"llama3 blank lines", Llama3, "a| \n \n|  | b"},
		{"cl100k tail", CL100K, "a|\n  "},
		{"cl100k inner", CL100K, "a|\n|  | b"},
		{"qwen2 digits", Qwen2, "1|2|3|abc| |4"},
		{"o200k case", O200K, "HTMLParser|Next|URL"},
		{"o200k contraction", O200K, "don't| WE'VE| x"},
		{"o200k slashes", O200K, "a| ://\n//\r\n|b"},
		{"o200k mark is prefix", O200K, "\u0301a|1"},
		{"o200k mark alone", O200K, "\u0301|1"},
		{"o200k caseless end", O200K, "ABª|CD|1"},
		{"digits each", Digits{Individual: true}, "ab|1|2|c d|½"},
		{"digits run", Digits{}, "ab|12|c d|½"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(c.want, "|", "")
			if got := strings.Join(pieces(c.by, text), "|"); got != c.want {
				t.Errorf("cut %q\n got %q\nwant %q", text, got, c.want)
			}
		})
	}
}

// expression is a reference: the alternatives in order, each handed to Go's
// regexp, with look-ahead done by hand: the alternative "ahead", kept as nil, is
// `\s+(?!\S)`.
type expression []*regexp.Regexp

func compile(alternatives ...string) expression {
	const ws = `\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`
	var e expression
	for _, a := range alternatives {
		if a == "ahead" {
			e = append(e, nil)
			continue
		}
		a = strings.ReplaceAll(a, `[^\s`, `[^`+ws)
		a = strings.ReplaceAll(a, `\s`, `[`+ws+`]`)
		e = append(e, regexp.MustCompile(`\A(?:`+a+`)`))
	}
	return e
}

func (e expression) Next(s string) int {
	for _, re := range e {
		if re == nil {
			rest := strings.TrimLeftFunc(s, unicode.IsSpace)
			end := len(s) - len(rest)
			if rest != "" && end > 0 {
				_, w := utf8.DecodeLastRuneInString(s[:end])
				end -= w
			}
			if end > 0 {
				return end
			}
			continue
		}
		if at := re.FindStringIndex(s); at != nil && at[1] > 0 {
			return at[1]
		}
	}
	panic("no alternative matches " + s)
}

var references = []struct {
	name      string
	by        Splitter
	reference expression
}{
	{"gpt2", GPT2, compile(`'s|'t|'re|'ve|'m|'ll|'d`, ` ?\p{L}+`, ` ?\p{N}+`, ` ?[^\s\p{L}\p{N}]+`, "ahead", `\s+`)},
	{"llama3", Llama3, compile(`(?i:'s|'t|'re|'ve|'m|'ll|'d)`, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`,
		` ?[^\s\p{L}\p{N}]+[\r\n]*`, `\s*[\r\n]+`, "ahead", `\s+`)},
	{"qwen2", Qwen2, compile(`(?i:'s|'t|'re|'ve|'m|'ll|'d)`, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}`,
		` ?[^\s\p{L}\p{N}]+[\r\n]*`, `\s*[\r\n]+`, "ahead", `\s+`)},
	{"cl100k", CL100K, compile(`'(?i:[sdmt]|ll|ve|re)`, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`,
		` ?[^\s\p{L}\p{N}]+[\r\n]*`, `\s+$`, `\s*[\r\n]`, "ahead", `\s`)},
	{"o200k", O200K, compile(
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`, "ahead", `\s+`)},
}

// nasty has a character of every kind that some expression treats apart.
var nasty = strings.Split("a|B|ǅ|ʰ|ª|ß|中|\u0301|\u20dd|1|٣|½|Ⅷ| | |\t|\n|\r|\v|\u0085|\u00a0|\u2028|\u3000|"+
	"'|'s|'S|'ſ|ſ|'ll|'RE|'vE|'d|/|.|_|😀|𝐀|𝟘|\u200d|\x00|\ufffd", "|")

func TestAgainstExpressions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60_000 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(nasty[rng.IntN(len(nasty))])
		}
		s := b.String()
		for _, r := range references {
			got, want := r.by.Next(s), r.reference.Next(s)
			if got != want {
				t.Fatalf("%s: first piece of %q is %q, the expression gives %q", r.name, s, s[:got], s[:want])
			}
		}
	}
}

// TestClasses compares the tables with the standard library on every rune.
func TestClasses(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		c, w := at(string(r), 0)
		if w != utf8.RuneLen(r) || c&letter != 0 != unicode.IsLetter(r) || c&number != 0 != unicode.IsNumber(r) ||
			c&space != 0 != unicode.IsSpace(r) || c&mark != 0 != unicode.IsMark(r) || c&lower != 0 != unicode.IsLower(r) && unicode.IsLetter(r) && unicode.Is(unicode.Ll, r) {
			t.Fatalf("%U: class %08b, width %d", r, c, w)
		}
	}
}

func TestByPattern(t *testing.T) {
	if _, ok := ByPattern(`\w+`); ok {
		t.Error(`\w+ is taken for a published expression`)
	}
	for _, c := range []struct {
		pattern string
		want    Splitter
	}{
		{`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`, GPT2},
		{`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`, Qwen2},
	} {
		if got, ok := ByPattern(c.pattern); !ok || got != c.want {
			t.Errorf("ByPattern(%q) = %v, %v", c.pattern, got, ok)
		}
	}
}

// FuzzSplitters checks progress on any bytes, and the expressions on valid text.
func FuzzSplitters(f *testing.F) {
	f.Add("it's  \n\n x\xff\xc0 123456 ÀÉ")
	f.Add(strings.Repeat(" ", 100) + "\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range []Splitter{GPT2, Llama3, Qwen2, CL100K, O200K, Digits{}, Digits{Individual: true}} {
			for rest := s; rest != ""; {
				n := p.Next(rest)
				if n < 1 || n > len(rest) {
					t.Fatalf("%T.Next(%q) = %d", p, rest, n)
				}
				rest = rest[n:]
			}
		}
		if s == "" || !utf8.ValidString(s) {
			return
		}
		for _, r := range references {
			if got, want := r.by.Next(s), r.reference.Next(s); got != want {
				t.Fatalf("%s: first piece of %q is %q, the expression gives %q", r.name, s, s[:got], s[:want])
			}
		}
	})
}

package githubtest

import "strings"

// What generated texts are made of.
var (
	owners    = []string{"acorn-labs", "birchwood", "cobaltworks", "driftline", "emberhq", "foxglove-io", "granite", "harbour-team"}
	people    = []string{"ada", "bela", "chidi", "dana", "emre", "fatima", "goran", "hana", "ines", "jonas", "kofi", "lena", "mina", "noor"}
	languages = []string{"Python", "Go", "Rust", "TypeScript", "Java", "C++"}
	labels    = []string{"bug", "question", "enhancement", "good first issue", "documentation", "wontfix", "帮助", "área: parser"}
	nouns     = []string{
		"parser", "cache", "socket", "planner", "index", "scheduler", "buffer", "schema", "router", "token", "stream",
		"worker", "config", "session", "cursor", "queue", "handler", "widget", "layout", "bridge",
	}
	verbs  = []string{"drops", "returns", "ignores", "blocks", "copies", "loses", "repeats", "closes", "rewrites", "locks"}
	extras = []string{
		"日本語のテキスト", "мир", "🎉", "naïve façade", "שלום", "<details>", "a & b", "\"quoted\"", "C:\\path", "\u2028", "emoji 👩‍💻",
		"ø", "\ttab", "e\u0301",
	}
)

func (g *generator) clause() string {
	return "the " + pick(g, nouns) + " " + pick(g, verbs) + " the " + pick(g, nouns)
}

func (g *generator) sentence() string {
	text := g.clause()
	if g.chance(40) {
		text += " when " + g.clause()
	}
	if g.chance(15) {
		text += " " + pick(g, extras)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (g *generator) title() string {
	if g.chance(40) {
		return "Why does " + g.clause() + "?"
	}
	return strings.TrimSuffix(g.sentence(), ".")
}

// body is a few paragraphs, sometimes with code, sometimes nothing.
func (g *generator) body() string {
	if g.chance(5) {
		return ""
	}
	var b strings.Builder
	for range 1 + g.IntN(4) {
		for range 1 + g.IntN(3) {
			b.WriteString(g.sentence() + " ")
		}
		b.WriteString("\r\n\r\n")
	}
	if g.chance(25) {
		b.WriteString("```\n" + pick(g, nouns) + "(\"" + pick(g, nouns) + "\", <" + pick(g, nouns) + ">)\n```\n")
	}
	return strings.TrimRight(b.String(), " \r\n")
}

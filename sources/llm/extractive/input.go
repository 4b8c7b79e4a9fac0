package extractive

import (
	"regexp"
	"strings"
)

// input is how many arguments there are, what they are, and what the comment
// says of them.
func (f function) input() string {
	var out []string
	count := len(f.params)
	switch {
	case count == 0 && f.method:
		out = append(out, f.say("Nothing but the object it belongs to", "Only the object it belongs to", "Just the thing it belongs to"))
	case count == 0:
		out = append(out, f.say("No arguments", "Nothing is passed in", "No input"))
	default:
		out = append(out, f.arguments())
	}
	if count > 0 && f.method {
		out = append(out, f.say("It also works on the object it belongs to", "The object it belongs to serves too"))
	}
	for _, p := range f.params {
		text := f.doc.params[p]
		if s := sentences(text + "."); len(s) > 0 {
			if about, ok := f.rephrase(s[0], true); ok && len(strings.Fields(about)) > 1 {
				out = append(out, f.say("About "+f.place(p)+": "+lowerFirst(about), about))
			}
		}
	}
	return paragraph(out...)
}

// arguments is the sentence that lists them.
func (f function) arguments() string {
	known := parameters(f.signature, f.params)
	var phrases []string
	for _, p := range f.params {
		phrase := f.typePhrase(known[p].typ)
		if phrase == "" || known[p].typ == "" {
			phrase = f.usedAs(p)
		}
		if known[p].variadic {
			phrase = f.noun("any number of further values", "as many more items as wanted", "further things")
		}
		if known[p].optional {
			if s := f.say(phrase+" that may be left out", phrase+" (not required)"); s != "" {
				phrase = s
			}
		}
		phrases = append(phrases, phrase)
	}
	if len(phrases) == 1 {
		return f.noun("One argument: "+phrases[0], "A single input: "+phrases[0], upperFirst(phrases[0]))
	}
	if len(phrases) > len(ordinals) {
		return f.noun(countWord(len(phrases))+" arguments, among them "+enumerate(phrases[:4], "and"), "Many inputs")
	}
	text := enumerate(numbered(phrases), "and")
	n := countWord(len(phrases))
	return f.noun(upperFirst(n)+" arguments: "+text, upperFirst(n)+" inputs: "+text, "Inputs: "+text, upperFirst(n)+" inputs", "Several things")
}

// numbered puts equal phrases together: "a text" twice is "two texts".
func numbered(phrases []string) []string {
	var out []string
	for i := 0; i < len(phrases); {
		n := 1
		for i+n < len(phrases) && phrases[i+n] == phrases[i] {
			n++
		}
		switch {
		case n == 1:
			out = append(out, phrases[i])
		case i > 0 || i+n < len(phrases):
			out = append(out, countWord(n)+" "+manyOf(phrases[i]))
		default:
			out = append(out, "each of them "+phrases[i])
		}
		i += n
	}
	return out
}

// usedAs guesses what an untyped parameter is from how the body treats it.
func (f function) usedAs(p string) string {
	q := regexp.QuoteMeta(p)
	body := f.code.body
	has := func(pattern string) bool {
		return regexp.MustCompile(strings.ReplaceAll(pattern, "P", q)).MatchString(body)
	}
	switch {
	case has(`(?:^|[^\w.])P\(`):
		return f.noun("a function to call", "a routine to invoke", "something to invoke")
	case has(`\bin\s+(?:enumerate\(|sorted\(|reversed\()?P\b`) || has(`\bof\s+P\)`):
		return f.noun("a collection it goes through", "a series of things", "several things")
	case has(`\bP\.(?:split|strip|lower|upper|startswith|endswith|trim|toLowerCase|replace|encode)\(`):
		return f.noun("a text", "a string", "some writing")
	case has(`\bP\[`):
		return f.noun("something looked up by key or position", "something with entries")
	case has(`\bnot P\b`) || has(`\bif P\s*:`) || has(`\bif\s*\(!?P\)`):
		return f.noun("a switch or something that may be empty", "a choice")
	case has(`\bP\.\w`):
		return f.noun("an object whose parts it uses", "a thing whose parts it uses")
	case has(`\bP\s*[-+*/%<>]`) || has(`[-+*/%<>]=?\s*P\b`):
		return f.noun("a number", "a quantity", "a figure")
	}
	return f.noun("a value", "an item", "a datum", "something")
}

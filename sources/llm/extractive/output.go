package extractive

import (
	"strings"
)

// output is what the comment says of the result, its type, and what else happens.
// What the purpose said already is left out.
func (f function) output(said string) string {
	var out []string
	documented := append([]string(nil), f.doc.returns...)
	for _, s := range f.doc.summary {
		if m := returnSentence.FindStringSubmatch(f.withoutName(s)); m != nil {
			documented = append(documented, m[1])
		}
	}
	for _, s := range documented {
		if text, ok := f.rephrase(s, true); ok && len(out) < 2 {
			out = append(out, text)
		}
	}
	typ := f.typePhrase(f.returns)
	switch {
	case len(out) > 0:
	case typ != "" && typ != f.noun("nothing"):
		out = append(out, f.typedOutput(typ, said))
	case len(f.shape.values) > 0 && !f.onlyNothing():
		out = append(out, enumerateValues(f.shape.values))
	case f.shape.changesOwn:
		out = append(out, f.say("Nothing is handed back: the object itself changes", "No outcome of its own: the object itself changes", "The object itself changes"))
	default:
		out = append(out, f.say("Nothing is handed back; what matters is the effect", "No outcome of its own; the effect matters", "It has an effect only"))
	}
	if f.shape.failures > 0 {
		out = append(out, f.failures()...)
	}
	if f.shape.changesOwn && len(f.shape.values) > 0 {
		out = append(out, f.say("The object itself changes too", "Besides, the object itself changes"))
	}
	return paragraph(out...)
}

// typedOutput is the result's type, with the values handed back where they tell
// more than the type does.
func (f function) typedOutput(typ, said string) string {
	core := strings.TrimPrefix(strings.TrimPrefix(typ, "a "), "an ")
	var special []string
	for _, v := range f.shape.values {
		switch {
		case hasPrefix(v, "what it", "the result", "the outcome", "one of two", "it", "a part of the") || len(special) == 3:
		case strings.Contains(said, v): // the purpose was the same
		case strings.HasPrefix(core, "tuple") && strings.HasSuffix(v, "values"), strings.HasSuffix(v, core):
		case strings.HasPrefix(v, typ+" "):
			return v // says it all
		default:
			special = append(special, v)
		}
	}
	if len(special) == 0 {
		return typ
	}
	text := enumerate(special, "or")
	if out := f.say(typ + ": " + text); out != "" {
		return out
	}
	return typ
}

func (f function) onlyNothing() bool {
	return len(f.shape.values) == 1 && f.shape.values[0] == f.value("None")
}

func enumerateValues(values []string) string {
	if len(values) > 4 {
		values = values[:4]
	}
	return enumerate(values, "or")
}

// failures are sentences on how it fails: the comment's, or one for all.
func (f function) failures() []string {
	for _, s := range f.doc.raises {
		if text, ok := f.rephrase(errorType.ReplaceAllString(s, ""), true); ok {
			return []string{f.say("It fails "+lowerFirst(text), "It breaks off: "+lowerFirst(text))}
		}
	}
	for _, s := range f.doc.summary {
		if text, ok := f.rephrase(s, true); ok && raiseSentence.MatchString(s) {
			return []string{text}
		}
	}
	return []string{f.say("It may fail with an error instead", "It may break off instead")}
}

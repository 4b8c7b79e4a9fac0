package extractive

import (
	"regexp"
	"strings"
)

var (
	returnSentence = regexp.MustCompile(`(?i)^returns?:?\s+(.*)$`)
	errorType      = regexp.MustCompile(`^[A-Z][\w.]*:\s*`)
	raiseSentence  = regexp.MustCompile(`(?i)^(?:raises|throws|panics|fails)\b`)
)

// purpose is what the comment says in its first sentences, or what the shape
// suggests.
func (f function) purpose() string {
	var said []string
	lead := false // the first sentence could be said
	for i, s := range f.doc.summary {
		s = f.withoutName(s)
		if m := returnSentence.FindStringSubmatch(s); m != nil {
			if i > 0 {
				continue // it is about the output
			}
			s = f.noun("Works out", "Provides") + " " + lowerFirst(m[1])
		}
		if i > 0 && s != f.doc.summary[i] {
			s = "It " + lowerFirst(strings.TrimPrefix(s, "It ")) // its name stood there
		}
		if i > 1 && !lead {
			break // what follows hangs on what could not be said
		}
		if out, ok := f.rephrase(s, true); ok && len(said) < 2 {
			said = append(said, out)
			lead = lead || i == 0
		}
	}
	if lead {
		return paragraph(said...)
	}
	kind := f.archetype()
	return paragraph(append([]string{kind, f.about(kind)}, said...)...)
}

// withoutName takes the function's name off the beginning of a sentence.
func (f function) withoutName(s string) string {
	s = strings.TrimLeft(s, "`")
	if rest, ok := strings.CutPrefix(s, f.name); ok && f.name != "" && rest != "" && !isNameByte(rest[0]) {
		rest = strings.TrimLeft(rest, "`()- :")
		if common[firstWord(rest)] {
			return "It " + rest // "is", "has", "can"
		}
		if rest != "" {
			return upperFirst(rest)
		}
	}
	return s
}

// archetype is a sentence for the kind of function this is.
func (f function) archetype() string {
	all := f.code.body
	s := f.shape
	only := func() string {
		if len(f.body) != 1 || len(s.values) != 1 {
			return ""
		}
		return s.values[0]
	}
	truthful := f.returns != "" && typeKinds[6].pattern.MatchString(f.returns) || len(s.values) > 0 && f.allTruth()
	switch {
	case s.failures > 0 && len(s.values) == 0:
		return f.say("Checks what it is given and refuses it when something is wrong", "Verifies a requirement and breaks off when it is not met")
	case truthful:
		return f.say("Answers a yes-or-no question"+f.questionAbout(), "Tests whether something holds", "Decides something")
	case hasPrefix(only(), "the object's", "a part of the", "the number", "the constant"):
		return f.say("Gives access to "+only(), "Provides "+only())
	case s.recursive:
		return f.say("Works through a nested structure by calling itself on smaller parts", "Solves a problem by falling back on smaller copies of it")
	case s.changesOwn && len(s.values) == 0:
		return f.say("Changes the state of the object it belongs to", "Alters what the object remembers")
	case s.yields:
		return f.say("Delivers a series of values one after another", "Supplies things piecemeal")
	case s.nested > 0:
		return f.say("Works through every combination of two collections or dimensions", "Treats pairs of things systematically")
	case s.loops > 0 && f.chain(all) == "" && !goesThrough(f.body):
		return f.say("Repeats a piece of work until it is done", "Keeps at a job until nothing is left of it")
	case s.loops > 0 && returnInLoop(f.body):
		return f.say("Searches a collection for a member that fits", "Hunts for something that fits")
	case s.loops > 0 && regexp.MustCompile(`[+]=`).MatchString(all):
		return f.say("Accumulates a result over the members of a collection", "Sums something up over many things")
	case s.loops > 0 || f.chain(all) != "":
		return f.say("Processes the members of a collection one by one", "Treats many things one after another")
	case composedText.MatchString(all):
		return f.say("Puts together a text from several pieces", "Composes some writing")
	case len(s.values) == 1 && strings.HasPrefix(s.values[0], "a new "):
		return f.say("Builds "+s.values[0]+" from what it is given", "Creates something fresh from what it is given")
	case s.branches > 1:
		return f.say("Chooses between several courses of action", "Decides between alternatives")
	case len(s.values) > 0 || f.returns != "":
		return f.say("Derives a result from what it is given", "Works out an answer")
	}
	return f.say("Carries out a fixed series of steps for its effect", "Performs some work for its effect")
}

func (f function) allTruth() bool {
	for _, v := range f.shape.values {
		if !hasPrefix(v, "whether ", "yes", "no", "a positive", "a negative") || v == "nothing" || v == "no result" {
			return false
		}
	}
	return true
}

func (f function) questionAbout() string {
	for _, v := range f.shape.values {
		if rest, ok := strings.CutPrefix(v, "whether "); ok && rest != f.holds() {
			return ": " + v
		}
	}
	return ""
}

// goesThrough reports whether a loop visits a collection, rather than numbers.
func goesThrough(list []*statement) bool {
	found := false
	each(list, func(st *statement, _ int, _ bool) {
		found = found || isLoop(st.text) && iterated.MatchString(st.text) && !counting.MatchString(st.text)
	})
	return found
}

func returnInLoop(list []*statement) bool {
	found := false
	each(list, func(st *statement, loops int, inner bool) {
		found = found || !inner && loops > 0 && returnWord.MatchString(st.text)
	})
	return found
}

// about names up to three topics: words of the helpers, attributes and types the
// code touches, beyond what has been said.
func (f function) about(said string) string {
	count := map[string]int{}
	var order []string
	for _, m := range topic.FindAllStringSubmatch(f.code.body+" "+f.signature, -1) {
		name := m[1] + m[2] + m[3]
		if trivialCall[strings.ToLower(name)] || name == f.name || knownType(name) {
			continue
		}
		words := f.spoken(name)
		if words == "" || strings.Contains(said, words) {
			continue
		}
		if count[words]++; count[words] == 1 {
			order = append(order, words)
		}
	}
	var best []string
	for len(best) < 3 {
		top := ""
		for _, w := range order {
			if count[w] > 0 && (top == "" || count[w] > count[top]) {
				top = w
			}
		}
		if top == "" {
			break
		}
		count[top] = 0
		best = append(best, "“"+top+"”")
	}
	if len(best) == 0 {
		return ""
	}
	topics := enumerate(best, "and")
	return f.say("It has to do with "+topics, "Involved: "+topics, topics)
}

var topic = regexp.MustCompile(`([A-Za-z_]\w*)\s*\(|(?:\.|->|::)([A-Za-z_]\w*)|\b([A-Z][a-z]\w*)\b`)

func knownType(name string) bool {
	for _, k := range typeKinds {
		if k.pattern.MatchString(name) {
			return true
		}
	}
	return false
}

package extractive

import (
	"strings"
)

var connectors = []string{"Then it", "Next it", "After that it", "It then"} // the first is never banned

// procedure tells the steps in order, and closes with the shape.
func (f function) procedure() string {
	steps := f.steps(f.body, 0)
	const most = 8
	if len(steps) > most {
		steps = append(append([]step(nil), steps[:most-2]...), steps[len(steps)-1])
	}
	var next []string
	for _, c := range connectors {
		if !f.banned.hasAny(c) {
			next = append(next, c)
		}
	}
	var out []string
	plain := 0
	if len(steps) == 0 && assignment.MatchString(strings.TrimSpace(f.code.body)) {
		out = append(out, f.say("It stores a value for later use", "It keeps something for later"))
	}
	for i, s := range steps {
		var text string
		switch {
		case s.when == "otherwise":
			text = "Otherwise it " + s.does
		case s.when != "":
			text = upperFirst(s.when) + ", it " + s.does
		case len(steps) == 1:
			text = "It " + s.does
		case i == 0:
			text = "First it " + s.does
		case i == len(steps)-1:
			text = "Finally it " + s.does
		default:
			text = next[plain%len(next)] + " " + s.does
			plain++
		}
		if said := f.say(text, "It "+s.nested()); said != "" {
			out = append(out, said)
		}
	}
	return paragraph(append(out, f.closing(len(steps)))...)
}

// closing sums the shape up.
func (f function) closing(steps int) string {
	s := f.shape
	var has []string
	part := func(n int, one, many string) {
		switch {
		case n == 1:
			has = append(has, "one "+one)
		case n > 1:
			has = append(has, countWord(n)+" "+many)
		}
	}
	part(s.loops, "loop", "loops")
	part(s.branches, "branch", "branches")
	part(s.exits, "exit", "exits")
	part(s.failures, "way to fail", "ways to fail")
	lit := f.literal()
	switch {
	case s.loops+s.branches+s.failures > 0 || s.exits > 1 || s.recursive:
		if s.recursive {
			has = append(has, "a call to itself")
		}
		text := enumerate(has, "and")
		if s.nested > 0 {
			text += ", with loops inside each other"
		}
		return f.say("In all: "+text+lit, "In all: "+text, "In sum: "+text)
	case steps == 0:
		return f.say("It is a single straight line of statements"+lit, "It is one straight line of instructions", "It has neither cycles nor forks")
	}
	return f.say("No loop and no branch is needed"+lit, "No loop and no branch is needed", "It goes straight on", "It has neither cycles nor forks")
}

// literal mentions the text constants of the code, which tell functions apart.
func (f function) literal() string {
	var shown []string
	for _, l := range f.code.literals {
		l = strings.TrimSpace(l)
		if l == "" || len(shown) == 3 || f.banned.hasAny(l) || strings.ContainsAny(l, "%{}<>\"`.") {
			continue
		}
		quoted := "“" + l + "”"
		if !contains(shown, quoted) {
			shown = append(shown, quoted)
		}
	}
	if len(shown) == 0 {
		return ""
	}
	return "; the fixed texts are " + enumerate(shown, "and")
}

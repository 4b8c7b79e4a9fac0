// Package runtime is the source of what runs the steps of a job: a set of programs
// such as compilers and test drivers, of a container image or of this machine. A
// ref's locator says which ([Needs]), and its pin's version says what they are, so
// that the lock holds it: the digest of the image, or what every program says of
// itself. Whatever is run, the versions too, is run in a sandbox.
package runtime

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Scheme of refs and pins.
const Scheme = "runtime"

// Needs is what a runtime is to have.
type Needs struct {
	// Image is a container image, "debian:12", which is used where a container engine
	// answers; "": none.
	Image string
	// Programs by their names, at least one. Where there is no image, or no engine,
	// they are those of this machine. "benchmill" is this program itself.
	Programs []string
}

var (
	imageName   = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._/:@-]{0,254}$`)
	programName = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9._+-]{0,63}$`)
)

// Most programs of a runtime.
const maxPrograms = 64

// Locator writes needs as the locator of a ref: programs ascending and once each, so
// that the same needs are the same ref.
func (n Needs) Locator() string {
	programs := slices.Clone(n.Programs)
	slices.Sort(programs)
	out := "programs=" + strings.Join(slices.Compact(programs), ",")
	if n.Image != "" {
		out = "image=" + n.Image + " " + out
	}
	return out
}

// Parse reads what [Needs.Locator] wrote, and nothing else: one runtime has one name.
func Parse(locator string) (Needs, error) {
	var n Needs
	rest := locator
	if image, ok := strings.CutPrefix(rest, "image="); ok {
		n.Image, rest, _ = strings.Cut(image, " ")
		if !imageName.MatchString(n.Image) {
			return Needs{}, fmt.Errorf("runtime %q: %q is no name of an image", locator, n.Image)
		}
	}
	programs, ok := strings.CutPrefix(rest, "programs=")
	if !ok {
		return Needs{}, fmt.Errorf("runtime %q is not of the form \"image=debian:12 programs=gcc,make\", where the image can be left out", locator)
	}
	n.Programs = strings.Split(programs, ",")
	if len(n.Programs) > maxPrograms {
		return Needs{}, fmt.Errorf("runtime %.100q... has more than %d programs", locator, maxPrograms)
	}
	for _, p := range n.Programs {
		if !programName.MatchString(p) {
			return Needs{}, fmt.Errorf("runtime %q: %q is no name of a program", locator, p)
		}
	}
	if n.Locator() != locator {
		return Needs{}, fmt.Errorf("runtime %q: it is written %q", locator, n.Locator())
	}
	return n, nil
}

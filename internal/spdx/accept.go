package spdx

import (
	"fmt"
	"slices"
	"strings"
)

// List is a set of accepted licences.
type List struct{ accepted []licence }

// NewList reads identifiers, each of which may have an exception ("GPL-2.0-only
// WITH Classpath-exception-2.0").
func NewList(ids []string) (List, error) {
	var l List
	for _, id := range ids {
		e, err := Parse(id)
		if err != nil {
			return l, err
		}
		if e.op != "" {
			return l, fmt.Errorf("licence %q: list the licences of an expression one by one", id)
		}
		l.accepted = append(l.accepted, e.canonical())
	}
	return l, nil
}

// Accepts reports whether the list satisfies an expression: one side of an OR,
// all sides of an AND. "X or later" is satisfied by X too, as it leaves the
// choice. An exception has to be listed with its licence: not every word that
// follows a WITH in the wild gives more rights.
func (l List) Accepts(e Expr) bool {
	switch e.op {
	case "AND":
		return !slices.ContainsFunc(e.args, func(a Expr) bool { return !l.Accepts(a) })
	case "OR":
		return slices.ContainsFunc(e.args, l.Accepts)
	}
	if e.IsZero() {
		return false
	}
	want := e.canonical()
	return slices.ContainsFunc(l.accepted, func(a licence) bool {
		return a.id == want.id && a.exception == want.exception && (a.later == want.later || want.later)
	})
}

// Same reports whether two expressions mean the same, where a text cannot tell
// the versions of a GNU licence it stands for: "GPL-3.0", "GPL-3.0-only" and
// "GPL-3.0-or-later" are the same.
func Same(a, b Expr) bool { return a.withoutLater().String() == b.withoutLater().String() }

func (e Expr) withoutLater() Expr {
	if e.op == "" {
		l := e.canonical()
		l.later = false
		return Expr{licence: l}
	}
	args := make([]Expr, len(e.args))
	for i, a := range e.args {
		args[i] = a.withoutLater()
	}
	return join(e.op, args)
}

// canonical is the licence in lower case with the suffixes of GNU licences taken
// off, as SPDX has deprecated "GPL-2.0" for "GPL-2.0-only" and "GPL-2.0+" for
// "GPL-2.0-or-later".
func (l licence) canonical() licence {
	l.id, l.exception = strings.ToLower(l.id), strings.ToLower(l.exception)
	if id, ok := strings.CutSuffix(l.id, "-or-later"); ok {
		l.id, l.later = id, true
	}
	l.id = strings.TrimSuffix(l.id, "-only")
	return l
}

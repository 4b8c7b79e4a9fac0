package main

import (
	"context"
	"fmt"
	"slices"

	"benchmill/stages/all"
)

// completions measures our cuts against rows of the released CrossCodeEval, per
// repository:
//
//	ends   from the released cursor, our statement ends where the reference does;
//	       of rows known as a whole, prompt, right context and lines fit too
//	lines  a use stands on the line of the cursor: it is among the candidates
//	first  so does the first use of its name in the file, as the paper keeps
//	cuts   the released cursor and end are among those of the use under "compat:
//	       upstream"
//	paper  and by the paper's rule, any token before the name
//	kept   the filter of the same setting keeps the row
//
// Each miss is printed with its reason.
func completions(ctx context.Context, references, official, mirrors string) error {
	registry, err := all.New()
	if err != nil {
		return err
	}
	m := &cutting{registry: registry, source: mirrored(mirrors)}
	for _, table := range []struct {
		title string
		read  func() ([]completion, error)
		named bool
	}{
		{"released references", func() ([]completion, error) { return readReferences(references) }, references != ""},
		{"released rows in full", func() ([]completion, error) { return readOfficial(official, mirrors) }, official != ""},
	} {
		if !table.named {
			continue
		}
		rows, err := table.read()
		if err != nil {
			return err
		}
		fmt.Printf("\n%-32s %6s %6s %6s %6s %6s %6s %6s\n", table.title, "rows", "ends", "kept", "lines", "first", "cuts", "paper")
		var total cutCounts
		for _, group := range byRepository(rows) {
			c, err := m.repository(ctx, group)
			if err != nil {
				return fmt.Errorf("%s: %w", group[0].repo, err)
			}
			c.print(group[0].repo)
			total.add(c)
		}
		total.print("all")
		if n := total.of(hasLine); n > 0 {
			fmt.Printf("recall of lines among the candidates: %.1f%%\n", 100*float64(n)/float64(total.rows))
		}
	}
	if official == "" {
		return nil
	}
	return m.retrieval(ctx, official, mirrors)
}

// verdict is how far a row agrees with ours.
type verdict uint

const (
	hasEnd verdict = 1 << iota
	isKept
	hasLine
	hasFirst
	hasCut
	hasPaperCut
)

var verdicts = []verdict{hasEnd, isKept, hasLine, hasFirst, hasCut, hasPaperCut}

type cutCounts struct {
	rows    int
	agree   [6]int
	detects bool // the language has bindings
}

func (c *cutCounts) count(v verdict) {
	c.rows++
	for i, bit := range verdicts {
		if v&bit != 0 {
			c.agree[i]++
		}
	}
}

func (c *cutCounts) add(o cutCounts) {
	c.rows, c.detects = c.rows+o.rows, c.detects || o.detects
	for i := range c.agree {
		c.agree[i] += o.agree[i]
	}
}

func (c cutCounts) of(v verdict) int { return c.agree[slices.Index(verdicts, v)] }

func (c cutCounts) print(name string) {
	fmt.Printf("%-32s %6d", name, c.rows)
	for i, n := range c.agree {
		if i < 2 || c.detects {
			fmt.Printf(" %6d", n)
		} else {
			fmt.Printf(" %6s", "-")
		}
	}
	fmt.Println()
}

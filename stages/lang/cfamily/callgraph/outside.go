package callgraph

import (
	"bytes"
	"slices"
)

// maxUses bounds the macros outside of functions that are noted.
const maxUses = 20_000

// outside notes names with arguments that stand where a declaration may begin:
// macros that may generate functions.
func (x *reader) outside() {
	toks := x.scan.toks
	next := 0 // the first function that may lie ahead
	begins := true
	for i := 0; i+1 < len(toks) && len(x.uses) < maxUses; i++ {
		at := x.scan.starts[i]
		for next < len(x.file.Functions) && x.file.Functions[next].End <= at {
			next++
		}
		if next < len(x.file.Functions) && x.file.Functions[next].Start <= at {
			i = max(i, x.scan.index(x.file.Functions[next].End)-1)
			begins = true
			continue
		}
		switch t := toks[i]; {
		case begins && t >= 0 && toks[i+1] == tokOpen && !notNames[x.names.String(int32(t))] && !inside(x.scan.cond.off, at):
			shut := x.closing(i + 1)
			if shut < 0 {
				return
			}
			x.uses = append(x.uses, use{name: int32(t), at: at, from: int32(i + 2), to: int32(shut)})
			i = shut
		case begins && t >= 0 && toks[i+1] >= 0 && x.alone(at) && x.newLine(i) && !notNames[x.names.String(int32(t))]:
			x.uses = append(x.uses, use{name: int32(t), at: at, bare: true})
		default:
			begins = t == tokSemi || t == tokCurly || t == tokBrace
		}
		if !begins && i+1 < len(toks) {
			begins = x.parted(i, i+1)
		}
	}
}

// newLine reports whether a line ends behind a token.
func (x *reader) newLine(i int) bool {
	return bytes.IndexByte(x.t.Source[x.scan.starts[i]:x.scan.starts[i+1]], '\n') >= 0
}

// keep keeps of the tokens the arguments of what may be macros.
func (x *reader) keep() {
	from, to, shift := int32(0), int32(0), int32(0)
	take := func(a, b *int32) {
		if *a >= *b {
			*a, *b = 0, 0
			return
		}
		if *a < from || *b > to {
			from, to, shift = *a, *b, int32(len(x.tokens))-*a
			x.tokens = append(x.tokens, x.scan.toks[from:to]...)
		}
		*a, *b = *a+shift, *b+shift
	}
	for i := range x.sites {
		if s := &x.sites[i]; s.form == plainForm || s.form == tokenForm {
			take(&s.from, &s.to)
		} else {
			s.from, s.to = 0, 0
		}
	}
	from, to = 0, 0
	for i := range x.uses {
		take(&x.uses[i].from, &x.uses[i].to)
	}
	x.tokens = slices.Clip(x.tokens)
}

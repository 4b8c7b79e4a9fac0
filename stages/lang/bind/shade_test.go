package bind

import (
	"slices"
	"testing"
)

// nothing links every name that starts in upper case to a class of another file.
type capitals struct{}

func (capitals) Import(*File, *Import) []Target { return nil }

func (capitals) Global(_ *File, name string) []Target {
	switch {
	case name == ExtensionPrefix+"ext" || 'A' <= name[0] && name[0] <= 'Z':
		return []Target{{Path: "other", Decl: 1}}
	case name == ExtensionPrefix+"own":
		return []Target{{Path: "file"}}
	}
	return nil
}

func uses(b *Builder, mode Mode, rules *Rules) []string {
	other := NewBuilder("other")
	other.Declare(Decl{Name: "Other", Kind: Class})
	r := NewResolver([]*File{b.Done(), other.Done()}, capitals{}, rules, mode)
	var out []string
	for _, u := range r.Uses("file") {
		out = append(out, u.Name)
	}
	return out
}

// TestShade has "x.a(x.b)" with x of a class of another file, and "y := x.a; y.c".
func TestShade(t *testing.T) {
	b := NewBuilder("file")
	x := b.Declare(Decl{Name: "x", Kind: Var, Start: 1})
	typ := b.Of(b.Expr(Expr{Op: Name, Name: "Other", Start: 1}))
	b.Decl(x).Type = typ
	callee := b.Select(b.Name("x", 10), "a", 12)
	b.Select(b.Name("x", 20), "b", 22)
	b.Shade(Span{10, 13}, 0, Span{14, 30})
	b.Declare(Decl{Name: "y", Kind: Var, Start: 40, Value: b.Whole(typ, 10, 30)})
	b.Select(b.Name("y", 50), "c", 52)
	b.Declare(Decl{Name: "z", Kind: Var, Start: 60, Value: typ})
	b.Select(b.Name("z", 70), "d", 72)
	b.Shade(Span{}, b.Expr(Expr{Op: Name, Name: "z", Start: 75}), Span{80, 90})
	b.Select(b.Name("z", 80), "e", 82)
	_ = callee
	for mode, want := range map[Mode][]string{Compat: {"a", "d"}, Extended: {"a", "b", "c", "d", "e"}} {
		if got := uses(b, mode, &Rules{}); !slices.Equal(got, want) {
			t.Errorf("mode %d: %q, want %q", mode, got, want)
		}
	}
}

func TestExtensions(t *testing.T) {
	b := NewBuilder("file")
	b.Declare(Decl{Name: "p", Kind: Param, Start: 1}) // nothing is known of it
	typ := b.Of(b.Expr(Expr{Op: Name, Name: "Other", Start: 1}))
	b.Declare(Decl{Name: "x", Kind: Var, Start: 1, Type: typ})
	call := func(on, name string, start int32) {
		b.File.Exprs[b.Select(b.Name(on, start), name, start+2)].N = Called
	}
	call("p", "ext", 10)
	call("p", "other", 20)
	call("nowhere", "ext", 30) // a class of a library
	call("x", "own", 40)
	b.Select(b.Name("p", 50), "ext", 52) // not called
	rules := &Rules{Extensions: true}
	if got := uses(b, Compat, rules); !slices.Equal(got, []string{"ext"}) {
		t.Errorf("%q", got)
	}
	if got := uses(b, Extended, rules); !slices.Equal(got, []string{"ext", "own"}) {
		t.Errorf("extended: %q", got)
	}
}

package python

import "benchmill/stages/lang"

type resolver struct{ *modules }

func newResolver(ix *lang.Index) lang.Resolver { return resolver{newModules(ix.Paths)} }

func (r resolver) Dependencies(f *lang.Facts) []string {
	var out []string
	for _, im := range f.Imports {
		for dir := range r.starts(f.Path, im.Path, im.Level) {
			if found := r.in(dir, im); len(found) > 0 {
				out = append(out, found...)
				break
			}
		}
	}
	return lang.Unique(f.Path, out)
}

// in looks an import up below a folder: the module itself and, for "from",
// submodules among the names.
func (r resolver) in(dir string, im lang.Import) []string {
	base := below(dir, im.Path)
	if base == "" {
		return nil
	}
	var out []string
	for _, name := range im.Names {
		if sub := below(base, name); sub != "" {
			if p := r.file(sub); p != "" {
				out = append(out, p)
			}
		}
	}
	if p := r.file(base); p != "" && (im.Path != "" || im.Level > 0) {
		out = append(out, p)
	}
	return out
}

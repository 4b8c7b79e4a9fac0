package callgraph

import "benchmill/stages/lang/cfamily"

// finder finds included files.
type finder struct{ *cfamily.Includes }

func newFinder(paths []string) *finder { return &finder{cfamily.NewIncludes(paths)} }

// find is the path of the file that is included, or "".
func (f *finder) find(from string, inc inclusion) string {
	return f.Find(from, inc.path, inc.angled && systemHeaders()[inc.path])
}

package coverage

import (
	"path"
	"strings"
)

// Reasons why rows of a report are dropped. They are names of notes.
const (
	reasonOutside   = "outside_repository" // a file of the system, or one that the build made
	reasonPath      = "ambiguous_path"     // several files of the repository may be meant
	reasonNone      = "no_definition"      // nothing of that name or in that line
	reasonAmbiguous = "ambiguous_name"     // several definitions may be meant
	reasonInside    = "inside_another"     // a function without a name of its own, such as a lambda
	reasonOther     = "other_name"         // in the first lines of a definition that has rows under its own name
)

// maxPath is the longest path that is looked at. The system opens none that is
// longer.
const maxPath = 4096

// resolver finds the files of a repository that reports name.
type resolver struct {
	files map[string]bool
	tails map[string]string // see tail; nil: not asked for yet
}

// newResolver takes the paths of a repository.
func newResolver(paths []string) *resolver {
	r := &resolver{files: make(map[string]bool, len(paths))}
	for _, p := range paths {
		r.files[p] = true
	}
	return r
}

// tail is the file whose path ends so after a slash, "" where they are several.
func (r *resolver) tail(name string) (file string, found bool) {
	if r.tails == nil {
		r.tails = map[string]string{}
		for f := range r.files {
			for _, rest, more := strings.Cut(f, "/"); more; _, rest, more = strings.Cut(rest, "/") {
				if _, taken := r.tails[rest]; taken {
					r.tails[rest] = ""
				} else {
					r.tails[rest] = f
				}
			}
		}
	}
	file, found = r.tails[name]
	return file, found
}

// located is what a path of a report comes to.
type located struct {
	file   string // "": none, see reason
	root   string // what stood before file in the report: where it was built
	reason string
}

// locate finds a file on its own: the longest end of the path that is a file, or
// the only file that ends so.
func (r *resolver) locate(name string) located {
	if len(name) > maxPath {
		return located{reason: reasonOutside}
	}
	name = path.Clean(name)
	for strings.HasPrefix(name, "../") {
		name = name[3:]
	}
	if path.IsAbs(name) {
		for tail := name; ; {
			_, rest, found := strings.Cut(tail, "/")
			if !found {
				return located{reason: reasonOutside}
			}
			tail = rest
			if r.files[tail] {
				return located{file: tail, root: name[:len(name)-len(tail)]}
			}
		}
	}
	if r.files[name] {
		return located{file: name}
	}
	switch file, found := r.tail(name); {
	case !found:
		return located{reason: reasonOutside}
	case file == "":
		return located{reason: reasonPath}
	default:
		return located{file: file}
	}
}

// resolve finds the files of all paths. Of absolute paths, most lie below the
// folder where the repository was built. One below another folder counts only
// where more than a name is the same, and where no path below the first is that
// file already: others, such as headers of the system, have the name by chance.
func (r *resolver) resolve(names map[string]bool) map[string]located {
	out := make(map[string]located, len(names))
	roots := map[string]int{}
	for name := range names {
		l := r.locate(name)
		out[name] = l
		if l.root != "" {
			roots[l.root]++
		}
	}
	main := ""
	for root, n := range roots {
		if most := roots[main]; n > most || n == most && (len(root) < len(main) || len(root) == len(main) && root < main) {
			main = root
		}
	}
	taken := map[string]bool{}
	for _, l := range out {
		if l.file != "" && (l.root == main || l.root == "") {
			taken[l.file] = true
		}
	}
	for name, l := range out {
		if l.root != "" && l.root != main && (taken[l.file] || !strings.Contains(l.file, "/")) {
			out[name] = located{reason: reasonOutside}
		}
	}
	return out
}

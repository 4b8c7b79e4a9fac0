package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// system are the parts of a machine without which no program runs. Those that
// are there are seen by all.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
}

// IsSystem reports whether every program sees a path.
func IsSystem(path string) bool { return within(path, system) }

// within reports whether a path is one of some folders or lies in one.
func within(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") })
}

// shown is a path a program sees.
type shown struct {
	path string
	link string // where it points; "": the path itself is shown
	file bool
}

// view lists what a program sees beside its own folders, in the order in which
// it is put in place: no path before one that it lies in.
func view(see []string) []shown {
	var out []shown
	for _, p := range system {
		info, err := os.Lstat(p)
		if err != nil {
			continue
		}
		if target, err := os.Readlink(p); err == nil {
			out = append(out, shown{path: p, link: target})
			continue
		}
		out = append(out, shown{path: p, file: !info.IsDir()})
	}
	seen := slices.Clone(system)
	for _, p := range slices.Sorted(slices.Values(see)) {
		p = filepath.Clean(p)
		info, err := os.Stat(p)
		if err != nil || within(p, seen) {
			continue // where something is missing, the program says what
		}
		out, seen = append(out, shown{path: p, file: !info.IsDir()}), append(seen, p)
	}
	return out
}

package java

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"benchmill/stages/lang/bind"
)

//go:embed jdk.txt
var jdkSource string

// jdkTypes are the types of each package of the JDK.
var jdkTypes = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(jdkSource) {
		if pkg, types, ok := strings.Cut(line, ": "); ok && line[0] != '#' {
			out[pkg] = strings.Fields(types) // ascending
		}
	}
	return out
})

// otherJDK are the beginnings of names in the JDK's further packages.
var otherJDK = []string{"com.sun.net.httpserver.", "com.sun.source.", "com.sun.management.", "jdk.", "sun.misc.", "org.w3c.dom", "org.xml.sax", "org.ietf.jgss", "netscape.javascript"}

// inJDK reports whether a package, or a type with all that is in it, comes with
// the JDK.
func inJDK(name string) bool {
	for at := name; at != ""; at = parent(at) {
		types, ok := jdkTypes()[at]
		if !ok {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(name[len(at):], "."), ".")
		if _, found := slices.BinarySearch(types, first); found || first == "" {
			return true
		}
	}
	return slices.ContainsFunc(otherJDK, func(p string) bool { return strings.HasPrefix(name, p) })
}

// absent reports imports of libraries that a compiler does not have which knows
// nothing but the JDK; of what is imported whole, whether the name in it is none
// of the JDK's.
func absent(im *bind.Import) bool {
	if im.All && im.Name != "" && im.Kind != "static" && jdkTypes()[im.Path] != nil {
		return !inJDK(im.Path + "." + im.Name)
	}
	return !inJDK(im.Path)
}

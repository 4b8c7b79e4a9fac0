package java

import (
	"fmt"
	"path"
	"strings"

	"benchmill/stages/lang"
)

// requires are the modules of the JDK that programs use.
const requires = " { requires java.se; requires jdk.unsupported; requires jdk.httpserver; requires jdk.compiler; requires jdk.net; requires jdk.management; requires jdk.jfr; requires jdk.jsobject; }\n"

// apart lays out each source in a module of its own, among stand-ins for what the
// files it depends on declare. Modules do not see each other, so that one start of
// javac answers for many files.
func apart(group []*source) []lang.SourceFile {
	var out []lang.SourceFile
	for _, s := range group {
		module := fmt.Sprintf("m%d_", s.n)
		out = append(out,
			lang.SourceFile{Path: module + "/module-info.java", Text: "module " + module + requires},
			lang.SourceFile{Path: fmt.Sprintf("%s/%d.java", module, s.n), Text: s.Text})
		s.around = map[string]bool{}
		taken := map[string]bool{}
		for _, name := range s.facts.Declares {
			taken[name] = true
		}
		for _, d := range s.needs {
			for _, t := range d.types {
				full := inModule(d.facts.Module, t.name)
				if taken[full] {
					continue
				}
				taken[full] = true
				for _, name := range t.declares("") {
					s.around[last(name)] = true
				}
				var text strings.Builder
				if d.facts.Module != "" {
					text.WriteString("package " + d.facts.Module + "; ")
				}
				t.write(&text, "public ")
				out = append(out, lang.SourceFile{Path: path.Join(module, strings.ReplaceAll(d.facts.Module, ".", "/"), t.name+".java"), Text: text.String() + "\n"})
			}
		}
	}
	return out
}

// together lays out sources in as few modules as it takes that no type is declared
// twice in one, since programs that have nothing to do with each other may share
// a repository. Each source sees the types that it depends on.
func together(group []*source) []lang.SourceFile {
	var out []lang.SourceFile
	placed := map[*source]bool{}
	for n := 0; len(placed) < len(group); n++ {
		module := fmt.Sprintf("w%d_", n)
		add := func(name string, s *source) {
			out = append(out, lang.SourceFile{Path: fmt.Sprintf("%s/%s%d.java", module, name, s.n), Text: s.Text})
		}
		out = append(out, lang.SourceFile{Path: module + "/module-info.java", Text: "module " + module + requires})
		m := types{}
		own := map[*source]bool{}
		var queue []*source
		for _, s := range group {
			if !placed[s] && (m.take(append(s.needs[:len(s.needs):len(s.needs)], s)...) || len(m) == 0 && m.take(s)) {
				placed[s], own[s] = true, true
				queue = append(queue, s)
				add("", s)
			}
		}
		for i := 0; i < len(queue) && (n == 0 || i < maxNeeded); i++ {
			for _, d := range queue[i].needs {
				if !own[d] && m.take(d) {
					own[d] = true
					queue = append(queue, d)
					add("needed", d) // what is said of it here does not count
				}
			}
		}
	}
	return out
}

// maxNeeded bounds what a module after the first holds for the sake of others.
const maxNeeded = 1000

// types are the sources in a module that declare its types, by name.
type types map[string]*source

// take adds the types of sources, unless others declare some of them.
func (m types) take(sources ...*source) bool {
	for _, s := range sources {
		for _, name := range s.facts.Declares {
			if by := m[name]; by != nil && by != s {
				return false
			}
		}
	}
	for _, s := range sources {
		for _, name := range s.facts.Declares {
			m[name] = s
		}
	}
	return true
}

package csharp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// maxRounds bounds how often files are compiled again without what mcs stopped at.
const maxRounds = 12

// probe has an error that mcs comes to only once it reads bodies.
const (
	probe      = "benchmillProbe"
	probeClass = "class " + probe + "Class { void F() { " + probe + " = 1; } }\n"
)

// reach compiles files with stand-ins for the other files among all, again and
// again without what keeps mcs from the bodies: first the parts of declarations
// that need other files, then the files that without agrees to leave out. It
// returns the errors, and whether mcs came to the bodies.
func (c *check) reach(ctx context.Context, files, all []*source, without func(*source, message) bool) (out []message, reached bool, err error) {
	files = slices.Clone(files)
	for range maxRounds {
		out, err = c.compile(ctx, files, all)
		if err != nil || slices.ContainsFunc(out, message.isProbe) {
			return out, err == nil, err
		}
		better := c.withoutLibraries(out)
		for _, m := range out {
			switch s := m.source; {
			case s == nil:
			case m.standIn:
				better = better || !s.bare
				s.bare = true
			case s.blank(m):
				better = true
			case slices.Contains(files, s) && without(s, m):
				files = slices.DeleteFunc(files, func(f *source) bool { return f == s })
				better = true
			}
		}
		if !better {
			break
		}
	}
	return out, false, nil
}

func (m message) isProbe() bool { return m.source == nil && m.code == 103 && m.subject(1) == probe }

// compile runs mcs once. Messages come back with the paths of files; those about
// anything else have none.
func (c *check) compile(ctx context.Context, files, all []*source) ([]message, error) {
	args := []string{"-target:library", "-out:out.dll", "-unsafe", "-warn:0"}
	for _, name := range c.libraries {
		args = append(args, "-r:"+name+".dll")
	}
	var given []lang.SourceFile
	names := map[string]*source{}
	add := func(text string, s *source) {
		name := fmt.Sprintf("f%d.cs", len(given))
		names[name] = s
		given = append(given, lang.SourceFile{Path: name, Text: text})
		args = append(args, name)
	}
	seen := map[string]bool{}
	for _, s := range files {
		if !s.out {
			add(s.text, s)
			for _, d := range s.types {
				d.mention("", seen)
			}
		}
	}
	for _, s := range all {
		if s.out || !slices.Contains(files, s) {
			if text := s.standIn(seen); text != "" {
				add(text, s)
			}
		}
	}
	add(probeClass, nil)
	out, err := c.run(ctx, args, given)
	if err != nil {
		return nil, err
	}
	found := messages(out.Stdout + "\n" + out.Stderr)
	for i := range found {
		found[i].source = names[found[i].path]
		found[i].path = ""
		if s := found[i].source; s != nil {
			found[i].path = s.path
			found[i].standIn = s.out || !slices.Contains(files, s)
		}
	}
	return found, nil
}

// standIn is the text that takes the place of a file.
func (s *source) standIn(seen map[string]bool) string {
	var w strings.Builder
	for _, d := range s.types {
		d.write(&w, "", seen, s.bare || s.out)
	}
	return w.String()
}

// withoutLibraries leaves out the libraries that are not installed.
func (c *check) withoutLibraries(out []message) bool {
	before := len(c.libraries)
	for _, m := range out {
		if m.code == 6 {
			missing := strings.TrimSuffix(m.subject(1), ".dll")
			c.libraries = slices.DeleteFunc(slices.Clone(c.libraries), func(name string) bool { return name == missing })
		}
	}
	return len(c.libraries) < before
}

// blank overwrites the part of a declaration that an error is about, where that is
// a part that needs another file. It reports whether it did.
func (s *source) blank(m message) bool {
	at := offset(s.text, s.lines, m.line, m.column)
	if at < 0 {
		return false
	}
	switch m.code {
	case 115, 506, 507, 508, 1715, 1719, 1720: // nothing to override
		if n := s.around(at, "method_declaration", "property_declaration", "indexer_declaration", "event_declaration", "event_field_declaration"); n != treesitter.NoNode {
			did := false
			for c := range s.tree.Children(n) {
				if s.tree.Kind(c) == "modifier" && (s.tree.Text(c) == "override" || s.tree.Text(c) == "sealed") {
					did = s.erase(c) || did
				}
			}
			return did
		}
	case 539, 540, 538: // the interface has no such member
		if n := s.around(at, "method_declaration", "property_declaration", "indexer_declaration", "event_declaration"); n != treesitter.NoNode {
			for c := range s.tree.Children(n) {
				if s.tree.Kind(c) == "explicit_interface_specifier" {
					return s.erase(c)
				}
			}
		}
	case 534, 535, 536, 737, 738, 1721, 509, 527: // not what a base asks for, or no base
		if n := s.around(at, "class_declaration", "struct_declaration", "interface_declaration"); n != treesitter.NoNode {
			for c := range s.tree.Children(n) {
				if s.tree.Kind(c) == "base_list" {
					return s.erase(c)
				}
			}
		}
	}
	return false
}

// around is the innermost node of some kinds around an offset.
func (s *source) around(at int, kinds ...string) int32 {
	found := treesitter.NoNode
	for i := range s.tree.Nodes {
		n := &s.tree.Nodes[i]
		if int(n.Start) <= at && at < int(n.End) && slices.Contains(kinds, s.tree.Kind(int32(i))) {
			found = int32(i)
		}
	}
	return found
}

// erase overwrites a node with blanks, so that nothing else moves. It reports
// whether there was something left of it.
func (s *source) erase(i int32) bool {
	n := s.tree.Nodes[i]
	old := s.text[n.Start:n.End]
	blanks := []byte(old)
	for i, c := range blanks {
		if c != '\n' && c != '\r' {
			blanks[i] = ' '
		}
	}
	s.text = s.text[:n.Start] + string(blanks) + s.text[n.End:]
	return string(blanks) != old
}

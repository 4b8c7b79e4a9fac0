package lang

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"benchmill/internal/digest"
	"benchmill/internal/treesitter"
)

// A Language is data plus a few functions; the optional ones are abilities that
// stages ask for by looking whether they are nil. It knows no benchmark and no
// other language.
type Language struct {
	Name    string // as rows say it: "python"
	Title   string // as people say it: "Python"
	Doc     string // what counts as a function, how imports are resolved
	Version int    // raised whenever the same file may give other facts; its history stands in the comment above

	// Syntaxes list the file suffixes and how to parse them. The first one whose
	// suffix fits serves a file.
	Syntaxes []*Syntax
	// ConfigFiles are base names of files that the resolver reads ("go.mod"), or
	// patterns of them as [path.Match] has them ("*.csproj").
	ConfigFiles []string

	CommentPrefix string // starts a comment to the end of the line: "#"

	// Extract adds what is special to the language to the facts of a file:
	// imports, modules, identifiers. Nil: the queries say it all.
	Extract func(t *treesitter.Tree, m Matches, f *Facts)
	// NewResolver freezes what is known of a repository. Nil: the language has
	// no notion of dependencies, and files stand in path order.
	NewResolver func(ix *Index) Resolver
	// Names lists the identifiers that a function introduces: its own name, its
	// parameters and its locals, for descriptions that must not give them away.
	// Nil: [Facts] say only the name.
	Names func(t *treesitter.Tree, function int32) Names
	// Binding says what names mean across files. Nil: not known.
	Binding *Binding
	// Statements says where statements end. Nil: not known.
	Statements *Statements
	// Checker asks the language's own compiler what it misses. Nil: none is known.
	Checker *Checker
	// CallGraph says which functions call which. Nil: not known.
	CallGraph *CallGraph
}

// Syntax is one grammar of a language with the queries over it, in standard
// capture names:
//
//	@definition.function  a function, with its @name
//	@comment              a comment
//	@comment.doc          a string that documents what it stands in
//	@import               an import; all nodes below it are kept for Extract
//	@definition.module    a module or package declaration
type Syntax struct {
	Suffixes []string // with the dot, longest first where one ends in another
	Grammar  *treesitter.Grammar
	Source   string // of the query, embedded from the folder's .scm file
	// Texts and Starts are what everything above a captured node contains, so
	// that the rest of a tree is skipped; see [treesitter.Keep.Only].
	Texts, Starts []string

	query *treesitter.Query
}

// Names are the identifiers a function introduces, in source order.
type Names struct {
	Name           string
	Params, Locals []string
}

// Matches are the nodes that the query captured, by capture name, in source order.
type Matches map[string][]int32

// Resolver says which files of the repository a file depends on.
type Resolver interface {
	// Dependencies returns paths of the index that f imports, each once, in
	// ascending order, without f itself.
	Dependencies(f *Facts) []string
}

// Index is a frozen repository: facts of every source file below the entry
// directory, and the config files of the whole repository.
type Index struct {
	Entry  string            // the entry directory, "" or "." for the root
	Files  map[string]*Facts // by path
	Paths  []string          // of Files, ascending
	Config map[string]string // content by path
}

// NewIndex freezes facts.
func NewIndex(entry string, facts []*Facts, config map[string]string) *Index {
	ix := &Index{Entry: path.Clean("/" + entry)[1:], Files: map[string]*Facts{}, Config: config}
	for _, f := range facts {
		ix.Files[f.Path] = f
		ix.Paths = append(ix.Paths, f.Path)
	}
	slices.Sort(ix.Paths)
	return ix
}

// Has reports whether path is a source file of the index.
func (ix *Index) Has(path string) bool { return ix.Files[path] != nil }

// ConfigPaths lists the config files of a base name, ascending.
func (ix *Index) ConfigPaths(base string) []string {
	var out []string
	for p := range ix.Config {
		if path.Base(p) == base {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// Compile prepares the queries. A registry compiles each language once at start.
func (l *Language) Compile() error {
	var errs []error
	if l.Name == "" || l.Title == "" || l.Doc == "" || l.Version < 1 || l.CommentPrefix == "" || len(l.Syntaxes) == 0 {
		errs = append(errs, fmt.Errorf("language %q: name, title, doc, version, comment prefix and syntaxes are required", l.Name))
	}
	for _, s := range l.Syntaxes {
		if s.query != nil {
			continue
		}
		q, err := treesitter.NewQuery(s.Grammar, s.Source)
		if err != nil {
			errs = append(errs, fmt.Errorf("language %s: %w", l.Name, err))
			continue
		}
		if len(s.Texts) > 0 {
			q.Keep.Only(s.Texts, s.Starts)
		}
		s.query = q
	}
	return errors.Join(errs...)
}

// Syntax returns how to parse a path, or nil when it is none of the language.
func (l *Language) Syntax(path string) *Syntax {
	for _, s := range l.Syntaxes {
		for _, suffix := range s.Suffixes {
			if strings.HasSuffix(path, suffix) {
				return s
			}
		}
	}
	return nil
}

// Query is the compiled query.
func (s *Syntax) Query() *treesitter.Query { return s.query }

// IsConfig reports whether the resolver reads this file.
func (l *Language) IsConfig(p string) bool {
	base := path.Base(p)
	for _, pattern := range l.ConfigFiles {
		if ok, err := path.Match(pattern, base); ok && err == nil {
			return true
		}
	}
	return false
}

// Identity joins every key that depends on the language: its version, grammars
// and queries.
func (l *Language) Identity() digest.Digest {
	e := digest.New("benchmill/language/1")
	e.String(l.Name)
	e.Int(int64(l.Version))
	for _, s := range l.Syntaxes {
		e.String(s.Grammar.Identity())
		e.String(s.Source)
	}
	return e.Sum()
}

// Set is a registry of compiled languages.
type Set struct{ Languages []*Language }

// NewSet compiles and checks a registry: names and suffixes are unique.
func NewSet(languages []*Language) (*Set, error) {
	var errs []error
	seen := map[string]bool{}
	for _, l := range languages {
		if seen[l.Name] {
			errs = append(errs, fmt.Errorf("language %q is declared twice", l.Name))
		}
		seen[l.Name] = true
		errs = append(errs, l.Compile())
	}
	return &Set{languages}, errors.Join(errs...)
}

// Get returns a language by name, or nil.
func (s *Set) Get(name string) *Language {
	for _, l := range s.Languages {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// Names lists the languages in the order of the registry.
func (s *Set) Names() []string {
	var out []string
	for _, l := range s.Languages {
		out = append(out, l.Name)
	}
	return out
}

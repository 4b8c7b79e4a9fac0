package lang

import (
	"context"
	"fmt"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// Binding is the ability to say what names mean across files; see package bind.
type Binding struct {
	// Version is raised whenever the same files may give other uses; [Language.Version]
	// stays, since facts do not change. Its history stands in the comment above.
	Version int
	Rules   *bind.Rules
	// Bind describes one file, given its whole tree ([Language.ParseWhole]). It
	// never fails: what it does not understand is not known.
	Bind func(path string, t *treesitter.Tree) *bind.File
	// Link freezes the files of a repository, ascending by path, with the contents
	// of its config files by path.
	Link func(files []*bind.File, config map[string]string) bind.Linker
}

// Statements says where a statement ends, for a program that completes it.
type Statements struct {
	// Marks end a statement, wherever they stand: the reference runs up to and with
	// the first of them (CrossCodeEval, section 2.2). Empty: Nodes say it.
	Marks string
	// Nodes are the kinds of tree-sitter nodes that are statements; the innermost
	// one that holds the cursor counts.
	Nodes []string
	// Lists are kinds of nodes right inside of which every named node is a statement,
	// for grammars that put no node around an expression that stands alone.
	Lists []string
	// Bodies are kinds of nodes that a statement's own text does not include: the
	// statement ends before them. One that is of Nodes too is a branch with a head
	// ("case a:"): a statement that ends before the first statement in it.
	Bodies []string
}

// A Checker finds uses of other files with the language's own compiler or
// checker: what it does not know once the project's other files are taken away.
type Checker struct {
	Version int    // raised whenever the same tool may give other uses
	Tool    string // as the tool source knows it: "pylint"
	Doc     string // which messages count, what the stand-ins are
	// Check returns the uses in files, by path, in source order. Files are those of
	// the language and the config files. run may be called several times. A file the
	// tool cannot read at all is returned in skipped with the reason.
	Check func(ctx context.Context, files []SourceFile, run Run) (uses map[string][]bind.Use, skipped map[string]string, err error)
}

// BindingIdentity joins every key that depends on what names mean.
func (l *Language) BindingIdentity() string {
	return fmt.Sprintf("%s binding %d %s", l.Name, l.Binding.Version, l.Identity())
}

// SourceFile is a file of a repository with its text.
type SourceFile struct{ Path, Text string }

// Run runs the tool with the given arguments in an empty folder that holds just
// the files, without network and within limits. An exit code other than 0 is no
// error; running out of time or memory is.
type Run func(ctx context.Context, args []string, files []SourceFile) (Output, error)

// Output is what a tool said. Longer outputs than the limit are errors of Run.
type Output struct {
	Exit           int
	Stdout, Stderr string
}

// BindAll binds the files of a repository that can be parsed, in their order. What
// cannot is returned with the error.
func (l *Language) BindAll(files []SourceFile, limits treesitter.Limits) (bound []*bind.File, failed map[string]error) {
	failed = map[string]error{}
	for _, f := range files {
		t, err := l.ParseWhole(f.Path, []byte(f.Text), limits)
		if err != nil {
			failed[f.Path] = err
			continue
		}
		bound = append(bound, l.Binding.Bind(f.Path, t))
	}
	return bound, failed
}

// Resolver freezes bound files, with the contents of config files by path.
func (l *Language) Resolver(files []*bind.File, config map[string]string, mode bind.Mode) *bind.Resolver {
	return bind.NewResolver(files, l.Binding.Link(files, config), l.Binding.Rules, mode)
}

// ParseWhole parses a file and keeps every node of the tree, tokens included.
func (l *Language) ParseWhole(path string, src []byte, limits treesitter.Limits) (*treesitter.Tree, error) {
	s, err := l.syntax(path, src, limits)
	if err != nil {
		return nil, err
	}
	t, err := treesitter.Parse(src, s.Grammar, nil, limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

package importtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the path of the module, as go.mod has it.
const Module = "benchmill"

// File is what the rules look at in one Go file.
type File struct {
	Name    string   // slash-separated, from the root of the module
	Command bool     // it belongs to a package main
	Imports []string // as written; those of the module without its path: "stages/lang"
	// Literals and Names are the string literals, unquoted, and the identifiers
	// of the file. Imports and comments are not among them.
	Literals, Names []string
	// Calls are selectors of imported packages: "time.Now".
	Calls []string
}

// Package is the folder of the file, from the root of the module.
func (f *File) Package() string { return path.Dir(f.Name) }

// Load reads every Go file below a folder that is no test. Folders that the go
// tool passes over (testdata, names that begin with "." or "_") are left out.
func Load(root fs.FS) ([]*File, error) {
	var out []*File
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() {
			if name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f, err := Parse(name, src)
		if err == nil {
			out = append(out, f)
		}
		return err
	})
	return out, err
}

// Parse reads one file.
func Parse(name string, src []byte) (*File, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Command: parsed.Name.Name == "main"}
	called := map[string]string{} // package path by the name it is used under
	for _, spec := range parsed.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		used := path.Base(p)
		if spec.Name != nil {
			used = spec.Name.Name
		}
		called[used] = p
		f.Imports = append(f.Imports, strings.TrimPrefix(p, Module+"/"))
	}
	for _, decl := range parsed.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				f.Names = append(f.Names, n.Name)
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					f.Literals = append(f.Literals, s)
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && called[x.Name] != "" {
					f.Calls = append(f.Calls, called[x.Name]+"."+n.Sel.Name)
				}
			}
			return true
		})
	}
	slices.Sort(f.Imports)
	return f, nil
}

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"benchmill/pipeline"
)

// Match reports whether a path is one that a pattern of [pipeline.Job.Keep] names:
// part by part as [path.Match] has it, with "**" for any number of folders. It
// takes time in proportion to the product of their parts.
func Match(pattern, name string) bool {
	parts := strings.Split(pattern, "/")
	at := make([]bool, len(parts)+1) // at[i]: the first i parts match what was read
	at[0] = true
	for i := 0; i < len(parts) && parts[i] == "**"; i++ {
		at[i+1] = true
	}
	for part := range strings.SplitSeq(name, "/") {
		next := make([]bool, len(at))
		for i, p := range parts {
			if p == "**" {
				next[i+1] = next[i] || at[i] || at[i+1]
			} else if at[i] {
				ok, _ := path.Match(p, part)
				next[i+1] = ok
			}
		}
		at = next
	}
	return at[len(parts)]
}

func checkPattern(p string) error {
	if len(p) > maxPath || strings.Count(p, "/") >= maxParts {
		return fmt.Errorf("a pattern of %d bytes", len(p))
	}
	for part := range strings.SplitSeq(p, "/") {
		if _, err := path.Match(part, ""); err != nil || part == "" || part == "." || part == ".." {
			return fmt.Errorf("%q is no pattern of files to hand back", p)
		}
	}
	return nil
}

// errTooMuch is of files that are more than may be handed back.
var errTooMuch = errors.New("more than may be handed back")

// Most files and folders that are looked at for those to hand back.
const maxLooked = 1 << 20

// keep reads the files that patterns name, ascending by path, at most so many bytes
// of paths and texts in all. Names that are not UTF-8 name nothing. Nothing may run
// in the folder.
func keep(dir string, patterns []string, most int64) ([]pipeline.JobFile, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []pipeline.JobFile
	looked := 0
	err = walk(root, func(name string, info fs.FileInfo) error {
		if looked++; looked > maxLooked {
			return errTooMuch
		}
		if tooDeep(name) {
			return fs.SkipDir
		}
		if !info.Mode().IsRegular() || !utf8.ValidString(name) || !slices.ContainsFunc(patterns, func(p string) bool { return Match(p, name) }) {
			return nil
		}
		if most -= int64(len(name)) + info.Size(); most < 0 {
			return errTooMuch
		}
		text, err := read(root, name, info)
		if err != nil {
			return err
		}
		out = append(out, pipeline.JobFile{Path: name, Text: text, Executable: info.Mode()&0o100 != 0})
		return nil
	})
	slices.SortFunc(out, func(a, b pipeline.JobFile) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// read reads a regular file, also one that its owner has locked.
func read(root *os.Root, name string, info fs.FileInfo) (string, error) {
	f, err := open(root, name, info)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, info.Size()))
	return string(text), err
}

func open(root *os.Root, name string, info fs.FileInfo) (*os.File, error) {
	const flags = os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	f, err := root.OpenFile(name, flags, 0)
	if errors.Is(err, fs.ErrPermission) && root.Chmod(name, info.Mode().Perm()|0o400) == nil {
		f, err = root.OpenFile(name, flags, 0)
	}
	return f, err
}

// walk visits everything below a folder but itself, a folder before what it holds,
// folder by folder in the order of names, and follows no link. Folders that their
// owner has locked are unlocked. Where visit says [fs.SkipDir], it goes no deeper.
func walk(root *os.Root, visit func(name string, info fs.FileInfo) error) error {
	stack := []string{"."}
	for len(stack) > 0 {
		dir := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		names, err := list(root, dir)
		if err != nil {
			return err
		}
		for _, n := range names {
			name := path.Join(dir, n)
			info, err := root.Lstat(name)
			if err != nil {
				return err
			}
			err = visit(name, info)
			if err != nil && err != fs.SkipDir {
				return err
			}
			if info.IsDir() && err == nil {
				if info.Mode().Perm()&0o500 != 0o500 {
					_ = root.Chmod(name, info.Mode().Perm()|0o500)
				}
				stack = append(stack, name)
			}
		}
	}
	return nil
}

// tooDeep is of paths that no file of a job may have. Each part costs at each look.
func tooDeep(name string) bool { return len(name) > maxPath || strings.Count(name, "/") >= maxParts }

func list(root *os.Root, dir string) ([]string, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

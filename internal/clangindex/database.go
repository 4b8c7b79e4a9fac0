package clangindex

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"benchmill/internal/libclang"
)

// entry is an entry of a compile database, as clang's documentation has it. Either
// of Arguments and Command is there; other fields are passed over.
type entry struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
	Command   string   `json:"command"`
}

// Problem is a unit that was not read, or not without errors.
type Problem struct {
	File string `json:"file"` // below the root, or as the database has it
	What string `json:"what"`
	Read bool   `json:"read"` // as far as it could be
}

// ParseDatabase reads a compile database that lies in dir, an absolute path. Units
// whose file is not below root are refused and become problems; the folder in which
// a compiler runs may lie anywhere. A unit that is there twice counts once. Options
// that write files, load plugins, or read options from files are left out.
func ParseDatabase(data []byte, dir, root string) ([]libclang.Command, []Problem, error) {
	var entries []entry
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", DatabaseName, err)
	}
	var out []libclang.Command
	var problems []Problem
	seen := map[string]bool{}
	for _, e := range entries {
		words := e.Arguments
		if len(words) == 0 {
			words = split(e.Command)
		}
		c := libclang.Command{Dir: join(dir, e.Directory)}
		c.File = join(c.Dir, e.File)
		problem := ""
		switch {
		case e.File == "" || len(words) == 0:
			problem = "no file or no command"
		case strings.Contains(e.File+e.Directory+strings.Join(words, ""), "\x00"):
			problem = "NUL in a command"
		case !below(root, c.File):
			problem = "outside of the repository"
		}
		if problem != "" {
			problems = append(problems, Problem{File: e.File, What: problem})
			continue
		}
		c.Args = arguments(words, c)
		key := c.Dir + "\x00" + c.File + "\x00" + strings.Join(c.Args, "\x00")
		if !seen[key] {
			seen[key] = true
			out = append(out, c)
		}
	}
	return out, problems, nil
}

func join(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// below reports whether a clean path lies below a folder.
func below(root, name string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(root, "/")+"/")
}

// Programs that start the compiler that follows them.
var launchers = []string{"ccache", "distcc", "sccache", "icecc"}

// Options that are left out, with the word that follows, and without; the latter
// end with "*" where anything may follow in the same word.
var (
	dropPairs = []string{
		"-o", "-MF", "-MT", "-MQ", "-MJ", "-Xclang", "-mllvm", "-load", "-resource-dir", "--config",
		"-working-directory", "--serialize-diagnostics", "-serialize-diagnostics", "-index-store-path", "-specs", "-Xlinker", "-Xassembler",
	}
	dropWords = []string{
		"-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-o*", "-MF*", "-MT*", "-MQ*", "-Wp,*", "-Wl,*", "-Wa,*",
		"-fplugin*", "-fpass-plugin*", "-specs=*", "--specs=*", "--config=*", "-resource-dir=*", "-working-directory=*",
		"-save-temps*", "--save-temps*", "-emit-*", "-fcrash-diagnostics*", "-dependency-*", "@*", "-pipe",
	}
)

// arguments are those of a compiler's words that decide what it reads.
func arguments(words []string, c libclang.Command) []string {
	for len(words) > 1 && slices.Contains(launchers, path.Base(words[0])) {
		words = words[1:]
	}
	var out []string
	if strings.Contains(path.Base(words[0]), "++") {
		out = append(out, "--driver-mode=g++")
	}
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case slices.Contains(dropPairs, w):
			i++
		case dropped(w), !strings.HasPrefix(w, "-") && join(c.Dir, w) == c.File:
		default:
			out = append(out, w)
		}
	}
	return out
}

func dropped(word string) bool {
	return slices.ContainsFunc(dropWords, func(d string) bool {
		start, open := strings.CutSuffix(d, "*")
		return word == d || open && strings.HasPrefix(word, start)
	})
}

// shorter orders paths so that those nearer to the top come first.
func shorter(a, b string) int {
	return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
}

// Command cmd trains the embedded vocabulary of package tokenizer. It is run by
// go generate and prints what it used; the same files on the machine give the
// same vocabulary.
//
// The corpus is source code that comes with the Go and Python distributions and
// the system's C headers. What is kept of it is the order in which byte
// sequences are frequent.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"benchmill/internal/tokenizer/mergefile"
	"benchmill/internal/tokenizer/split"
	"benchmill/internal/tokenizer/train"
)

// group is a share of the corpus: languages that count as one, so that none
// takes the vocabulary for itself.
type group struct {
	name     string
	suffixes []string
	budget   int64 // bytes
}

var groups = []group{
	{"go", []string{".go"}, 16 << 20},
	{"python", []string{".py"}, 16 << 20},
	{"c", []string{".c", ".h", ".hpp", ".tcc", ".s"}, 16 << 20},
	{"javascript", []string{".js"}, 16 << 20},
}

// Larger files are mostly tables.
const maxFile = 256 << 10

func main() {
	log.SetFlags(0)
	out := flag.String("o", "embedded.bpe.gz", "file to write")
	merges := flag.Int("merges", 8000, "merges to learn")
	goroot := flag.String("goroot", "", "Go distribution, whose src and test are read; default that of the go command")
	extra := flag.String("extra", "/usr/lib/python3*:/usr/include", "more folders, as patterns parted by colons")
	flag.Parse()
	if err := run(*out, *merges, *goroot, *extra); err != nil {
		log.Fatal(err)
	}
}

func run(out string, merges int, goroot, extra string) error {
	if goroot == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return fmt.Errorf("ask go for its root: %w", err)
		}
		goroot = strings.TrimSpace(string(out))
	}
	roots := []string{filepath.Join(goroot, "src"), filepath.Join(goroot, "test")}
	for _, pattern := range strings.Split(extra, ":") {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		roots = append(roots, found...)
	}
	corpus := train.NewCorpus(split.Llama3)
	digest := sha256.New()
	files := 0
	for _, g := range groups {
		used, err := addGroup(corpus, g, roots, func(text []byte) {
			files++
			sum := sha256.Sum256(text)
			digest.Write(sum[:])
		})
		if err != nil {
			return err
		}
		log.Printf("%-12s %10d bytes", g.name, used)
	}
	learned := train.Train(corpus.Words, train.Options{Merges: merges, MaxToken: 24, MinCount: 16})
	f := mergefile.File{
		Merges: learned,
		Origin: fmt.Sprintf("%d merges from %d bytes of %d files, sha256 of their digests %s, %s",
			len(learned), corpus.Bytes, files, hex.EncodeToString(digest.Sum(nil)), runtime.Version()),
	}
	log.Print(f.Origin)
	w, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := mergefile.Write(w, f); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// addGroup adds files of a group in the order of a hash of their paths, which
// draws them evenly from all folders, until the budget is spent.
func addGroup(corpus *train.Corpus, g group, roots []string, used func([]byte)) (int64, error) {
	paths, err := find(roots, g.suffixes)
	if err != nil {
		return 0, err
	}
	slices.SortFunc(paths, func(a, b candidate) int { return strings.Compare(a.order, b.order) })
	start := corpus.Bytes
	for _, p := range paths {
		if corpus.Bytes-start >= g.budget {
			break
		}
		text, err := os.ReadFile(p.path)
		if err != nil {
			return 0, err
		}
		used(text)
		corpus.Add(string(text))
	}
	return corpus.Bytes - start, nil
}

type candidate struct{ path, order string }

func find(roots, suffixes []string) ([]candidate, error) {
	var found []candidate
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !slices.Contains(suffixes, filepath.Ext(path)) {
				return err
			}
			info, err := d.Info()
			if err != nil || info.Size() > maxFile {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256([]byte(filepath.ToSlash(rel)))
			found = append(found, candidate{path, hex.EncodeToString(sum[:]) + rel})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

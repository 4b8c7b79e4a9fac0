package release

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// alsoDir holds what adapters write: also/<adapter>/<their own paths>.
const alsoDir = "also"

// maxAlso bounds the files of all adapters of a release, which are open at the
// same time.
const maxAlso = 512

// AlsoFile is a file an adapter wrote.
type AlsoFile struct {
	Adapter string        `json:"adapter"` // name/version
	Path    string        `json:"path"`    // below the release, with slashes
	Bytes   int64         `json:"bytes"`
	Digest  digest.Digest `json:"digest"` // of the bytes
}

// also writes the files of a release's adapters as its rows come by.
type also struct {
	work     string
	adapters []*pipeline.Adapter
	open     map[string]*alsoFile // by path
}

type alsoFile struct {
	info  AlsoFile
	frame pipeline.Frame
	begun bool // an entry has been added
	file  *os.File
	hash  *digest.Hasher
	out   *bufio.Writer
}

// entry adds what one row has for the file, after the head or a separator.
func (f *alsoFile) entry(data []byte) error {
	before := f.frame.Head
	if f.begun {
		before = f.frame.Separator
	}
	f.begun = true
	return errors.Join(f.write([]byte(before)), f.write(data))
}

func (f *alsoFile) write(data []byte) error {
	f.hash.Write(data)
	f.info.Bytes += int64(len(data))
	_, err := f.out.Write(data)
	return atomicfile.Explain(err)
}

func (a *also) add(row reflect.Value) error {
	for _, adapter := range a.adapters {
		err := adapter.Append(row.Interface(), func(path string, data []byte) error {
			f, err := a.file(adapter, path)
			if err != nil {
				return err
			}
			return f.entry(data)
		})
		if err != nil {
			return fmt.Errorf("adapter %s: row %s: %w", adapter.Name, adapter.Schema.KeyOf(row), err)
		}
	}
	return nil
}

var alsoPart = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}$`)

func (a *also) file(adapter *pipeline.Adapter, path string) (*alsoFile, error) {
	for part := range strings.SplitSeq(path, "/") {
		if !alsoPart.MatchString(part) {
			return nil, fmt.Errorf("%q cannot be the path of a file", path)
		}
	}
	path = alsoDir + "/" + adapter.Name + "/" + path
	if f := a.open[path]; f != nil {
		return f, nil
	}
	if len(a.open) == maxAlso {
		return nil, fmt.Errorf("more than %d files", maxAlso)
	}
	full := filepath.Join(a.work, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return nil, atomicfile.Explain(err)
	}
	file, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, atomicfile.Explain(err)
	}
	f := &alsoFile{info: AlsoFile{Adapter: adapter.String(), Path: path}, frame: adapter.Frame, file: file, hash: digest.NewHasher(), out: bufio.NewWriter(file)}
	a.open[path] = f
	return f, nil
}

// finish closes the files and lists them by path.
func (a *also) finish() ([]AlsoFile, error) {
	var out []AlsoFile
	for _, path := range slices.Sorted(maps.Keys(a.open)) {
		f := a.open[path]
		if err := errors.Join(f.write([]byte(f.frame.Tail)), f.out.Flush(), f.file.Close()); err != nil {
			return nil, atomicfile.Explain(err)
		}
		f.info.Digest = f.hash.Digest()
		out = append(out, f.info)
	}
	return out, nil
}

// close lets go of files after a failure; after finish it does nothing.
func (a *also) close() {
	for _, f := range a.open {
		f.file.Close()
	}
}

// verifyAlso checks the bytes of a file an adapter wrote.
func verifyAlso(dir string, f AlsoFile, bad func(string, string, ...any)) error {
	r, err := os.Open(filepath.Join(dir, filepath.FromSlash(f.Path)))
	if errors.Is(err, fs.ErrNotExist) {
		bad(f.Path, "missing")
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	d, n, err := digest.OfReader(r)
	if err == nil && d != f.Digest {
		bad(f.Path, "%d bytes with digest %s; the manifest says %d with %s", n, d.Short(), f.Bytes, f.Digest.Short())
	}
	return err
}

package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/memfs"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

const (
	cacheBytes = 32 * cache.MiByte // of objects that others are deltas of

	maxSmallFile  = 1 << 20 // bytes of a file that configures a repository
	maxAlternates = 64      // folders of objects borrowed from, git's nesting of 5 included
)

var (
	errEmpty    = errors.New("the repository is empty")
	errSHA256   = errors.New("repositories with SHA-256 object ids are not supported")
	errReftable = errors.New("repositories that keep references in a reftable are not supported; name a full commit id")
	errNoRepo   = errors.New("not a git repository")
)

// repository is a local repository open for reading. It is not safe for
// concurrent use.
type repository struct {
	folders  []*objectFolder // its own, then those it borrows from
	refs     storer.ReferenceStorer
	reftable bool
	buf      []byte // of the object read last
}

// open opens the repository at a path. What its configuration tells git to run
// or to fetch has no bearing on reading, so the configuration is not even
// parsed, only searched for formats this package does not know.
func open(path string) (*repository, error) {
	gitDir, err := findGitDir(path)
	if err != nil {
		return nil, err
	}
	common, err := commonDir(gitDir)
	if err != nil {
		return nil, err
	}
	config, err := readSmall(filepath.Join(common, "config"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if isSHA256.MatchString(config) {
		return nil, errSHA256
	}
	fs := billy.Filesystem(osfs.New(gitDir))
	if common != gitDir {
		fs = dotgit.NewRepositoryFilesystem(fs, osfs.New(common))
	}
	r := &repository{
		refs:     filesystem.NewStorage(fs, nil),
		reftable: isReftable.MatchString(config),
	}
	return r, r.borrow(filepath.Join(common, "objects"), cache.NewObjectLRU(cacheBytes))
}

var (
	isSHA256   = regexp.MustCompile(`(?i)\bobjectformat\s*=\s*"?sha256\b`)
	isReftable = regexp.MustCompile(`(?i)\brefstorage\s*=\s*"?reftable\b`)
)

// close lets go of open packs.
func (r *repository) close() {
	for _, f := range r.folders {
		// Only reading was done: there is nothing a failing close could lose.
		_ = f.packs.Close()
	}
}

// borrow adds a folder of objects and those its alternates name.
func (r *repository) borrow(folder string, objects cache.Object) error {
	for _, f := range r.folders {
		if f.path == folder {
			return nil
		}
	}
	if len(r.folders) == maxAlternates {
		return fmt.Errorf("objects are borrowed from more than %d folders", maxAlternates-1)
	}
	r.folders = append(r.folders, newObjectFolder(folder, objects))
	text, err := readSmall(filepath.Join(folder, "info", "alternates"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, maxSmallFile)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(folder, filepath.FromSlash(line))
		}
		if err := r.borrow(filepath.Clean(line), objects); err != nil {
			return err
		}
	}
	return lines.Err()
}

// newObjectFolder opens a folder named "objects".
func newObjectFolder(path string, objects cache.Object) *objectFolder {
	// go-git wants the folder above, and opens alternates anew for every object
	// it misses; with an empty AlternatesFS it finds none.
	dir := dotgit.NewWithOptions(osfs.New(filepath.Dir(path)), dotgit.Options{AlternatesFS: memfs.New()})
	// No LargeObjectThreshold: beyond it go-git's readers give wrong bytes for
	// objects stored as deltas.
	return &objectFolder{
		path:  path,
		packs: filesystem.NewObjectStorageWithOptions(dir, objects, filesystem.Options{KeepDescriptors: true}),
	}
}

// findGitDir follows a path to the folder with HEAD in it: the path itself, its
// .git folder, or where its .git file points.
func findGitDir(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", errors.New("no such folder")
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", errNoRepo
	}
	dot := filepath.Join(path, ".git")
	switch info, err := os.Stat(dot); {
	case err == nil && info.IsDir():
		return dot, nil
	case err == nil:
		return followFile(dot, "gitdir:")
	}
	if _, err := os.Stat(filepath.Join(path, "HEAD")); err != nil {
		return "", errNoRepo
	}
	return path, nil
}

// commonDir is where a linked work tree keeps what it shares with the others.
func commonDir(gitDir string) (string, error) {
	file := filepath.Join(gitDir, "commondir")
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return gitDir, nil
	}
	return followFile(file, "")
}

// followFile reads a path from a file. Relative ones start at the file's folder.
func followFile(file, prefix string) (string, error) {
	text, err := readSmall(file)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(text, prefix)
	target = strings.TrimSpace(target)
	if !ok || target == "" || strings.ContainsAny(target, "\x00\n") {
		return "", fmt.Errorf("%w: %s names no folder", errNoRepo, file)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(file), target)
	}
	info, err := os.Stat(target)
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("%w: %s names a missing folder", errNoRepo, file)
	}
	return target, nil
}

func readSmall(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSmallFile+1))
	if err == nil && len(b) > maxSmallFile {
		err = fmt.Errorf("%s: larger than %d bytes", path, maxSmallFile)
	}
	return string(b), err
}

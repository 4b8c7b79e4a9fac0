package git

import (
	"bufio"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/sources/git/lineage"
)

// objectReader reads the objects of a repository for its history.
type objectReader interface {
	lineage.Store
	close()
}

// historyLimit is how large an object of a history may be.
func historyLimit(kind plumbing.ObjectType, l Limits) int64 {
	switch kind {
	case plumbing.CommitObject:
		return maxCommitBytes
	case plumbing.TreeObject:
		return maxFolderBytes
	}
	return l.MaxFileBytes
}

// libraryReader reads with go-git.
type libraryReader struct {
	repo   *repository
	limits Limits
}

func (r libraryReader) close() { r.repo.close() }

func (r libraryReader) Read(id plumbing.Hash, kind plumbing.ObjectType) ([]byte, error) {
	b, err := r.repo.read(id, kind, historyLimit(kind, r.limits))
	var large *tooLarge
	if errors.As(err, &large) {
		return nil, fmt.Errorf("%s: %w", id, lineage.ErrTooLarge)
	}
	if errors.Is(err, errMissing) && kind == plumbing.BlobObject {
		return nil, missingBlob(id)
	}
	return append([]byte(nil), b...), err
}

// missingBlob is the error about a file's content that is not there.
func missingBlob(id plumbing.Hash) error {
	return fmt.Errorf("blob %s: %w: %w", id, errMissing, lineage.ErrMissing)
}

// programReader lets the git program read objects, one after the other. The program
// sees a repository of ours, empty but for where the objects are: no configuration,
// attributes, grafts, replacements or promises of the repository's own apply. What it
// hands out is checked against its id.
type programReader struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	dir    string
	stop   context.CancelFunc
	limits Limits
	failed error // what every further Read returns
}

// programError is an error of the git program as a process: it was killed, or said
// what it never says.
type programError struct{ error }

func (e programError) Unwrap() error { return e.error }

func newProgramReader(ctx context.Context, program, temp string, r *repository, limits Limits) (*programReader, error) {
	dir, err := os.MkdirTemp(temp, "benchmill-git-")
	if err != nil {
		return nil, fatalError{err}
	}
	ctx, stop := context.WithCancel(ctx)
	p := &programReader{dir: dir, stop: stop, limits: limits}
	if err := p.start(ctx, program, r.folders); err != nil {
		stop()
		os.RemoveAll(dir) // what cannot be removed is left to the system
		return nil, err
	}
	return p, nil
}

func (p *programReader) start(ctx context.Context, program string, folders []*objectFolder) error {
	var alternates strings.Builder
	for _, f := range folders {
		if strings.Contains(f.path, "\n") {
			return programError{fmt.Errorf("%q: no path that git can be told", f.path)}
		}
		alternates.WriteString(f.path + "\n")
	}
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/none\n", "refs/.keep": "", "objects/info/alternates": alternates.String(),
		"config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tcommitGraph = false\n",
	} {
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fatalError{err}
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fatalError{err}
		}
	}
	cmd := exec.CommandContext(ctx, program, "--git-dir="+p.dir, "cat-file", "--batch")
	cmd.Dir = p.dir
	cmd.Env = append(programEnv(), "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1")
	endTogether(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return fatalError{err}
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fatalError{err}
	}
	if err := cmd.Start(); err != nil {
		return programError{err}
	}
	p.cmd, p.in, p.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

func (p *programReader) close() {
	p.stop()
	// It was told to end: how it did says nothing, and everything asked was answered.
	_ = p.in.Close()
	_ = p.cmd.Wait()
	_ = os.RemoveAll(p.dir)
}

// Read implements [lineage.Store].
func (p *programReader) Read(id plumbing.Hash, kind plumbing.ObjectType) ([]byte, error) {
	if p.failed != nil {
		return nil, p.failed
	}
	content, err := p.ask(id, kind)
	var broken programError
	if errors.As(err, &broken) {
		p.failed = err
	}
	return content, err
}

func (p *programReader) ask(id plumbing.Hash, kind plumbing.ObjectType) ([]byte, error) {
	if _, err := io.WriteString(p.in, id.String()+"\n"); err != nil {
		return nil, ended(err)
	}
	head, err := p.out.ReadSlice('\n')
	if err != nil {
		return nil, ended(err)
	}
	found, size, err := parseBatchHead(string(head), id)
	if errors.Is(err, errMissing) && kind == plumbing.BlobObject {
		return nil, missingBlob(id)
	}
	if err != nil {
		return nil, err
	}
	if size > historyLimit(kind, p.limits) {
		if _, err := io.CopyN(io.Discard, p.out, size+1); err != nil {
			return nil, ended(err)
		}
		return nil, fmt.Errorf("%s: %w", id, lineage.ErrTooLarge)
	}
	content := make([]byte, size+1)
	if _, err := io.ReadFull(p.out, content); err != nil {
		return nil, ended(err)
	}
	if content[size] != '\n' {
		return nil, programError{fmt.Errorf("git: no end after %s", id)}
	}
	content = content[:size]
	if found != kind {
		return nil, fmt.Errorf("%s is a %s, not a %s", id, found, kind)
	}
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, size)
	h.Write(content)
	if plumbing.Hash(h.Sum(nil)) != id {
		return nil, fmt.Errorf("%s %s: the stored content has another id: the repository is damaged", kind, id)
	}
	return content, nil
}

// ended is the error of a program that is gone.
func ended(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return programError{fmt.Errorf("git ended early: %w", err)}
}

// parseBatchHead reads what git says of an object before its content.
func parseBatchHead(line string, id plumbing.Hash) (plumbing.ObjectType, int64, error) {
	parts := strings.Split(strings.TrimSuffix(line, "\n"), " ")
	strange := programError{fmt.Errorf("git answers %q", clean(line))}
	if parts[0] != id.String() || !strings.HasSuffix(line, "\n") {
		return 0, 0, strange
	}
	if len(parts) == 2 && parts[1] == "missing" {
		return 0, 0, fmt.Errorf("%s: %w", id, errMissing)
	}
	if len(parts) != 3 {
		return 0, 0, strange
	}
	kind, err := plumbing.ParseObjectType(parts[1])
	if err != nil {
		return 0, 0, strange
	}
	size, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != parts[2] {
		return 0, 0, strange
	}
	return kind, size, nil
}

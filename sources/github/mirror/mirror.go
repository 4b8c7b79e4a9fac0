package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"benchmill/internal/atomicfile"
	"benchmill/sources/github/api"
)

// API is what a mirror asks: [api.Client].
type API interface {
	Get(ctx context.Context, address string, known api.Known) (*api.Answer, error)
	Query(ctx context.Context, query string, variables map[string]any, out any) error
}

// Mirror keeps repositories below a folder. It has no state in memory: any number
// of mirrors, also in several processes, may share a folder, and each is safe for
// concurrent use. Work on one repository is done by one at a time; the others wait.
type Mirror struct {
	Dir  string // of all mirrors, made where it is missing
	API  API
	Base string // address of the API, part of a repository's folder
	// Full collects everything again where that was not done since the as-of time:
	// the way to notice deletions.
	Full bool
	Log  *slog.Logger // nil: silent
}

// Issues brings the mirror of a repository (owner/name) up to date and writes its
// issues, then its comments, as they were at the as-of time: a
// [collection.KindIssues]. When the mirror was complete at that time or later, it
// asks nothing. What was written before an error is worth nothing.
func (m *Mirror) Issues(ctx context.Context, repo string, asOf time.Time, w io.Writer) error {
	asOf = asOf.Truncate(time.Second) // what the server's Date can tell apart
	return m.with(ctx, repo, func(f *folder) error {
		if err := f.open(kindIssues, kindComments); err != nil {
			return err
		}
		if err := f.update(ctx, f.issues, asOf); err != nil {
			return err
		}
		if f.issues.off {
			return writeIssues(repo, asOf, nil, w)
		}
		if err := f.update(ctx, f.comments, asOf); err != nil {
			return err
		}
		t, err := f.table(ctx)
		if err != nil {
			return err
		}
		if err := f.recount(ctx, t); err != nil {
			return err
		}
		return writeIssues(repo, asOf, t, w)
	})
}

// Details brings the pull requests of a repository and the timelines of its closed
// issues up to date and writes them as they were at the as-of time: a
// [collection.KindDetails]. It sweeps the issues first where [Mirror.Issues] was
// not called before.
func (m *Mirror) Details(ctx context.Context, repo string, asOf time.Time, w io.Writer) error {
	asOf = asOf.Truncate(time.Second)
	return m.with(ctx, repo, func(f *folder) error {
		if err := f.open(kindIssues, kindComments, kindDetails); err != nil {
			return err
		}
		if err := f.update(ctx, f.issues, asOf); err != nil {
			return err
		}
		if f.issues.off {
			return writeDetails(repo, asOf, nil, nil, w)
		}
		t, err := f.outline(ctx)
		if err != nil {
			return err
		}
		subjects := subjectsOf(t, asOf)
		if err := f.askDetails(ctx, subjects); err != nil {
			return err
		}
		found, err := f.details.read(ctx, subjects)
		if err != nil {
			return err
		}
		return writeDetails(repo, asOf, subjects, found, w)
	})
}

// folder is the mirror of one repository while it is worked on.
type folder struct {
	*Mirror
	repo     string
	dir      string
	say      *slog.Logger
	logs     []*log // those that are open
	issues   *pages
	comments *pages
	details  *details
}

// with works on a repository under its lock and names it in errors.
func (m *Mirror) with(ctx context.Context, repo string, work func(*folder) error) error {
	dir, err := m.folder(repo)
	if err != nil {
		return err
	}
	say := m.logger().With("repository", repo)
	if err := atomicfile.MkdirAll(dir); err != nil {
		return diskError(err)
	}
	unlock, err := lock(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return fmt.Errorf("repository %s: %w", repo, err)
	}
	defer unlock()
	once := func() error {
		f := &folder{Mirror: m, repo: repo, dir: dir, say: say}
		err := work(f)
		if closing := f.close(); err == nil {
			err = closing
		}
		return err
	}
	if err = once(); errors.Is(err, errAnother) {
		say.Warn("the name was given to another repository; it is collected from the start")
		if err = setAside(dir); err == nil {
			err = once()
		}
	}
	if err != nil {
		return fmt.Errorf("repository %s: %w", repo, err)
	}
	return nil
}

// setAside gives the logs of a repository that had the name before another one.
func setAside(dir string) error {
	for _, kind := range []string{kindIssues, kindComments, kindDetails} {
		path := filepath.Join(dir, kind+".log")
		if err := os.Rename(path, path+".former"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return diskError(err)
		}
	}
	return nil
}

func (m *Mirror) logger() *slog.Logger {
	if m.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return m.Log
}

var repoName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// folder is where a repository's mirror lies. GitHub's names ignore case.
func (m *Mirror) folder(repo string) (string, error) {
	owner, name, _ := strings.Cut(repo, "/")
	if !repoName.MatchString(repo) || strings.Trim(owner, ".") == "" || strings.Trim(name, ".") == "" {
		return "", fmt.Errorf("%q is no repository's name (owner/name)", repo)
	}
	base := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(m.Base), "https://"), "/")
	return filepath.Join(m.Dir, url.QueryEscape(base), strings.ToLower(owner), strings.ToLower(name)), nil
}

// open opens the logs of the kinds named.
func (f *folder) open(kinds ...string) error {
	for _, kind := range kinds {
		l, err := openLog(f.dir, kind, f.say)
		if err != nil {
			return err
		}
		f.logs = append(f.logs, l)
		switch kind {
		case kindIssues:
			f.issues = newPages(l, f.repo, kind)
		case kindComments:
			f.comments = newPages(l, f.repo, kind)
		case kindDetails:
			f.details = newDetails(l)
		}
	}
	return nil
}

func (f *folder) close() error {
	var errs []error
	for _, l := range f.logs {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// lock waits for the lock of a repository until ctx ends. A wait that was given up
// ends in the background, and lets go of the lock at once.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	type result struct {
		unlock func()
		err    error
	}
	got := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(path).Lock()
		got <- result{unlock, diskError(err)}
	}()
	select {
	case r := <-got:
		return r.unlock, r.err
	case <-ctx.Done():
		go func() {
			if r := <-got; r.err == nil {
				r.unlock()
			}
		}()
		return nil, ctx.Err()
	}
}

// refused is what the server says to a question it will not answer.
func refused(err error) (status int) {
	var s *api.StatusError
	if errors.As(err, &s) {
		return s.Status
	}
	return 0
}

// explain puts a refusal of the repository itself into words.
func explain(err error) error {
	switch refused(err) {
	case http.StatusNotFound:
		return fmt.Errorf("there is none of this name, or the token may not see it: %w", err)
	case http.StatusUnavailableForLegalReasons:
		return fmt.Errorf("taken down for legal reasons: %w", err)
	}
	return err
}

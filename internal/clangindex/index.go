package clangindex

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"benchmill/internal/libclang"
)

// DatabaseName is what compile databases are called.
const DatabaseName = "compile_commands.json"

// Bounds of what is read.
const (
	maxDatabase = 256 << 20 // bytes
	maxFolders  = 200_000   // that databases are looked for in
)

// ErrNoDatabase is there being no compile database below a folder.
var ErrNoDatabase = errors.New("no " + DatabaseName)

// Options configure [Index].
type Options struct {
	// Database is the compile database; "": the one at the top of the folder, or else
	// all below it.
	Database string
	Parallel int // units that are parsed at once; 0: 1
}

// Index makes the graph of the repository in a folder. Units that cannot be read
// are problems and no errors, but for the case that none could. Whose graph it is
// ([Head.Clang]) is left to the caller.
func Index(ctx context.Context, l Reader, dir string, o Options) (*Graph, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, err
	}
	paths, err := databases(root, o.Database)
	if err != nil {
		return nil, err
	}
	m := newMerge(root)
	var units []libclang.Command
	for _, p := range paths {
		data, err := readFile(p)
		if err != nil {
			return nil, err
		}
		some, problems, err := ParseDatabase(data, filepath.Dir(p), root)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		units = append(units, some...)
		m.problems = append(m.problems, problems...)
	}
	if err := read(ctx, l, root, units, max(1, o.Parallel), m.add); err != nil {
		return nil, err
	}
	if m.units == 0 {
		err := fmt.Errorf("%s: none of %d units could be read", dir, len(m.problems))
		if len(m.problems) > 0 {
			err = fmt.Errorf("%w; the first: %s: %s", err, m.problems[0].File, m.problems[0].What)
		}
		return nil, err
	}
	return m.graph(), nil
}

func databases(root, database string) ([]string, error) {
	if database != "" {
		p, err := filepath.Abs(database)
		return []string{p}, err
	}
	top := filepath.Join(root, DatabaseName)
	if _, err := os.Lstat(top); err == nil {
		return []string{top}, nil
	}
	var out []string
	folders := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // a folder that cannot be read holds none
		}
		if d.IsDir() {
			if folders++; folders > maxFolders {
				return fmt.Errorf("%s: more than %d folders", root, maxFolders)
			}
		} else if d.Name() == DatabaseName {
			out = append(out, p)
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: %w", root, ErrNoDatabase)
	}
	slices.SortFunc(out, shorter)
	return out, err
}

func readFile(p string) ([]byte, error) {
	info, err := os.Lstat(p)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxDatabase {
		return nil, fmt.Errorf("%s: no plain file of at most %d bytes", p, maxDatabase)
	}
	return os.ReadFile(p)
}

// read reads units, several at once, and hands them over in their order.
func read(ctx context.Context, l Reader, root string, units []libclang.Command, parallel int, add func(libclang.Command, *libclang.Unit, error)) error {
	type result struct {
		unit *libclang.Unit
		err  error
	}
	results := make([]chan result, len(units))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	next := make(chan int)
	var running sync.WaitGroup
	for range parallel {
		running.Go(func() {
			for i := range next {
				u, err := l.Read(root, units[i])
				results[i] <- result{u, err}
			}
		})
	}
	defer running.Wait()
	defer close(next)
	// Few units wait to be handed over, so that memory does not grow with them.
	ahead := 2 * parallel
	for i, sent := 0, 0; i < len(units); i++ {
		for ; sent < len(units) && sent < i+ahead; sent++ {
			select {
			case next <- sent:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		r := <-results[i]
		add(units[i], r.unit, r.err)
	}
	return ctx.Err() // what was read after the end of ctx is not all
}

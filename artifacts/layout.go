package artifacts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"benchmill/internal/atomicfile"
)

// layoutVersion is the version of the folder layout of [Disk].
//
//	1: objects/<2 hex digits>/<64 hex digits>, tmp/<process>/, damaged/
const layoutVersion = 1

const (
	layoutFile = "store.json"
	layoutKind = "benchmill store"
)

// layout is the content of store.json.
type layout struct {
	Kind    string `json:"kind"`
	Version int    `json:"version"`
}

// parseLayout checks the content of a store.json. A newer version is
// [ErrNewer]; keys it does not know are left to that version number.
func parseLayout(data []byte) error {
	var l layout
	if err := json.Unmarshal(data, &l); err != nil {
		return fmt.Errorf("not a description of a store: %w", err)
	}
	switch {
	case l.Kind != layoutKind:
		return fmt.Errorf("not a description of a store: kind is %q, not %q", l.Kind, layoutKind)
	case l.Version < 1:
		return fmt.Errorf("layout version %d does not exist", l.Version)
	case l.Version > layoutVersion:
		return fmt.Errorf("%w: its layout has version %d, this benchmill knows up to version %d", ErrNewer, l.Version, layoutVersion)
	}
	return nil
}

// openLayout checks the store.json of dir and writes it where there is none.
func openLayout(dir string) error {
	path := filepath.Join(dir, layoutFile)
	data, err := os.ReadFile(path)
	if err == nil {
		if err := parseLayout(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if data, err = json.Marshal(layout{Kind: layoutKind, Version: layoutVersion}); err != nil {
		return err
	}
	return diskError(atomicfile.Write(path, append(data, '\n'), 0o644))
}

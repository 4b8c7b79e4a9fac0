package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/mod/semver"
)

func sortVersions(versions []string) {
	slices.SortFunc(versions, func(a, b string) int { return semver.Compare("v"+a, "v"+b) })
}

// Change is how much two releases differ, which decides the version.
type Change string

// Changes, from none to the largest.
const (
	Same  Change = "same"
	Patch Change = "patch" // words, or the account of how it came about
	Minor Change = "minor" // rows
	Major Change = "major" // columns
)

// Compare says how a release differs from the one before.
func Compare(old, new *Manifest) Change {
	switch {
	case !sameJSON(old.Schema, new.Schema):
		return Major
	case old.RowsDigest != new.RowsDigest:
		return Minor
	case !sameJSON(old.Words, new.Words), !sameJSON(account(old), account(new)):
		return Patch
	}
	return Same
}

// account is what a reader is told of how a release came about.
func account(m *Manifest) any {
	return []any{m.Split, m.Pipeline.Name, m.Pipeline.AsOf, m.Stages, m.Sources, m.Quarantined, m.Models, m.Tokenizers, m.Also}
}

func sameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Next is the version after old for a change; the first is 1.0.0.
func Next(old string, c Change) string {
	var major, minor, patch int
	if _, err := fmt.Sscanf(old, "%d.%d.%d", &major, &minor, &patch); err != nil {
		return "1.0.0"
	}
	switch c {
	case Major:
		return fmt.Sprintf("%d.0.0", major+1)
	case Minor:
		return fmt.Sprintf("%d.%d.0", major, minor+1)
	case Patch:
		return fmt.Sprintf("%d.%d.%d", major, minor, patch+1)
	}
	return old
}

// Latest is the newest whole release of a dataset below root, or nil.
func Latest(root, dataset string) (*Listed, error) {
	all, err := List(root, dataset)
	if err != nil {
		return nil, err
	}
	for _, l := range slices.Backward(all) {
		if l.Partial == "" {
			return &l, nil
		}
	}
	return nil, nil
}

// Find resolves "dataset", "dataset@version" or the path of a release folder.
// "dataset" is its newest whole release, or the newest where none is whole.
func Find(root, name string) (*Listed, error) {
	m, sum, err := Read(name)
	if err == nil {
		return &Listed{m.Dataset, m.Version, name, m.Rows, m.RowsDigest, sum, m.Partial}, nil
	}
	if exists(filepath.Join(name, ManifestName)) {
		return nil, err // a release, but not one that can be read
	}
	every, err := List(root, "")
	if err != nil {
		return nil, err
	}
	dataset, version := cutLast(name, '@')
	var found *Listed
	known := ""
	for i := range every {
		l := &every[i]
		known += " " + l.Dataset + "@" + l.Version
		better := version == l.Version
		if version == "" {
			better = found == nil || l.Partial == "" || found.Partial != ""
		}
		if l.Dataset == dataset && better {
			found = l
		}
	}
	switch {
	case found != nil:
		return found, nil
	case known == "":
		known = " none yet; \"benchmill run\" makes releases"
	}
	return nil, fmt.Errorf("no release %q; there are:%s", name, known)
}

func cutLast(s string, sep byte) (before, after string) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == sep {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

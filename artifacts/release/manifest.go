// Package release keeps datasets at versions: a folder of Parquet files with a
// manifest that says what they hold, where it came from and what was left out.
//
//	<store>/releases/<dataset>/<version>/
//	  data/<config>/<split>-00000-of-00001.parquet
//	  also/<adapter>/...
//	  manifest.json
//	  README.md
//
// A folder shows under its name only when it is whole: it is made beside the
// others under a temporary name, flushed, and renamed.
package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"benchmill/internal/digest"
	"benchmill/pipeline/cache"
)

// Format is the version of a [Manifest].
const Format = 1

// ManifestName is the file a release is known by.
const ManifestName = "manifest.json"

// cardName is the file of the dataset card.
const cardName = "README.md"

// Manifest says everything about a release. It holds no time but the lock's and
// no path of any machine, so the same release has the same manifest everywhere.
type Manifest struct {
	Format  int    `json:"format"`
	Dataset string `json:"dataset"`
	Version string `json:"version"`
	Words

	// Recipe is the digest of everything the release was put together from.
	Recipe digest.Digest `json:"recipe"`
	// Partial says why the release does not hold all it should; "" if it does.
	Partial string `json:"partial,omitempty"`

	Pipeline Pipeline `json:"pipeline"`
	Schema   Schema   `json:"schema"`
	Split    string   `json:"split"`

	Rows       int64         `json:"rows"`
	RowsDigest digest.Digest `json:"rows_digest"` // over the rows digests of the files, in order
	Files      []File        `json:"files"`       // by path
	// Also are the rows once more, as other programs read them, by path.
	Also []AlsoFile `json:"also,omitempty" hash:"omitempty"`

	Stages      []Stage       `json:"stages"` // in the order of the graph, with the funnel
	Sources     []Source      `json:"sources"`
	Quarantined []Quarantined `json:"quarantined"`
	Models      []cache.Usage `json:"models"`
	Tokenizers  []Tokenizer   `json:"tokenizers"`
}

// Words are what people read of a release.
type Words struct {
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Licence     string   `json:"licence"`
	Tags        []string `json:"tags,omitempty"`
}

// Pipeline is what made the release.
type Pipeline struct {
	Name  string        `json:"name"`
	Seed  int64         `json:"seed"`
	AsOf  string        `json:"as_of,omitempty"`
	Build digest.Digest `json:"build"` // of the stages and languages of the program
}

// Schema names the columns.
type Schema struct {
	Name     string          `json:"name"`
	Version  int             `json:"version"`
	Key      []string        `json:"key"`
	Features json.RawMessage `json:"features"` // as the hub writes them
}

// File is one Parquet file.
type File struct {
	Path       string        `json:"path"` // below the release, with slashes
	Config     string        `json:"config"`
	Split      string        `json:"split"`
	Rows       int64         `json:"rows"`
	Bytes      int64         `json:"bytes"`
	Digest     digest.Digest `json:"digest"` // of the bytes
	RowsDigest digest.Digest `json:"rows_digest"`
}

// Stage is one node of the pipeline with its part of the funnel, summed over
// its partitions.
type Stage struct {
	Node        string       `json:"node"`
	Stage       string       `json:"stage"`
	Version     int          `json:"version"`
	Config      []string     `json:"config,omitempty"` // "path=value"
	Partitions  int          `json:"partitions"`
	Quarantined int          `json:"quarantined,omitempty"`
	Skipped     int          `json:"skipped,omitempty"`
	In          []Count      `json:"in"`
	Out         []Count      `json:"out"`
	Drops       []cache.Drop `json:"drops"`
	Notes       []Count      `json:"notes,omitempty"`
}

// Count is rows of a table.
type Count struct {
	Table string `json:"table"`
	Rows  int64  `json:"rows"`
}

// Source is a repository at a commit that the release draws on.
type Source struct {
	Partition string `json:"partition"`
	Name      string `json:"name"`
	URL       string `json:"url"`
	Commit    string `json:"commit"`
	Licence   string `json:"licence"`
	Rows      int64  `json:"rows"` // of the release
}

// Quarantined is a partition that failed.
type Quarantined struct {
	Node      string `json:"node"`
	Partition string `json:"partition"`
	Error     string `json:"error"`
}

// Tokenizer is a tokenizer that counted.
type Tokenizer struct {
	Name     string `json:"name"`
	Identity string `json:"identity"`
}

// ErrNotManifest reports a manifest that is damaged or was never one.
var ErrNotManifest = errors.New("not a manifest")

// Read reads the manifest of a release folder. What is no manifest is
// [ErrNotManifest].
func Read(dir string) (*Manifest, digest.Digest, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	m, err := parse(data)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	return m, digest.Of(data), nil
}

// parse reads a manifest that may come from anywhere.
func parse(data []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotManifest, err)
	}
	switch {
	case m.Format < 1:
		return nil, fmt.Errorf("%w: it has no format", ErrNotManifest)
	case m.Format > Format:
		return nil, fmt.Errorf("format %d was written by a newer version of benchmill (known up to %d)", m.Format, Format)
	case !isName(m.Dataset) || !isName(m.Version):
		return nil, fmt.Errorf("%w: dataset %q, version %q", ErrNotManifest, m.Dataset, m.Version)
	}
	for _, path := range m.paths() {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			return nil, fmt.Errorf("%w: file %q lies outside the release", ErrNotManifest, path)
		}
	}
	return &m, nil
}

// paths lists the files the manifest knows.
func (m *Manifest) paths() []string {
	var out []string
	for _, f := range m.Files {
		out = append(out, f.Path)
	}
	for _, f := range m.Also {
		out = append(out, f.Path)
	}
	return out
}

// isName reports whether s can name a folder.
func isName(s string) bool { return s != "." && filepath.IsLocal(s) && !strings.ContainsRune(s, '/') }

// Listed is a release that was found in a folder.
type Listed struct {
	Dataset        string        `json:"dataset"`
	Version        string        `json:"version"`
	Path           string        `json:"path"`
	Rows           int64         `json:"rows"`
	RowsDigest     digest.Digest `json:"rows_digest"`
	ManifestDigest digest.Digest `json:"manifest_digest"`
	Partial        string        `json:"partial,omitempty"`
}

// List finds the releases below root, by dataset and ascending version.
// dataset "" means all. Folders without a readable manifest are an error.
func List(root, dataset string) ([]Listed, error) {
	paths, err := Paths(root)
	if err != nil {
		return nil, err
	}
	var out []Listed
	for _, dir := range paths {
		d, v := filepath.Base(filepath.Dir(dir)), filepath.Base(dir)
		if dataset != "" && d != dataset {
			continue
		}
		m, sum, err := Read(dir)
		if err != nil {
			return nil, fmt.Errorf("release %s@%s cannot be read; if its folder is removed, \"benchmill run\" can make it again: %w", d, v, err)
		}
		out = append(out, Listed{d, v, dir, m.Rows, m.RowsDigest, sum, m.Partial})
	}
	return out, nil
}

// Paths lists the folders below root that releases are in, as [List] orders
// them, without a look inside.
func Paths(root string) ([]string, error) {
	var out []string
	datasets, err := subfolders(root)
	if err != nil {
		return nil, err
	}
	for _, d := range datasets {
		versions, err := subfolders(filepath.Join(root, d))
		if err != nil {
			return nil, err
		}
		sortVersions(versions)
		for _, v := range versions {
			out = append(out, filepath.Join(root, d, v))
		}
	}
	return out, nil
}

func subfolders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, err
}

package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"

	"benchmill/artifacts"
	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Rows gives the rows of a release to yield, in their order.
type Rows func(ctx context.Context, yield func(rows any) error) error

// Request is a release to be written.
type Request struct {
	Manifest  *Manifest // without version, rows and files
	Schema    *pipeline.Schema
	ConfigsBy string // a string column; "" puts all rows in one config "default"
	Rows      Rows
	Also      []*pipeline.Adapter // of Schema; what else the rows are written as
}

// Write writes a release below root and returns it. Its version follows from
// the newest whole release of the dataset. A release that differs from that in
// nothing but how it was made is not written again: the existing one is returned
// with fresh == false. temp is a folder on the same file system for work in
// progress.
func Write(ctx context.Context, root, temp string, r Request) (l *Listed, fresh bool, err error) {
	work, err := os.MkdirTemp(temp, "release-")
	if err != nil {
		return nil, false, atomicfile.Explain(err)
	}
	defer os.RemoveAll(work)
	m := r.Manifest
	m.Format = Format
	features := artifacts.HubFeatures(r.Schema)
	m.Schema = Schema{Name: r.Schema.Name, Version: r.Schema.Version, Key: r.Schema.Key}
	if m.Schema.Features, err = json.Marshal(features); err != nil {
		return nil, false, err
	}
	if err := writeData(ctx, work, r); err != nil {
		return nil, false, err
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	const tries = 100 // each one lost to another process that made a release
	for try := 1; ; try++ {
		l, fresh, err = name(root, work, m, features)
		if !errors.Is(err, errTaken) || try == tries {
			return l, fresh, err
		}
	}
}

// errTaken says that another process made a release of the same name meanwhile.
var errTaken = errors.New("the release is there already")

// name gives the release in work its version and publishes it, unless the newest
// one is no different.
func name(root, work string, m *Manifest, features []artifacts.HubFeature) (l *Listed, fresh bool, err error) {
	old, err := Latest(root, m.Dataset)
	if err != nil {
		return nil, false, err
	}
	if old != nil {
		before, _, err := Read(old.Path)
		if err != nil {
			return nil, false, err
		}
		change := Compare(before, m)
		if change == Same && m.Partial == "" && intact(old.Path, before) {
			return old, false, nil
		}
		m.Version = Next(old.Version, change)
	} else {
		m.Version = Next("", Same)
	}
	if m.Partial != "" {
		m.Version += "-partial." + m.Recipe.Short()
	}
	card, err := Card(m, features)
	if err != nil {
		return nil, false, err
	}
	if err := writeFile(work, cardName, card); err != nil {
		return nil, false, err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, false, err
	}
	data = append(data, '\n')
	if err := writeFile(work, ManifestName, data); err != nil {
		return nil, false, err
	}
	dir := filepath.Join(root, m.Dataset, m.Version)
	l = &Listed{m.Dataset, m.Version, dir, m.Rows, m.RowsDigest, digest.Of(data), m.Partial}
	err = publish(work, dir, m.Partial != "")
	return l, err == nil, err
}

// Intact reports whether all files of a release are there in their size.
// Verify checks their content.
func Intact(dir string) bool {
	m, _, err := Read(dir)
	return err == nil && intact(dir, m)
}

func intact(dir string, m *Manifest) bool {
	has := func(path string, size int64) bool {
		s, err := os.Stat(filepath.Join(dir, filepath.FromSlash(path)))
		return err == nil && s.Size() == size
	}
	for _, f := range m.Files {
		if !has(f.Path, f.Bytes) {
			return false
		}
	}
	for _, f := range m.Also {
		if !has(f.Path, f.Bytes) {
			return false
		}
	}
	_, err := os.Stat(filepath.Join(dir, cardName))
	return err == nil
}

// publish flushes a folder and gives it its name, in the place of a damaged one.
// A whole one keeps its place and is errTaken, unless it may be replaced.
func publish(work, dir string, replace bool) error {
	if err := syncTree(work); err != nil {
		return atomicfile.Explain(err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return atomicfile.Explain(err)
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return err
	}
	err := os.Rename(work, dir)
	if err != nil && exists(dir) {
		if !replace && Intact(dir) {
			return fmt.Errorf("%s: %w", dir, errTaken)
		}
		aside := work + "-replaced"
		if err = os.Rename(dir, aside); err == nil {
			err = os.Rename(work, dir)
			os.RemoveAll(aside)
		}
	}
	if err != nil {
		return atomicfile.Explain(err)
	}
	return syncPath(filepath.Dir(dir))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return syncPath(path)
	})
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func writeFile(dir, name string, data []byte) error {
	return atomicfile.Explain(os.WriteFile(filepath.Join(dir, name), data, 0o644))
}

var configName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// writeData writes the Parquet files, one per config, and those of the adapters,
// and fills in what the manifest says of them.
func writeData(ctx context.Context, work string, r Request) error {
	m := r.Manifest
	open := map[string]*shard{}
	adapted := &also{work: work, adapters: r.Also, open: map[string]*alsoFile{}}
	defer func() {
		for _, s := range open {
			s.file.Close()
		}
		adapted.close()
	}()
	index, err := columnIndex(r.Schema, r.ConfigsBy)
	if err != nil {
		return err
	}
	keys := map[string]bool{}
	err = r.Rows(ctx, func(rows any) error {
		v := reflect.ValueOf(rows)
		for i := range v.Len() {
			row := v.Index(i)
			if key := r.Schema.KeyOf(row); keys[key] {
				return fmt.Errorf("release %s: two rows have the key %s", m.Dataset, key)
			} else {
				keys[key] = true
			}
			config := "default"
			if index >= 0 {
				config = row.Field(index).String()
			}
			s := open[config]
			if s == nil {
				if s, err = newShard(work, config, m.Split, r.Schema); err != nil {
					return err
				}
				open[config] = s
			}
			if err := s.rows.Write(row); err != nil {
				return err
			}
			if err := adapted.add(row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var configs []string
	for c := range open {
		configs = append(configs, c)
	}
	slices.Sort(configs)
	e := digest.New("benchmill/release/1")
	m.Rows, m.Files = 0, []File{}
	for _, c := range configs {
		f, err := open[c].finish()
		if err != nil {
			return err
		}
		m.Rows += f.Rows
		m.Files = append(m.Files, f)
		e.String(c)
		e.Digest(f.RowsDigest)
	}
	m.RowsDigest = e.Sum()
	m.Also, err = adapted.finish()
	return err
}

func columnIndex(s *pipeline.Schema, column string) (int, error) {
	if column == "" {
		return -1, nil
	}
	if i := slices.Index(s.Columns(), column); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("schema %s has no column %q", s, column)
}

type shard struct {
	info File
	file *os.File
	hash *digest.Hasher
	rows *artifacts.RowWriter
}

func newShard(work, config, split string, schema *pipeline.Schema) (*shard, error) {
	if !configName.MatchString(config) {
		return nil, fmt.Errorf("%q cannot name a config of a dataset", config)
	}
	s := &shard{info: File{Path: "data/" + config + "/" + split + "-00000-of-00001.parquet", Config: config, Split: split}, hash: digest.NewHasher()}
	path := filepath.Join(work, filepath.FromSlash(s.info.Path))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		s.file, err = os.Create(path)
	}
	if err != nil {
		return nil, atomicfile.Explain(err)
	}
	s.rows, err = artifacts.NewRowWriter(s, schema, artifacts.ParquetOptions{})
	return s, err
}

// Write implements io.Writer for the Parquet writer.
func (s *shard) Write(p []byte) (int, error) {
	s.hash.Write(p)
	s.info.Bytes += int64(len(p))
	n, err := s.file.Write(p)
	return n, atomicfile.Explain(err)
}

func (s *shard) finish() (File, error) {
	var err error
	if s.info.Rows, s.info.RowsDigest, err = s.rows.Close(); err != nil {
		return s.info, err
	}
	s.info.Digest = s.hash.Digest()
	return s.info, s.file.Close()
}

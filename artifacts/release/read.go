package release

import (
	"context"
	"os"
	"path/filepath"
	"reflect"

	"benchmill/artifacts"
	"benchmill/pipeline"
)

// file is a file of a release as an object.
type file struct {
	*os.File
	size int64
}

func (f *file) Size() int64 { return f.size }

// openFile opens a file of a manifest that [Read] has checked.
func openFile(dir string, f File) (*file, error) {
	r, err := os.Open(filepath.Join(dir, filepath.FromSlash(f.Path)))
	if err != nil {
		return nil, err
	}
	s, err := r.Stat()
	if err != nil {
		r.Close()
		return nil, err
	}
	return &file{r, s.Size()}, nil
}

// EachRow calls yield for every row of a release, file by file. The row is valid
// only during the call.
func EachRow(ctx context.Context, dir string, m *Manifest, schema *pipeline.Schema, yield func(row reflect.Value) error) error {
	for _, f := range m.Files {
		if err := eachRowOf(ctx, dir, f, schema, yield); err != nil {
			return err
		}
	}
	return nil
}

func eachRowOf(ctx context.Context, dir string, f File, schema *pipeline.Schema, yield func(row reflect.Value) error) error {
	object, err := openFile(dir, f)
	if err != nil {
		return err
	}
	t, err := artifacts.OpenTableFile(object, f.Path, schema)
	if err != nil {
		return err
	}
	defer t.Close()
	return t.Batches(ctx, func(rows any) error {
		v := reflect.ValueOf(rows)
		for i := range v.Len() {
			if err := yield(v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

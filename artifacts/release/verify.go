package release

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"benchmill/artifacts/arrowcheck"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Problem is something wrong with a file of a release.
type Problem struct {
	File    string `json:"file"`
	Problem string `json:"problem"`
}

// Verify checks a release against its manifest: that every file is there and no
// other below data/ and also/ is, that its bytes and its rows have the digests they
// should, that the digest of all rows follows from theirs, and that there is a
// card. Rows are read by Arrow, which shares no code with the writer. An error
// means that it could not be checked; what is wrong comes back as problems.
func Verify(ctx context.Context, dir string, schema *pipeline.Schema) ([]Problem, error) {
	m, _, err := Read(dir)
	if err != nil {
		return nil, err
	}
	var out []Problem
	bad := func(file, format string, args ...any) {
		out = append(out, Problem{file, fmt.Sprintf(format, args...)})
	}
	known := map[string]bool{}
	e := digest.New("benchmill/release/1")
	var rows int64
	for _, f := range m.Files {
		known[f.Path] = true
		e.String(f.Config)
		e.Digest(f.RowsDigest)
		rows += f.Rows
		if err := verifyFile(ctx, dir, f, schema, bad); err != nil {
			return nil, err
		}
	}
	for _, f := range m.Also {
		known[f.Path] = true
		if err := errors.Join(ctx.Err(), verifyAlso(dir, f, bad)); err != nil {
			return nil, err
		}
	}
	if m.RowsDigest != e.Sum() {
		bad(ManifestName, "the rows digest does not follow from those of the files")
	}
	if m.Rows != rows {
		bad(ManifestName, "it says %d rows, the files have %d", m.Rows, rows)
	}
	if !exists(filepath.Join(dir, cardName)) {
		bad(cardName, "missing")
	}
	for _, folder := range []string{"data", alsoDir} {
		if err := unknown(dir, folder, known, bad); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unknown reports files below a folder of a release that the manifest does not
// know.
func unknown(dir, folder string, known map[string]bool, bad func(string, string, ...any)) error {
	top := filepath.Join(dir, folder)
	return filepath.WalkDir(top, func(path string, f fs.DirEntry, err error) error {
		if path == top && errors.Is(err, fs.ErrNotExist) {
			return nil // nobody wrote there; files that should be there are missed elsewhere
		}
		if err != nil || f.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if name = filepath.ToSlash(name); err == nil && !known[name] {
			bad(name, "the manifest does not know this file")
		}
		return err
	})
}

func verifyFile(ctx context.Context, dir string, f File, schema *pipeline.Schema, bad func(string, string, ...any)) error {
	object, err := openFile(dir, f)
	if errors.Is(err, fs.ErrNotExist) {
		bad(f.Path, "missing")
		return nil
	}
	if err != nil {
		return err
	}
	defer object.Close()
	d, n, err := digest.OfReader(object.File)
	if err != nil {
		return err
	}
	if d != f.Digest {
		bad(f.Path, "%d bytes with digest %s; the manifest says %d with %s", n, d.Short(), f.Bytes, f.Digest.Short())
		return nil // Arrow is not made for damaged files
	}
	rows, rowsDigest, err := arrowcheck.RowsDigest(ctx, object, object.Size(), schema)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		bad(f.Path, "%v", err)
	case rows != f.Rows || rowsDigest != f.RowsDigest:
		bad(f.Path, "%d rows with digest %s; the manifest says %d with %s", rows, rowsDigest.Short(), f.Rows, f.RowsDigest.Short())
	}
	return nil
}

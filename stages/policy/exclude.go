package policy

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"benchmill/pipeline"
	"benchmill/schemas"
)

const reasonExcluded = "excluded_content"

// ExcludeConfig configures [Exclude].
type ExcludeConfig struct {
	Files []pipeline.FileName `yaml:"files" doc:"lists of contents, one a line: git's blob id or the SHA-256 of the bytes in hexadecimal digits, and after a blank a name for what it is; # begins a comment line"`
}

// Validate refuses missing lists: a filter that filters nothing by mistake.
func (c *ExcludeConfig) Validate() error {
	for _, f := range c.Files {
		if f == "" {
			return errors.New(`files must not name ""`)
		}
	}
	if len(c.Files) == 0 {
		return errors.New("files is missing; policy.exclude needs a list")
	}
	return nil
}

// Exclude drops all files of a repository when the content of one of them is on a
// list, byte for byte: repositories that share a file with a training set. The
// drops name the file and its match. The list is read through once and not held
// beyond its bytes; it needs no order.
//
// Version history:
//
//	1: first version
func Exclude() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "policy.exclude", Version: 1,
		Doc:       "Drops repositories of which a source file is in a list of contents.",
		In:        []pipeline.Port{{Name: "files", Schema: schemas.Files}},
		Out:       []pipeline.Port{{Name: "files", Schema: schemas.Files}},
		Flows:     []pipeline.Flow{{From: "files", To: []string{"files"}}},
		NewConfig: func() any { return &ExcludeConfig{} },
		Run:       exclude,
	}
}

func exclude(ctx context.Context, p *pipeline.Pass) error {
	own := contents{paths: map[string]string{}}
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(f.Text))
		own.add(sum[:], f.Path)
		if blob, err := hex.DecodeString(f.Blob); err == nil && len(blob) > 0 {
			own.add(blob, f.Path)
		}
	}
	for _, file := range pipeline.ConfigOf[ExcludeConfig](p).Files {
		data, err := p.Files.ReadFile(file)
		if err != nil {
			return err
		}
		path, match, err := own.find(ctx, data)
		if err != nil {
			return fmt.Errorf("%s:%w", file, err)
		}
		if path != "" {
			return allOrNothing(ctx, p, reasonExcluded, path+" is "+match)
		}
	}
	return allOrNothing(ctx, p, "", "")
}

// contents are the files of a repository by the digests of their bytes.
type contents struct {
	paths map[string]string
	heads [1 << 16 / 64]uint64 // set of the first two bytes of the digests
}

func (c *contents) add(digest []byte, path string) {
	if had, ok := c.paths[string(digest)]; !ok || path < had {
		c.paths[string(digest)] = path
	}
	h := head(digest)
	c.heads[h>>6] |= 1 << (h & 63)
}

func head(digest []byte) uint { return uint(digest[0])<<8 | uint(digest[1]) }

// find reads a list up to the first content that is among c, and names the file and
// the match. Errors begin with the line.
func (c *contents) find(ctx context.Context, list []byte) (path, match string, err error) {
	var digest [sha256.Size]byte
	number := 0
	for line := range bytes.Lines(list) {
		if number++; number&0xffff == 0 && ctx.Err() != nil {
			return "", "", ctx.Err()
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		field, name := line, []byte(nil)
		if i := bytes.IndexAny(line, " \t"); i >= 0 {
			field, name = line[:i], bytes.TrimSpace(line[i:])
		}
		if len(field) != 40 && len(field) != 64 {
			return "", "", fmt.Errorf("%d: %.80q is neither a blob id of 40 digits nor a SHA-256 of 64", number, field)
		}
		n, err := hex.Decode(digest[:], field)
		if err != nil {
			return "", "", fmt.Errorf("%d: %q: %w", number, field, err)
		}
		if h := head(digest[:]); c.heads[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		if path, ok := c.paths[string(digest[:n])]; ok {
			return path, cmp.Or(string(name), string(field)), nil
		}
	}
	return "", "", nil
}

package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
)

// Format is the version of an [Entry].
const Format = 1

// Entry is one batch.
type Entry struct {
	Format   int             `json:"format"`
	Marker   string          `json:"marker"` // our name for the batch: letters, digits and "-"
	Provider string          `json:"provider"`
	Host     string          `json:"host"` // of the API
	Model    string          `json:"model"`
	Created  time.Time       `json:"created"`         // before it was submitted
	Batch    string          `json:"batch,omitempty"` // the server's name; "": not known to be submitted
	Found    bool            `json:"found,omitempty"` // the name was looked for: the batch may be another
	Keys     []digest.Digest `json:"keys"`            // its requests, in order

	taken map[digest.Digest]bool
}

// Taken reports whether the answer to a request was taken.
func (e *Entry) Taken(key digest.Digest) bool { return e.taken[key] }

// Done reports whether all answers were taken.
func (e *Entry) Done() bool { return len(e.taken) >= len(e.Keys) }

// Journal is a folder, made when first written to. The zero value forgets
// everything. Processes may share a folder; an entry is not safe for concurrent
// use.
type Journal struct{ Dir string }

// Path is the file of an entry, or "" when nothing is kept.
func (j Journal) Path(e *Entry) string {
	if j.Dir == "" {
		return ""
	}
	return filepath.Join(j.Dir, e.Marker+".json")
}

func (j Journal) taken(e *Entry) string { return filepath.Join(j.Dir, e.Marker+".taken") }

// Save writes an entry, over the one of the same marker.
func (j Journal) Save(e *Entry) error {
	if j.Dir == "" {
		return nil
	}
	e.Format = Format
	data, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Write(j.Path(e), append(data, '\n'), 0o644)
}

// Take notes that an answer was taken. With the last one the entry goes away.
func (j Journal) Take(e *Entry, key digest.Digest) error {
	if e.taken == nil {
		e.taken = map[digest.Digest]bool{}
	}
	if e.taken[key] {
		return nil
	}
	e.taken[key] = true
	switch {
	case j.Dir == "":
		return nil
	case e.Done():
		return j.Remove(e)
	}
	f, err := os.OpenFile(j.taken(e), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return atomicfile.Explain(err)
	}
	_, err = f.WriteString(string(key) + "\n")
	return atomicfile.Explain(errors.Join(err, f.Close()))
}

// Remove forgets an entry.
func (j Journal) Remove(e *Entry) error {
	if j.Dir == "" {
		return nil
	}
	for _, path := range []string{j.Path(e), j.taken(e)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return atomicfile.Explain(err)
		}
	}
	return nil
}

// Load reads every entry, in the order of the markers. One that cannot be read
// is an error that names its file: a batch that was paid for may be in it.
func (j Journal) Load() ([]*Entry, error) {
	if j.Dir == "" {
		return nil, nil
	}
	files, err := os.ReadDir(j.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []*Entry
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok || strings.HasPrefix(name, atomicfile.TempPrefix) {
			continue
		}
		path := filepath.Join(j.Dir, f.Name())
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process was done with it
		}
		if err != nil {
			return nil, err
		}
		e, err := parse(name, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w; it may name a batch that was paid for; delete it to go on without", path, err)
		}
		if err := j.readTaken(e); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

var markerForm = regexp.MustCompile(`^[0-9A-Za-z-]{1,64}$`)

func parse(name string, data []byte) (*Entry, error) {
	var e Entry
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, err
	}
	switch {
	case e.Format > Format:
		return nil, fmt.Errorf("entry of format %d was written by a newer version of benchmill (known up to %d)", e.Format, Format)
	case e.Format < 1 || !markerForm.MatchString(e.Marker) || e.Marker != name || len(e.Keys) == 0 || e.Created.IsZero():
		return nil, errors.New("not an entry of this journal")
	}
	seen := map[digest.Digest]bool{}
	for _, k := range e.Keys {
		if _, err := digest.Parse(string(k)); err != nil {
			return nil, err
		}
		if seen[k] {
			return nil, fmt.Errorf("request %s stands twice", k.Short())
		}
		seen[k] = true
	}
	e.taken = map[digest.Digest]bool{}
	return &e, nil
}

// readTaken leaves out what is no key of the entry, such as a last line cut off.
func (j Journal) readTaken(e *Entry) error {
	data, err := os.ReadFile(j.taken(e))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	keys := map[digest.Digest]bool{}
	for _, k := range e.Keys {
		keys[k] = true
	}
	for line := range strings.Lines(string(data)) {
		if k := digest.Digest(strings.TrimSuffix(line, "\n")); keys[k] {
			e.taken[k] = true
		}
	}
	return nil
}

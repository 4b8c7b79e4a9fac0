package git

import (
	"errors"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// FuzzBatchHead: whatever git writes, it is an object as announced, one that is
// missing, or an error about the program.
func FuzzBatchHead(f *testing.F) {
	id := plumbing.NewHash("0123456789abcdef0123456789abcdef01234567")
	for _, text := range []string{" blob 12\n", " missing\n", " tree -1\n", " ambiguous\n", " blob 1 2\n", " blob 12", " blob 9223372036854775808\n", "\n", ""} {
		f.Add(id.String() + text)
	}
	f.Fuzz(func(t *testing.T, line string) {
		kind, size, err := parseBatchHead(line, id)
		var broken programError
		switch {
		case err == nil && (size < 0 || !kind.Valid()):
			t.Errorf("%q: %s of %d bytes", line, kind, size)
		case err == nil || errors.Is(err, errMissing) || errors.As(err, &broken):
		default:
			t.Errorf("%q: %v", line, err)
		}
	})
}

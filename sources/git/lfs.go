package git

import (
	"encoding/hex"
	"strconv"
	"strings"

	"benchmill/internal/snapshot"
)

// maxPointer is the size below which a file can be a Git LFS pointer, by the
// pointer specification.
const maxPointer = 1024

// parsePointer reads a Git LFS pointer: text lines of a key and a value, the
// version first, an oid and a size among the rest.
func parsePointer(b []byte) (snapshot.Pointer, bool) {
	var p snapshot.Pointer
	text := string(b)
	if len(b) >= maxPointer || !strings.HasPrefix(text, "version https://git-lfs.github.com/spec/") {
		return p, false
	}
	sized := false
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "oid":
			p.OID, _ = strings.CutPrefix(value, "sha256:")
		case "size":
			n, err := strconv.ParseInt(value, 10, 64)
			p.Size, sized = n, err == nil && n >= 0
		}
	}
	sum, err := hex.DecodeString(p.OID)
	return p, sized && err == nil && len(sum) == 32 && hex.EncodeToString(sum) == p.OID
}

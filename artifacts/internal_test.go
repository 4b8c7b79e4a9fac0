package artifacts

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzTruncate(f *testing.F) {
	for _, s := range []string{"", "short", strings.Repeat("a", 40), strings.Repeat("世界", 20), strings.Repeat("\xff", 40),
		strings.Repeat("\xff", 31) + "ab", strings.Repeat("\U0010ffff", 9), strings.Repeat("a", 29) + "\ud7ff\ud7ff", strings.Repeat("a", 30) + "\u007fé"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		check := func(cut func([]byte, bool) []byte) {
			lo, hi := cut(b, false), cut(b, true)
			if bytes.Compare(lo, b) > 0 || bytes.Compare(b, hi) > 0 {
				t.Errorf("%q is not between %q and %q", b, lo, hi)
			}
			if len(lo) > boundSize || len(hi) > boundSize+utf8.UTFMax && !bytes.Equal(hi, b) {
				t.Errorf("bounds of %q are long: %q, %q", b, lo, hi)
			}
			if !bytes.Equal(b, before) {
				t.Errorf("%q was changed to %q", before, b)
			}
		}
		check(truncateBytes)
		if utf8.Valid(b) {
			check(truncateText)
			if lo, hi := truncateText(b, false), truncateText(b, true); !utf8.Valid(lo) || !utf8.Valid(hi) {
				t.Errorf("bounds of %q are no text: %q, %q", b, lo, hi)
			}
		}
	})
}

// A new temporary folder that a sweep removes, or locks first, is given up.
func TestLockDirLosesRace(t *testing.T) {
	dir := t.TempDir()
	first, err := lockDir(dir)
	if first == nil || err != nil {
		t.Fatalf("a free folder: %v, %v", first, err)
	}
	if second, err := lockDir(dir); second != nil || err != nil {
		t.Fatalf("locked twice: %v, %v", second, err)
	}
	first.Close()
	again, err := lockDir(dir)
	if again == nil || err != nil {
		t.Fatalf("the lock was not freed: %v, %v", again, err)
	}
	again.Close()
	if gone, err := lockDir(filepath.Join(dir, "gone")); gone != nil || err != nil {
		t.Fatalf("a folder that is not there: %v, %v", gone, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if f, err := lockDir(filepath.Join(dir, "file")); f != nil || err != nil {
		t.Fatalf("no folder: %v, %v", f, err)
	}
}

package sandbox

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"a", "a", true}, {"a", "b", false}, {"*", "a", true}, {"*", "a/b", false}, {"**", "a", true}, {"**", "a/b/c", true},
		{"**/*.c", "x.c", true}, {"**/*.c", "a/b/x.c", true}, {"**/*.c", "x.h", false}, {"a/**/b", "a/b", true}, {"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/x/y/c", false}, {"a/**", "a", true}, {"a/**", "b/a", false}, {"**/a/**/b", "x/a/b", true}, {"**/**", "a", true},
		{"**/a/**/a/**/a", "a/a/b/a/b", false}, {"[ab]/?", "b/x", true}, {"x**", "xyz", true},
	} {
		if got := Match(test.pattern, test.path); got != test.want {
			t.Errorf("%s matches %s: %v", test.pattern, test.path, got)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("**/*.c", "a/b.c")
	f.Add("**/**/**/[", "//")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if checkPattern(pattern) != nil {
			return
		}
		if Match(pattern, name) && !Match("**/"+pattern, name) {
			t.Errorf("%q matches %q, but not below any folder", pattern, name)
		}
	})
}

// FuzzDemultiplex: what is parted is what came, and a cut is never taken for an end.
func FuzzDemultiplex(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x02ab\x02\x00\x00\x00\x00\x00\x00\x01c"))
	f.Add([]byte("\x01\x00\x00\x00\xff\xff\xff\xffab"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out, errs bytes.Buffer
		err := demultiplex(bytes.NewReader(data), &out, &errs)
		if out.Len()+errs.Len() > len(data) {
			t.Errorf("%d bytes of %d", out.Len()+errs.Len(), len(data))
		}
		if err != nil || len(data) == 0 {
			return
		}
		if err := demultiplex(bytes.NewReader(data[:len(data)-1]), io.Discard, io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut: %v", err)
		}
	})
}

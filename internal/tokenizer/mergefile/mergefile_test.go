package mergefile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"
)

func pack(t testing.TB, raw string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(raw)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for _, f := range []File{
		{},
		{Origin: "two", Merges: []Merge{{'a', 'b'}, {256, 256}, {'c', 257}}},
	} {
		var b bytes.Buffer
		if err := Write(&b, f); err != nil {
			t.Fatal(err)
		}
		got, err := Read(b.Bytes())
		if err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("wrote %v, read %v, %v", f, got, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const head = magic + "\no\n"
	cases := map[string]struct{ raw, want string }{
		"head":      {"something else\n", "first line"},
		"origin":    {magic + "\nno end", "no line of origin"},
		"not made":  {head + "\x61" + string(binary.AppendUvarint(nil, 256)), "not made yet"},
		"twice":     {head + "abab", "twice"},
		"half":      {head + "a", "merge 0"},
		"cut short": {head + "a\x80", "merge 0"},
		"huge":      {head + strings.Repeat("ab", maxMerges+1), "more than"},
		"huge id":   {head + "a" + string(binary.AppendUvarint(nil, 1<<40)), "more than"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := Read(pack(t, c.raw)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
	if _, err := Read([]byte("plain")); err == nil {
		t.Error("plain bytes are accepted")
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, f := range []File{{Origin: "a\nb"}, {Merges: []Merge{{256, 0}}}, {Merges: []Merge{{-1, 0}}}} {
		if err := Write(new(bytes.Buffer), f); err == nil {
			t.Errorf("%v is accepted", f)
		}
	}
}

// FuzzRead feeds the bytes under the compression, and as they are. What is read
// must survive a round trip.
func FuzzRead(f *testing.F) {
	f.Add([]byte(magic + "\norigin\nab\x61\x80\x02"))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		Read(raw)
		file, err := Read(pack(t, string(raw)))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, file); err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		again, err := Read(b.Bytes())
		if err != nil || !reflect.DeepEqual(again, file) {
			t.Fatalf("read %v, then %v, %v", file, again, err)
		}
	})
}

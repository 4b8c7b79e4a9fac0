package clangindex

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

var small = &Graph{
	Head: Head{Clang: "clang version 0", Units: 2, Problems: []Problem{{File: "b.c", What: "1 errors, the first: <x>", Read: true}}},
	Functions: []Function{
		{Path: "a.c", Start: 3, Body: 12, End: 30, Line: 2, EndLine: 4, Name: "f", Qualified: "n::f", Local: true, Calls: []Call{
			{Callee: "g", Path: "b.c", Start: 0, Line: 1, Origin: originDefined, Evidence: "macro", Via: "G", Sites: 2, First: 14, Alternatives: 1},
			{Callee: "puts", Path: "stdio.h", Start: -1, Origin: originSystem, Evidence: "written", Sites: 1, First: 20},
		}},
		{Path: "b.c", Body: 9, End: 11, Line: 1, EndLine: 1, Name: "g", Qualified: "g", Inline: true},
	},
}

func TestGraphRoundTrip(t *testing.T) {
	got, err := Read(strings.NewReader(write(t, small)))
	if err != nil || !reflect.DeepEqual(got, small) {
		t.Errorf("%+v, %v\nwant %+v", got, err, small)
	}
}

func TestReadBroken(t *testing.T) {
	text := write(t, small)
	for want, broken := range map[string]string{
		"line 1":         "",
		"format 7":       strings.Replace(text, `"format":1`, `"format":7`, 1),
		"line 3":         text[:len(text)-4],
		"1 functions":    text[:strings.LastIndex(strings.TrimSpace(text), "\n")+1],
		"3 functions":    text + `{"path": "c"}`,
		"line 4":         text + "x",
		"cannot unmarsh": text + `{"path": 1}`,
	} {
		if _, err := Read(strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// What can be read can be written, and reads the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(write(f, small)))
	f.Add([]byte(`{"format":1,"functions":1}{"path":"\ud800","calls":[{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		text := write(t, g)
		again, err := Read(strings.NewReader(text))
		if err != nil || write(t, again) != text {
			t.Errorf("%v\n%s", err, text)
		}
	})
}

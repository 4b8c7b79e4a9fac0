package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadReferences(t *testing.T) {
	rows, err := readReferences(write(t, `{"language":"x","index":3,"groundtruth":"g","repo":"o/n","commit":"c","occurrences":[["a",1],["b",2]]}`+"\n"))
	want := []completion{{id: "x/3", language: "x", repo: "o/n", commit: "c", reference: "g", places: []place{{"a", 1}, {"b", 2}}}}
	if err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, bad := range []string{`{"occurrences":[["a","b"]]}`, `{"occurrences":[[1,1]]}`, `{"groundtruth":1}`, `{`} {
		if _, err := readReferences(write(t, bad)); err == nil || !strings.Contains(err.Error(), "rows.jsonl") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestReadOfficial(t *testing.T) {
	mirrors := t.TempDir()
	if err := os.MkdirAll(filepath.Join(mirrors, "an-owner", "a-name"), 0o755); err != nil {
		t.Fatal(err)
	}
	row := `{"prompt":"p","groundtruth":"g","right_context":"r","metadata":{"task_id":"project_cc_x/1","repository":"an-owner-a-name-abc1234","file":"f","groundtruth_start_lineno":4,"right_context_start_lineno":5}}`
	rows, err := readOfficial(write(t, row+"\n"+strings.Replace(row, "an-owner", "other", 1)), mirrors)
	want := completion{
		id: "project_cc_x/1", language: "x", repo: "an-owner/a-name", commit: "abc1234", reference: "g", places: []place{{"f", 4}},
		whole: true, prompt: "p", right: "r", cursorLine: 4, rightLine: 5,
	}
	if err != nil || len(rows) != 2 || !reflect.DeepEqual(rows[0], want) || rows[1].repo != "other-a-name" {
		t.Errorf("%+v, %v", rows, err)
	}
	if groups := byRepository(rows); len(groups) != 2 {
		t.Errorf("%d groups", len(groups))
	}
}

func TestCursorOf(t *testing.T) {
	const text = "a = 1\nb = f(2)\nc = f(2)"
	for _, test := range []struct {
		row  completion
		line int
		want int
	}{
		{completion{reference: "f(2)"}, 1, 10},
		{completion{reference: "f(2)"}, 2, 19},
		{completion{reference: "f(2)"}, 0, -1},
		{completion{reference: "f(2)\nc"}, 1, 10},
		{completion{reference: "f(2)"}, 9, -1},
		{completion{whole: true, prompt: "a = ", reference: "1"}, 0, 4},
		{completion{whole: true, prompt: "b = ", reference: "1"}, 0, -1},
	} {
		if got := cursorOf(test.row, text, test.line); got != test.want {
			t.Errorf("%+v on line %d: %d", test.row, test.line, got)
		}
	}
}

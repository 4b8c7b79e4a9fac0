package pipeline

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// Files whose text is UTF-8 are written as they always were.
func TestJobFileJSON(t *testing.T) {
	for _, test := range []struct {
		file JobFile
		want string
	}{
		{JobFile{Path: "a"}, `{"path":"a","text":""}`},
		{JobFile{Path: "a", Text: "\uFFFD", Executable: true}, "{\"path\":\"a\",\"text\":\"\uFFFD\",\"executable\":true}"},
		{JobFile{Path: "a", Link: "b"}, `{"path":"a","text":"","link":"b"}`},
		{JobFile{Path: "a", Text: "\xff\x00"}, `{"path":"a","base64":"/wA="}`},
	} {
		got, err := json.Marshal(test.file)
		if err != nil || string(got) != test.want {
			t.Errorf("%s, %v, want %s", got, err, test.want)
		}
	}
	for _, bad := range []string{`{"path":"a","base64":"!"}`, `{"path":1}`, `[]`} {
		var f JobFile
		if err := json.Unmarshal([]byte(bad), &f); err == nil {
			t.Errorf("%s is %+v", bad, f)
		}
	}
}

func FuzzJobFile(f *testing.F) {
	f.Add("a", "\x1f\x8b\xff", true, "")
	f.Add("ü", "text", false, "b")
	f.Fuzz(func(t *testing.T, path, text string, executable bool, link string) {
		if !utf8.ValidString(path) || !utf8.ValidString(link) {
			return // no file has such a name
		}
		want := JobFile{Path: path, Text: text, Executable: executable, Link: link}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got JobFile
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Errorf("%s is %+v, want %+v, %v", data, got, want, err)
		}
	})
}

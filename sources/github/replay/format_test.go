package replay

import (
	"bytes"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file")

var some = &file{date: date, exchanges: []*exchange{
	{method: "GET", target: "/user", status: 200, header: http.Header{"Etag": {`"a"`}}, body: []byte(`{"b":[1.50,2e3],"a":"\u003c\n"}`)},
	{method: "GET", target: "/a?q=x+y", status: 200, header: http.Header{}, body: []byte("{ \"spaced\": 1 }\n")},
	{method: "GET", target: "/b", status: 200, header: http.Header{"Content-Type": {"text/plain"}}, body: []byte("-- GET /x --\n\nline\r\n")},
	{method: "GET", target: "/c", status: 200, header: http.Header{}, body: []byte{0xff, 0, '\n'}},
	{method: "GET", target: "/d", status: 204, header: http.Header{}},
	{method: "POST", target: "/graphql", query: "\n  a \r\n\n>b\n", vars: []byte(`{"a":1}`), status: 200, header: http.Header{}, body: []byte(`{"data":null}`)},
	{method: "POST", target: "/graphql", query: "", vars: []byte(`{}`), status: 200, header: http.Header{}, body: []byte(`{}`)},
}}

func TestFormat(t *testing.T) {
	text := some.print()
	got, err := parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if !bytes.Equal(got.print(), text) {
		t.Errorf("printed again:\n%s\nfirst:\n%s", got.print(), text)
	}
	for _, want := range some.exchanges {
		found := false
		for _, e := range got.exchanges {
			found = found || reflect.DeepEqual(e, want) || e.key() == want.key() && bytes.Equal(e.body, want.body) && reflect.DeepEqual(e.header, want.header)
		}
		if !found {
			t.Errorf("%s is not in\n%s", want.name(), text)
		}
	}
	golden := filepath.Join("testdata", "some.txt")
	if *update {
		if err := os.WriteFile(golden, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(want, text) {
		t.Errorf("the format changed (%v):\n%s", err, text)
	}
}

func TestParseErrors(t *testing.T) {
	good := title + "\n\n-- GET /x --\nstatus: 200\n\n{\n  \"a\": 1\n}\n"
	if _, err := parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":            {"", "first line"},
		"other file":       {"hello\n", "line 1"},
		"bad date":         {strings.Replace(good, "1\n", "1\ndate: soon\n", 1), "is not a date"},
		"no request":       {strings.Replace(good, "-- GET /x --", "-- GET --", 1), "is not a request"},
		"absolute":         {strings.Replace(good, "/x", "https://host/x", 1), "is not a request"},
		"no status":        {strings.Replace(good, "status: 200\n", "etag: x\n", 1), "no status"},
		"bad status":       {strings.Replace(good, "200", "20x", 1), "is no status"},
		"two statuses":     {strings.Replace(good, "status: 200\n", "status: 200\nstatus: 404\n", 1), "twice"},
		"unknown header":   {strings.Replace(good, "status: 200\n", "status: 200\nauthorization: Bearer\n", 1), "is not known here"},
		"cut off":          {good[:len(good)-4], "unexpected end"},
		"no body":          {title + "\n\n-- GET /x --\nstatus: 200\n", "unexpected end"},
		"body twice":       {good + "\n{}\n", "is not a request"},
		"request twice":    {good + good[len(title):], "twice"},
		"unknown body":     {strings.Replace(good, "status: 200\n", "status: 200\nbody: gzip\n", 1), "cannot unmarshal"},
		"query unmarked":   {strings.ReplaceAll(good, "GET", "POST") + "\n", "no status, or a query"},
		"not a query":      {title + "\n\n-- POST /graphql --\nvariables: {}\nstatus: 200\n\nquery\n\n{}\n", "begin with >"},
		"bad variables":    {title + "\n\n-- POST /graphql --\nvariables: [1]\nstatus: 200\n\n> q\n\n{}\n", "variables"},
		"variables of GET": {strings.Replace(good, "status", "variables: {}\nstatus", 1), "is not known here"},
	} {
		if _, err := parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// FuzzParse: no input panics, and what can be read is printed and read the same.
func FuzzParse(f *testing.F) {
	f.Add(some.print())
	f.Add([]byte(title + "\n\n-- POST /graphql --\nvariables: {}\nstatus: 200\nbody: none\n\n>\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := parse(data)
		if err != nil {
			return
		}
		text := first.print()
		second, err := parse(text)
		if err != nil {
			t.Fatalf("%v in the canonical form\n%s", err, text)
		}
		if !bytes.Equal(second.print(), text) {
			t.Fatalf("printed again:\n%s\nfirst:\n%s", second.print(), text)
		}
	})
}

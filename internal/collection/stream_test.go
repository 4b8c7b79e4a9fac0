package collection

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

// read reads everything.
func read(r io.Reader, kind string) (Header, []Record, error) {
	c, err := NewReader(r, kind)
	if err != nil {
		return Header{}, nil, err
	}
	var out []Record
	for {
		record, err := c.Next()
		if err == io.EOF {
			_, err = c.Next() // as often as one likes
		}
		if err == io.EOF {
			return c.Header, out, nil
		}
		if err != nil {
			return c.Header, out, err
		}
		out = append(out, record)
	}
}

func write(t *testing.T, h Header, records ...Record) string {
	t.Helper()
	var b strings.Builder
	w := NewWriter(&b, h)
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	h := Header{Format: Format, Kind: KindIssues, Name: "o/n"}
	records := []Record{
		{Issue: &Issue{Number: 1, Title: "<&>\u2028\x00", Body: strings.Repeat("long\n", 100_000), Labels: []string{"a"}}},
		{Comment: &Comment{Number: 1, ID: 2}},
	}
	text := write(t, h, records...)
	if strings.Count(text, "\n") != 4 {
		t.Errorf("%d lines", strings.Count(text, "\n"))
	}
	got, out, err := read(strings.NewReader(text), KindIssues)
	if err != nil || got != h || !reflect.DeepEqual(out, records) {
		t.Errorf("%+v, %v, %v", got, out, err)
	}
	if _, out, err := read(strings.NewReader(write(t, h)), KindIssues); err != nil || len(out) > 0 {
		t.Errorf("nothing: %v, %v", out, err)
	}
}

// Wherever a collection is cut off, or whatever fails, is noticed.
func TestCutOff(t *testing.T) {
	text := write(t, Header{Kind: KindIssues}, Record{Issue: &Issue{Number: 1}}, Record{Issue: &Issue{Number: 2}})
	for n := range len(text) - 1 { // without its last line break it is whole
		if _, _, err := read(strings.NewReader(text[:n]), KindIssues); err == nil {
			t.Fatalf("cut after %d bytes of %d", n, len(text))
		}
	}
	damaged := errors.New("damaged")
	if _, _, err := read(io.MultiReader(strings.NewReader(text), failing{damaged}), KindIssues); !errors.Is(err, damaged) {
		t.Errorf("an error after the end: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestReaderErrors(t *testing.T) {
	const head = `{"format":1,"kind":"issues","name":"o/n"}` + "\n"
	for text, says := range map[string]string{
		"":                                        "line 1",
		"<html>\n":                                "line 1",
		`{"format":2,"kind":"issues"}` + "\n":     "format 2",
		`{"kind":"issues"}` + "\n":                "format 0",
		`{"format":1,"kind":"details"}` + "\n":    `"details"`,
		head + "{}\n" + `{"end":{"records":1}}`:   "line 2 of the collection: 0 records",
		head + `{"issue":{},"comment":{}}` + "\n": "2 records",
		head + `{"issue":{},"end":{"records":1}}`: "1 records",
		head + `{"end":{"records":1}}`:            "the end says 1",
		head + `{"end":{"records":0}}` + "\n\n":   "after the end",
		head + `{"issue":{"number":"1"}}` + "\n":  "line 2",
	} {
		if _, _, err := read(strings.NewReader(text), KindIssues); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(`{"format":1,"kind":"issues","name":"o/n"}` + "\n" + `{"issue":{"number":1}}` + "\n" + `{"end":{"records":1}}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		h, records, err := read(strings.NewReader(text), KindIssues)
		if err != nil {
			return
		}
		if _, again, err := read(strings.NewReader(write(t, h, records...)), KindIssues); err != nil || !reflect.DeepEqual(again, records) {
			t.Errorf("%v, %v", again, err)
		}
	})
}

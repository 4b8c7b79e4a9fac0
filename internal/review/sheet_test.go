package review

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// hostile are cells that spreadsheets, CSV, HTML or scripts could stumble over.
var hostile = []string{
	"", " ", "plain", "two words", "a,b", `say "x"`, "'quoted'", "''", "'=1", "=1+1", "=HYPERLINK(\"http://x\")", "+1", "-1", "- item", "@x", "@", "'",
	"\tx", "\rx", "\nx", "a\nb", "a\r\nb", "a\rb", "a\r\r\nb", "a\r", "\r\n", "a;b\tc", `\.`, `"`, `""`, `a"`, "é", "日本語", "👩‍💻", "\u2028\u2029", "\uFEFF", "\uFFFD",
	"</script><script>alert(1)</script>", "<!--<script>", "]]>", "<img src=x onerror=alert(1)>", "{{data}}", "{{script}}", "${x}", "`", "\\u003c", "javascript:alert(1)", "http://x/\"onclick=\"y",
	"\x00", "\x7f", "id", "verdict",
}

func hostileSheet() *Sheet {
	s := NewSheet("text", "</script>", `"quoted", column`)
	for i, text := range hostile {
		s.Add(fmt.Sprint("row", i), text, text+text, "="+text)
		s.Rows[i][4], s.Rows[i][6] = []string{"", "accept", "reject"}[i%3], text
	}
	return s
}

func write(t testing.TB, s *Sheet) []byte {
	t.Helper()
	data, err := s.Write()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, data []byte) *Sheet {
	t.Helper()
	s, err := Read("v.csv", data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWriteGolden(t *testing.T) {
	s := NewSheet("bracket", "question", "choice_a")
	s.Add("own__fruit-1", "32K", "What does \"peel\" do,\nand when?", "=it peels")
	s.Add("own__fruit-2", "1M", "- is it red?", "'tis")
	data := write(t, s)
	if *update {
		if err := os.WriteFile("testdata/sheet.csv", data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/sheet.csv")
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != string(want) {
		t.Errorf("%s\nwant\n%s", data, want)
	}
}

func TestRoundTrip(t *testing.T) {
	s := hostileSheet()
	data := write(t, s)
	got := read(t, data)
	if !slices.Equal(got.Columns, s.Columns) || len(got.Rows) != len(s.Rows) {
		t.Fatalf("%q, %d rows", got.Columns, len(got.Rows))
	}
	for i, row := range s.Rows {
		for j, cell := range row {
			if want := lineEnd.ReplaceAllString(cell, "\n"); got.Rows[i][j] != want {
				t.Errorf("%q came back as %q", want, got.Rows[i][j])
			}
		}
	}
	if again := write(t, got); string(again) != string(data) {
		t.Error("written again it is another file")
	}
}

// No cell of a written sheet, taken as any other program takes it, begins as a
// formula does.
func TestNoFormulas(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(write(t, hostileSheet()))).ReadAll()
	if err != nil || len(rows) != len(hostile)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
				t.Errorf("%q", cell)
			}
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	good := NewSheet()
	good.Add("a")
	good.Add("a")
	for want, s := range map[string]*Sheet{
		"a stands on line 2 already":       good,
		"the heading of a sheet begins":    {Columns: []string{"verdict", "reviewer", "note"}},
		"row 1 of a sheet has 1 cells":     {Columns: NewSheet().Columns, Rows: [][]string{{"a"}}},
		"empty or not the first":           NewSheet("id"),
		`verdict "yes" of a`:               {Columns: NewSheet().Columns, Rows: [][]string{{"a", "yes", "", ""}}},
		"no id":                            {Columns: NewSheet().Columns, Rows: [][]string{{"", "accept", "", ""}}},
		"column 2 of the heading is \"\":": NewSheet(""),
	} {
		if _, err := s.Write(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// What spreadsheets do to a file is undone.
func TestReadDamage(t *testing.T) {
	want := [][]string{{"a", "x\ny", "accept", "me", "=1"}, {"b", "-", "", "", ""}}
	plain := "id,text,verdict,reviewer,note\na,\"x\ny\",accept,me,'=1\nb,'-,,,\n"
	for name, data := range map[string]string{
		"nothing":      plain,
		"mark":         "\uFEFF" + plain,
		"line ends":    strings.ReplaceAll(plain, "\n", "\r\n"),
		"semicolons":   strings.ReplaceAll(plain, ",", ";"),
		"tabs":         "\uFEFF" + strings.ReplaceAll(plain, ",", "\t"),
		"quotes":       strings.Replace(strings.ReplaceAll(plain, ",", ";"), "id;", `"id";`, 1),
		"empty lines":  "\n" + strings.Replace(plain, "b,", "\n,,,,\nb,", 1) + "\n,,,,\n,\n\n",
		"no last end":  strings.TrimRight(plain, "\n"),
		"capitals":     strings.Replace(plain, "accept", " Accept ", 1),
		"spaced names": strings.Replace(plain, ",me,", ", me ,", 1),
	} {
		s, err := Read("v.csv", []byte(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !slices.EqualFunc(s.Rows, want, func(a, b []string) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s: %q", name, s.Rows)
		}
	}
}

func TestReadErrors(t *testing.T) {
	const head = "id,q,verdict,reviewer,note\n"
	for data, want := range map[string]string{
		"":                             "v.csv:1: empty; a sheet begins with a heading",
		"\n\n":                         "v.csv:1: empty; a sheet begins with a heading",
		"a,b\n":                        "v.csv:1: the heading of a sheet begins with id and ends with verdict, reviewer, note",
		"\nID,q,verdict,reviewer,note": "v.csv:2: the heading of a sheet begins with id and ends with verdict, reviewer, note",
		"id,q,q,verdict,reviewer,note": `v.csv:1: column 3 of the heading is "q": empty or not the first of that name`,
		head + "a,x,ok,me,\n":          `v.csv:2: verdict "ok" of a; a verdict is accept, reject or empty`,
		head + "a,x\n":                 "v.csv:2: 2 cells where the heading has 5",
		head + "a,x,,,,\n":             "v.csv:2: 6 cells where the heading has 5",
		head + ",x,accept,me,\n":       "v.csv:2: no id",
		head + "a,\"x\ny\",,,\nb,x\n":  "v.csv:4: 2 cells where the heading has 5",
		head + "a,x,,,\na,x,,,\n":      "v.csv:3: a stands on line 2 already, without a reviewer to tell them apart",
		head + "a,x,accept,me,\n\na,x,accept,me,\n": "v.csv:4: a stands on line 2 already, judged by me",
		head + "a,x\"y,,,\n":                        `v.csv:2: bare " in non-quoted-field`,
		head + "a,\"x,,,\n":                         `v.csv:2: extraneous or missing " in quoted-field`,
		head + "a,\xff,,,\n":                        "v.csv:2: not UTF-8; save the sheet as CSV in UTF-8",
		head + "a,x,1,,\nb,x\n":                     "v.csv:2: verdict \"1\" of a; a verdict is accept, reject or empty\nv.csv:3: 2 cells where the heading has 5",
	} {
		if _, err := Read("v.csv", []byte(data)); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", data, err, want)
		}
	}
	_, err := Read("v.csv", []byte(head+strings.Repeat("a\n", 1000)))
	if n := strings.Count(err.Error(), "\n") + 1; n != most {
		t.Errorf("%d mistakes are told", n)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(write(f, hostileSheet()))
	f.Add([]byte("id;verdict;reviewer;note\r\na;ACCEPT;'=x;\"\n\"\r\n;;;\r\n"))
	f.Add([]byte("\uFEFFid,verdict,reviewer,note\n''a,,,'\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read("v.csv", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "v.csv:") {
				t.Errorf("error without a place: %v", err)
			}
			return
		}
		again := read(t, write(t, s))
		if !slices.Equal(again.Columns, s.Columns) || !slices.EqualFunc(again.Rows, s.Rows, func(a, b []string) bool { return slices.Equal(a, b) }) {
			t.Errorf("%q came back as %q", s.Rows, again.Rows)
		}
	})
}

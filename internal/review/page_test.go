package review

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func page(t *testing.T, title string, s *Sheet) string {
	t.Helper()
	data, err := Page(title, s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Whatever stands in cells and title, the page's elements are the same, and the
// data between them is what went in.
func TestPageHostile(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	plain := page(t, "Review", NewSheet("a"))
	s := hostileSheet()
	got := page(t, "</title><script>alert(1)</script>{{data}}", s)
	want := tags.FindAllString(plain, -1)
	if all := tags.FindAllString(got, -1); !slices.Equal(all, want) {
		t.Errorf("elements %q\nwant %q", all, want)
	}
	_, rest, _ := strings.Cut(got, `<script type="application/json" id="data">`)
	inside, _, _ := strings.Cut(rest, "</script>")
	var data pageData
	if err := json.Unmarshal([]byte(inside), &data); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data.Columns, s.Columns) || !slices.EqualFunc(data.Rows, s.Rows, func(a, b []string) bool { return slices.Equal(a, b) }) {
		t.Error("other data than went in")
	}
	if strings.ContainsAny(inside, "<>&\u2028\u2029") || !utf8.ValidString(got) {
		t.Error("characters that mean something to HTML or scripts")
	}
}

// The page fetches nothing, and its policy names exactly the script it has.
func TestPageIsAlone(t *testing.T) {
	got := page(t, "Review", hostileSheet())
	for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(got, -1) {
		if regexp.MustCompile(`\b(src|href)=|<link|<iframe|@import`).MatchString(tag) {
			t.Error(tag)
		}
	}
	if !strings.Contains(got, "default-src 'none'; style-src "+hash(pageCSS)+"; script-src "+hash(pageJS)+";") {
		t.Error("no policy")
	}
	for _, forbidden := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "XMLHttp", "</script", "<!--"} {
		if strings.Contains(pageJS, forbidden) {
			t.Errorf("the script has %s", forbidden)
		}
	}
}

func TestPageDigest(t *testing.T) {
	s := NewSheet("a")
	s.Add("x", "1")
	first := page(t, "Review", s)
	if page(t, "Review", s) != first {
		t.Error("another page the second time")
	}
	s.Rows[0][1] = "2"
	digest := regexp.MustCompile(`"digest":"[^"]*"`)
	if digest.FindString(page(t, "Review", s)) == digest.FindString(first) {
		t.Error("verdicts on one sheet would show on another")
	}
	if _, err := Page("Review", &Sheet{}); err == nil {
		t.Error("a page of no sheet")
	}
}

// script runs an expression over the page's functions and the sheet in node.
func script(t *testing.T, s *Sheet, expression string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing; the page's script cannot be tested")
		}
		t.Skip("node is missing; the page's script is not tested")
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.js")
	program := pageJS + "\nconst sheet = JSON.parse(require('fs').readFileSync(0, 'utf8'));\nprocess.stdout.write(" + expression + ");\n"
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, file)
	cmd.Stdin = strings.NewReader(string(data))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The page and the program write the same bytes, so what one writes the other
// reads.
func TestScriptWritesTheSameSheet(t *testing.T) {
	s := hostileSheet()
	if got, want := script(t, s, "csv(sheet.Columns, sheet.Rows)"), string(write(t, s)); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestScriptFillsIn(t *testing.T) {
	s := NewSheet("q")
	for _, id := range []string{"a", "b", "c", "d"} {
		s.Add(id, "=x")
	}
	got := script(t, s, `csv(sheet.Columns, filled(sheet.Rows, new Map([
		["a", {verdict: "accept", note: ""}], ["b", {verdict: "reject", note: "=no\n\"really\""}], ["c", {verdict: "", note: "later"}], ["unknown", {verdict: "accept", note: ""}],
	]), " =me "))`)
	want := [][]string{{"a", "=x", "accept", "=me", ""}, {"b", "=x", "reject", "=me", "=no\n\"really\""}, {"c", "=x", "", "=me", "later"}, {"d", "=x", "", "", ""}}
	if rows := read(t, []byte(got)).Rows; !slices.EqualFunc(rows, want, func(a, b []string) bool { return slices.Equal(a, b) }) {
		t.Errorf("%q", rows)
	}
}

// Whatever stands in the browser's memory, the page begins.
func TestScriptMemory(t *testing.T) {
	for text, want := range map[string]string{
		`null`: "||", `"{"`: "||", `"[]"`: "||", `"null"`: "||", `"{\"verdicts\": 7, \"reviewer\": 7}"`: "||", `"{\"verdicts\": [7, [\"a\"]]}"`: "||",
		`"{\"reviewer\": \"me\", \"verdicts\": [[\"a\",\"accept\",\"\"],[\"b\",\"maybe\",\"\"],[\"c\",\"\",7],[\"__proto__\",\"reject\",\"n\"]]}"`: `|me|a,accept,,__proto__,reject,n`,
	} {
		got := script(t, NewSheet(), `(v => "|" + v.reviewer + "|" + [...v.verdicts].map(([id, v]) => [id, v.verdict, v.note]).join())(saved(`+text+`))`)
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

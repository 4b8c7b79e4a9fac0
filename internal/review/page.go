package review

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"strings"

	"benchmill/internal/digest"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// pageData is what the page's script works from.
type pageData struct {
	Digest  digest.Digest `json:"digest"` // of the sheet: what a browser keeps its verdicts under
	Columns []string      `json:"columns"`
	Rows    [][]string    `json:"rows"`
}

// Page is the sheet as one HTML file that needs nothing else: verdicts are given
// by keys or buttons, kept in the browser, and downloaded as a sheet that [Read]
// accepts. The same sheet and title give the same bytes.
//
// Cells are foreign. They stand in the page as JSON in which no character means
// anything to HTML, the script puts them in as text only, and the page's policy
// lets no other script run and nothing be fetched.
func Page(title string, s *Sheet) ([]byte, error) {
	sheet, err := s.Write()
	if err != nil {
		return nil, err
	}
	// Encoding as JSON writes <, > and & as escapes and mends what is no UTF-8.
	data, err := json.Marshal(pageData{digest.Of(sheet), s.Columns, s.Rows})
	if err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer(
		"{{title}}", html.EscapeString(strings.ToValidUTF8(title, "\uFFFD")),
		"{{style}}", pageCSS, "{{script}}", pageJS, "{{data}}", string(data),
		"{{style-hash}}", hash(pageCSS), "{{script-hash}}", hash(pageJS),
	).Replace(pageHTML)), nil
}

// hash is how a content security policy names an inline text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

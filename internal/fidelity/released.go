package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// completion is one row of the released CrossCodeEval, or what is known of one.
type completion struct {
	id             string
	language, repo string
	commit         string
	reference      string
	places         []place // where the reference stands; one of them is the row's
	// Of rows known as a whole:
	whole                 bool
	prompt, right         string
	cursorLine, rightLine int
}

// place is a line of a file, 0-based.
type place struct {
	path string
	line int
}

// readReferences reads rows of which only the reference and its places are known.
func readReferences(path string) ([]completion, error) {
	type row struct {
		Language    string   `json:"language"`
		Index       int      `json:"index"`
		Reference   string   `json:"groundtruth"`
		Repo        string   `json:"repo"`
		Commit      string   `json:"commit"`
		Occurrences [][2]any `json:"occurrences"`
	}
	return readRows(path, func(r row) (completion, error) {
		c := completion{id: fmt.Sprintf("%s/%d", r.Language, r.Index), language: r.Language, repo: r.Repo, commit: r.Commit, reference: r.Reference}
		for _, o := range r.Occurrences {
			file, ok := o[0].(string)
			line, number := o[1].(float64)
			if !ok || !number {
				return c, fmt.Errorf("row %s: occurrence %v is not a file and a line", c.id, o)
			}
			c.places = append(c.places, place{file, int(line)})
		}
		return c, nil
	})
}

// readOfficial reads rows as they were released. They name a repository as
// owner-name-commit, with the beginning of the commit; mirrors say the rest.
func readOfficial(path, mirrors string) ([]completion, error) {
	type row struct {
		Prompt    string `json:"prompt"`
		Reference string `json:"groundtruth"`
		Right     string `json:"right_context"`
		Metadata  struct {
			ID         string `json:"task_id"`
			Repo       string `json:"repository"`
			File       string `json:"file"`
			CursorLine int    `json:"groundtruth_start_lineno"`
			RightLine  int    `json:"right_context_start_lineno"`
		} `json:"metadata"`
	}
	return readRows(path, func(r row) (completion, error) {
		m := r.Metadata
		language := strings.TrimPrefix(strings.Split(m.ID, "/")[0], "project_cc_")
		c := completion{
			id: m.ID, language: language, reference: r.Reference, places: []place{{m.File, m.CursorLine}},
			whole: true, prompt: r.Prompt, right: r.Right, cursorLine: m.CursorLine, rightLine: m.RightLine,
		}
		c.repo, c.commit = splitRepo(m.Repo, mirrors)
		return c, nil
	})
}

// splitRepo parts owner-name-commit, each of which may have hyphens but the last.
func splitRepo(text, mirrors string) (repo, commit string) {
	if i := strings.LastIndexByte(text, '-'); i >= 0 {
		text, commit = text[:i], text[i+1:]
	}
	for i, c := range text {
		if c != '-' {
			continue
		}
		repo = text[:i] + "/" + text[i+1:]
		if dir := filepath.Join(mirrors, repo); isDir(dir) {
			return repo, wholeID(dir, commit)
		}
	}
	return text, commit
}

// wholeID is the commit id of a mirror that begins so, or the beginning where
// there is none.
func wholeID(dir, begin string) string {
	id, err := exec.Command("git", "-C", dir, "rev-parse", "--verify", "--quiet", "--end-of-options", begin+"^{commit}").Output()
	if err != nil {
		return begin
	}
	return strings.TrimSpace(string(id))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func readRows[R any](path string, convert func(R) (completion, error)) ([]completion, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []completion
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var r R
		if err := d.Decode(&r); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c, err := convert(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, c)
	}
}

// byRepository groups rows of one partition, in the order of the rows.
func byRepository(rows []completion) [][]completion {
	var out [][]completion
	for _, c := range rows {
		i := slices.IndexFunc(out, func(g []completion) bool {
			return g[0].repo == c.repo && g[0].commit == c.commit && g[0].language == c.language
		})
		if i < 0 {
			out, i = append(out, nil), len(out)
		}
		out[i] = append(out[i], c)
	}
	return out
}

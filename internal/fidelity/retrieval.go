package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"benchmill/internal/retrieval"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/crosscodeeval"
)

// retrievalSettings are those of the published script that need no model.
var retrievalSettings = []string{"rg1_bm25", "oracle_bm25", "rg1_jaccard_sim", "oracle_jaccard_sim"}

// retrieval compares, for released rows, the chunks our stage retrieves with those
// that the published script's steps give, which are written down once more in
// script.go; and the lines our adapter writes with the released ones.
func (m *cutting) retrieval(ctx context.Context, official, mirrors string) error {
	rows, err := readOfficial(official, mirrors)
	if err != nil {
		return err
	}
	released, err := releasedLines(official)
	if err != nil {
		return err
	}
	fmt.Printf("\n%-32s %6s %6s", "retrieval", "rows", "lines")
	for _, s := range retrievalSettings {
		fmt.Printf(" %18s", s)
	}
	fmt.Printf(" %6s %8s\n", "ties", "off by")
	for _, group := range byRepository(rows) {
		r, err := m.read(ctx, group[0])
		if err != nil {
			return fmt.Errorf("%s: %w", group[0].repo, err)
		}
		c := agreement{same: map[string]int{}}
		for _, row := range group {
			if err := c.row(ctx, m, r, row, released[row.id]); err != nil {
				return fmt.Errorf("%s %s: %w", row.repo, row.id, err)
			}
		}
		fmt.Printf("%-32s %6d %6d", group[0].repo, c.rows, c.lines)
		for _, s := range retrievalSettings {
			fmt.Printf(" %18d", c.same[s])
		}
		fmt.Printf(" %6d %8.1g\n", c.ties, c.off)
	}
	return nil
}

// agreement counts rows: lines are those written byte for byte, same those with
// equal chunks in the same order, ties the rankings in which one of the chunks
// taken scores as much as another; off is the largest difference of a score.
type agreement struct {
	rows, lines, ties int
	same              map[string]int
	off               float64
}

func (c *agreement) row(ctx context.Context, m *cutting, r *measured, row completion, released string) error {
	c.rows++
	if ours, err := lineOf(row, released); err != nil {
		return err
	} else if ours == released {
		c.lines++
	} else {
		fmt.Printf("  %s: the line differs:\n%s\n%s", row.id, ours, released)
	}
	tasks, err := stagetest.Run(ctx, stagetest.Job{
		Stage:     crosscodeeval.Tasks(m.registry.Languages),
		Config:    &crosscodeeval.TasksConfig{Settings: retrievalSettings, Hits: 5, Candidates: 1000, Files: 1000, Compat: "upstream"},
		Tokenizer: uncounted{},
		Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: row.repo, Commit: row.commit, Language: row.language}}, "files": r.files,
			"examples": []schemas.CompletionExample{{ID: row.id, Path: row.places[0].path, Prompt: row.prompt, Reference: row.reference}},
		},
	})
	if err != nil {
		return err
	}
	s := newScript(r.texts, row.places[0].path)
	for _, found := range stagetest.Rows[schemas.CompletionTask](tasks, "tasks")[0].Contexts {
		want := s.retrieve(found.Setting, row.prompt, row.reference)
		if same(found.Chunks, want.hits, &c.off) {
			c.same[found.Setting]++
		} else {
			fmt.Printf("  %s %s:\n%s  by the script's steps:\n%s", row.id, found.Setting, listing(found.Chunks), listing(want.hits))
		}
		if want.tied {
			c.ties++
		}
	}
	return nil
}

// same compares texts, paths and order; scores may differ in their last digits,
// as logarithms do between processors.
func same(ours, theirs []schemas.RetrievedChunk, off *float64) bool {
	return slices.EqualFunc(ours, theirs, func(a, b schemas.RetrievedChunk) bool {
		difference := math.Abs(a.Score - b.Score)
		*off = max(*off, difference)
		return a.Text == b.Text && a.Path == b.Path && difference < 1e-9
	})
}

func listing(chunks []schemas.RetrievedChunk) string {
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "    %.17g %s %.50q\n", c.Score, c.Path, c.Text)
	}
	return b.String()
}

type releasedRow struct {
	Metadata struct {
		ID string `json:"task_id"`
	} `json:"metadata"`
	Context *struct {
		Text string `json:"text"`
		List []struct {
			Text  string  `json:"retrieved_chunk"`
			Path  string  `json:"filename"`
			Score float64 `json:"score"`
		} `json:"list"`
	} `json:"crossfile_context"`
}

// releasedLines are the lines of a file of rows, by id.
func releasedLines(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range bytes.Lines(data) {
		var r releasedRow
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out[r.Metadata.ID] = strings.TrimSuffix(string(line), "\n") + "\n"
	}
	return out, nil
}

// lineOf is a released row as our adapter writes it, given what was retrieved for
// it: the text around the chunks is made anew.
func lineOf(row completion, released string) (line string, err error) {
	var r releasedRow
	if err := json.Unmarshal([]byte(released), &r); err != nil {
		return "", err
	}
	task := schemas.CompletionTask{
		TaskID: row.id, Repo: row.repo, Commit: row.commit, Language: row.language, Path: row.places[0].path,
		Prompt: row.prompt, Reference: row.reference, RightContext: row.right,
		CursorLine: int64(row.cursorLine), RightLine: int64(row.rightLine),
	}
	if r.Context != nil {
		found := schemas.CrossFileContext{Setting: "any"}
		var hits []retrieval.Hit
		for _, c := range r.Context.List {
			found.Chunks = append(found.Chunks, schemas.RetrievedChunk{Text: c.Text, Path: c.Path, Score: c.Score})
			hits = append(hits, retrieval.Hit{Path: c.Path, Text: c.Text})
		}
		comment, _, _ := strings.Cut(r.Context.Text, " ")
		found.Text = retrieval.Text(hits, comment, crosscodeeval.PublishedWording())
		task.Contexts = append(task.Contexts, found)
	}
	err = crosscodeeval.LineCompletion().Append(task, func(_ string, data []byte) error {
		line = string(data) // the last file has all
		return nil
	})
	return line, err
}

// uncounted is a tokenizer nobody asks about figures.
type uncounted struct{}

func (uncounted) Identity() string                 { return "none" }
func (uncounted) Encode(dst []int, _ string) []int { return dst }
func (uncounted) Count(string) int                 { return 0 }

package crosscodeeval

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/schemas"
)

func TestLineCompletion(t *testing.T) {
	a := LineCompletion()
	if err := pipeline.ValidateAdapters([]*pipeline.Adapter{a}); err != nil {
		t.Error(err)
	}
	task := schemas.CompletionTask{
		TaskID: "0f", Repo: "owner/na-me", Commit: "0123456789abcdef", Language: "typescript", Path: "src/é.ts",
		Prompt: "const x = <T>(\"a\") =>\n\t", Reference: "f();", RightContext: "\r\n// 😀\n", CursorLine: 1, RightLine: 2,
		Contexts: []schemas.CrossFileContext{
			{Setting: "rg1_bm25", Text: "// x\n", Chunks: []schemas.RetrievedChunk{{Text: "a & b", Path: "b.ts", Score: 12}, {Text: "c", Path: "d.ts", Score: 0.1}}},
			{Setting: "oracle_bm25"},
		},
	}
	const row = `{"prompt": "const x = <T>(\"a\") =>\n\t", "groundtruth": "f();", "right_context": "\r\n// \ud83d\ude00\n", ` +
		`"metadata": {"task_id": "0f", "repository": "owner-na-me-0123456", "file": "src/\u00e9.ts", ` +
		`"context_start_lineno": 0, "groundtruth_start_lineno": 1, "right_context_start_lineno": 2}`
	want := map[string]string{
		"typescript/line_completion.jsonl": row + "}\n",
		"typescript/line_completion_rg1_bm25.jsonl": row + `, "crossfile_context": {"text": "// x\n", "list": [` +
			`{"retrieved_chunk": "a & b", "filename": "b.ts", "score": 12.0}, {"retrieved_chunk": "c", "filename": "d.ts", "score": 0.1}]}}` + "\n",
		"typescript/line_completion_oracle_bm25.jsonl": row + `, "crossfile_context": {"text": "", "list": []}}` + "\n",
	}
	got := map[string]string{}
	for range 2 {
		if err := a.Append(task, func(path string, data []byte) error { got[path] += string(data); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if got[path] != want[path]+want[path] {
			t.Errorf("%s:\n%s\nwant twice\n%s", path, got[path], want[path])
		}
		for line := range strings.Lines(got[path]) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON: %s", path, line)
			}
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files", len(got))
	}
	// Whichever file is full, the failure is told.
	full := errors.New("full")
	for fail := range 3 {
		n := 0
		err := a.Append(task, func(string, []byte) error {
			if n++; n > fail {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || n != fail+1 {
			t.Errorf("file %d: %v after %d", fail, err, n)
		}
	}
}

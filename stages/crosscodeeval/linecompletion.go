package crosscodeeval

import (
	"fmt"
	"strconv"
	"strings"

	"benchmill/internal/pytext"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// LineCompletion writes tasks as the published evaluator and its scripts for
// inference read them: <language>/line_completion.jsonl, and for each retrieval
// setting <language>/line_completion_<setting>.jsonl with what was retrieved. Keys
// stand in the published order, texts and numbers as Python's json writes them. An
// example for which nothing was retrieved has an empty text and list.
//
// Version history:
//
//	1: first version
func LineCompletion() *pipeline.Adapter {
	return pipeline.NewAdapter("line_completion", 1,
		"JSON lines for the published evaluator of CrossCodeEval, by language and retrieval setting.",
		schemas.CompletionTasks, lineCompletion)
}

func lineCompletion(t schemas.CompletionTask, to func(path string, data []byte) error) error {
	var line []byte
	text := func(key, s string) { line = pytext.AppendString(append(line, `"`+key+`": `...), s) }
	number := func(key string, n int64) {
		line = strconv.AppendInt(append(line, `, "`+key+`": `...), n, 10)
	}
	line = append(line, '{')
	text("prompt", t.Prompt)
	line = append(line, ", "...)
	text("groundtruth", t.Reference)
	line = append(line, ", "...)
	text("right_context", t.RightContext)
	line = append(line, `, "metadata": {`...)
	text("task_id", t.TaskID)
	line = append(line, ", "...)
	text("repository", repositoryName(t))
	line = append(line, ", "...)
	text("file", t.Path)
	number("context_start_lineno", t.ContextLine)
	number("groundtruth_start_lineno", t.CursorLine)
	number("right_context_start_lineno", t.RightLine)
	line = append(line, '}')
	file := t.Language + "/line_completion"
	if err := to(file+".jsonl", append(line, "}\n"...)); err != nil {
		return err
	}
	shared := len(line)
	for _, found := range t.Contexts {
		line = append(line[:shared], `, "crossfile_context": {`...)
		text("text", found.Text)
		line = append(line, `, "list": [`...)
		for i, c := range found.Chunks {
			if i > 0 {
				line = append(line, ", "...)
			}
			line = append(line, '{')
			text("retrieved_chunk", c.Text)
			line = append(line, ", "...)
			text("filename", c.Path)
			line = append(pytext.AppendFloat(append(line, `, "score": `...), c.Score), '}')
		}
		if err := to(file+"_"+found.Setting+".jsonl", append(line, "]}}\n"...)); err != nil {
			return err
		}
	}
	return nil
}

// repositoryName is owner-name-commit with seven digits.
func repositoryName(t schemas.CompletionTask) string {
	return fmt.Sprintf("%s-%.7s", strings.ReplaceAll(t.Repo, "/", "-"), t.Commit)
}

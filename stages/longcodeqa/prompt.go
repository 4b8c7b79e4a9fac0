package longcodeqa

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"benchmill/internal/prompt"
	"benchmill/schemas"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var taskPrompt = prompt.MustLoad(promptFiles, "prompts/task.tmpl")

// Where the question of a prompt stands.
const (
	afterFiles  = "after"
	beforeFiles = "before"
)

// Layout is how prompts are laid out. Sizes and tasks of one release share it.
type Layout struct {
	Placement string `yaml:"placement" enum:"after|before" doc:"where the question stands: after the files, as the paper has it, or before them"`
}

// Prompt puts a task together (section 3.2, "Prompt structure"): instructions,
// the files as [FilesText] has them, and the question with its choices under
// their letters.
func (l Layout) Prompt(q schemas.Question, files string) (string, error) {
	if len(q.Choices) != len(schemas.Letters) {
		return "", fmt.Errorf("question %s has %d choices, not %d", q.ID, len(q.Choices), len(schemas.Letters))
	}
	return taskPrompt.Render(map[string]any{
		"Question": q.Question, "Choices": lettered(q.Choices),
		"Files": files, "QuestionFirst": l.Placement == beforeFiles,
	})
}

// lettered puts the letters before choices: "A) ...".
func lettered(choices []string) []string {
	out := make([]string, len(choices))
	for i, c := range choices {
		out[i] = string(schemas.Letters[i]) + ") " + c
	}
	return out
}

// FilesText is a repository as the prompt shows it: all files in ascending order
// of their paths, each between a line "[start of path]" and a line "[end of path]".
func FilesText(files []schemas.File) string {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b schemas.File) int { return strings.Compare(a.Path, b.Path) })
	size := 0
	for _, f := range sorted {
		size += len(f.Text) + 2*len(f.Path) + 32
	}
	var b strings.Builder
	b.Grow(size)
	for _, f := range sorted {
		name := onOneLine(f.Path)
		b.WriteString("[start of " + name + "]\n")
		b.WriteString(f.Text)
		if f.Text != "" && !strings.HasSuffix(f.Text, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString("[end of " + name + "]\n")
	}
	return b.String()
}

// onOneLine is a path as prompts name it: in quotes, with escapes, where it holds
// line breaks or other characters that are not printed, with which it could pass
// for the lines of other files.
func onOneLine(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(path)
	}
	return path
}

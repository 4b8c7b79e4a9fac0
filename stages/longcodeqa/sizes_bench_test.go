package longcodeqa

import (
	"fmt"
	"strings"
	"testing"

	"benchmill/internal/tokenizer"
	"benchmill/schemas"
)

// BenchmarkSizes counts the prompts of 50 questions over one repository of about
// four megabytes: as the stage does, and each as a whole. The ratio is what the
// stage saves.
func BenchmarkSizes(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 4<<20; i++ {
		fmt.Fprintf(&text, "def handler_%d(request, limit=%d):\n    return [row for row in request.rows if row.weight > limit]\n\n", i, i%97)
	}
	files := FilesText([]schemas.File{{Path: "a.py", Text: text.String()}})
	var questions []schemas.Question
	for i := range 50 {
		questions = append(questions, schemas.Question{ID: fmt.Sprint(i), Question: fmt.Sprintf("What does handler_%d return?", i), Choices: []string{"rows", "limits", "weights", "requests"}})
	}
	layout := Layout{Placement: "after"}
	t := tokenizer.Embedded()
	b.Run("stage", func(b *testing.B) {
		for b.Loop() {
			if _, err := promptTokens(b.Context(), t, layout, questions, files); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("each-whole", func(b *testing.B) {
		for b.Loop() {
			if _, err := countPrompts(b.Context(), t, layout, questions, files); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package longcodeqa

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// byteTokens has a token for each byte, or for so many of them.
type byteTokens struct{ width int }

func (byteTokens) Identity() string { return "bytes" }

func (b byteTokens) Count(text string) int { return (len(text) + b.width - 1) / b.width }

func (b byteTokens) Encode(dst []int, text string) []int { return make([]int, b.Count(text)) }

// counting counts how many bytes it was given.
type counting struct {
	pipeline.Tokenizer
	bytes int
}

func (c *counting) Count(text string) int {
	c.bytes += len(text)
	return c.Tokenizer.Count(text)
}

// shared loads a published vocabulary, which is not part of the repository.
func shared(t *testing.T, kind tokenizer.Kind, name string) tokenizer.Tokenizer {
	t.Helper()
	dir := os.Getenv("BENCHMILL_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "tokenizers", name))
	if err != nil {
		t.Skipf("SKIPPED: no published vocabulary to test against, set BENCHMILL_SHARED: %v", err)
	}
	tok, err := tokenizer.Load(kind, "", data)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// randomText is a text of the kind that tokenizers find hard to cut.
func randomText(r *rand.Rand, n int) string {
	parts := []string{" ", "  ", "\n", "\n\n", "\t", "\r\n", "def f(x):\n", "    return", "é", "日本", "🎉", "'s", "...", "0", "12345", "[end of a.py]\n", "<|endoftext|>", "A", "zz", "_", "\u00a0", "\u200b"}
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// Sizes are what the tokenizer counts, whatever it is and whatever files hold.
func TestPromptTokens(t *testing.T) {
	for name, load := range map[string]func(t *testing.T) pipeline.Tokenizer{
		"embedded":      func(*testing.T) pipeline.Tokenizer { return tokenizer.Embedded() },
		"sentencepiece": func(t *testing.T) pipeline.Tokenizer { return shared(t, tokenizer.KindSentencePiece, "llama2.model") },
		"huggingface": func(t *testing.T) pipeline.Tokenizer {
			return shared(t, tokenizer.KindHuggingFace, "starcoder.tokenizer.json")
		},
		"bytes": func(*testing.T) pipeline.Tokenizer { return byteTokens{1} },
	} {
		t.Run(name, func(t *testing.T) {
			tok := load(t)
			r := rand.New(rand.NewPCG(1, 2))
			for range 40 {
				var files []schemas.File
				for i := range r.IntN(5) {
					files = append(files, schemas.File{Path: fmt.Sprintf("f%d%s.py", i, strings.Repeat("x", r.IntN(9))), Text: randomText(r, 60)})
				}
				var questions []schemas.Question
				for i := range 1 + r.IntN(6) {
					q := question(int64(i))
					q.Question = randomText(r, 10)
					for c := range q.Choices {
						q.Choices[c] = randomText(r, 4)
					}
					questions = append(questions, q)
				}
				for _, l := range []Layout{{"after"}, {"before"}} {
					got, err := promptTokens(t.Context(), tok, l, questions, FilesText(files))
					if err != nil {
						t.Fatal(err)
					}
					for i, q := range questions {
						p, err := l.Prompt(q, FilesText(files))
						if err != nil {
							t.Fatal(err)
						}
						if want := tok.Count(p); got[i] != want {
							t.Errorf("question %d of %d, %s: %d tokens, want %d in %q", i, len(questions), l.Placement, got[i], want, p)
						}
					}
				}
			}
		})
	}
}

// A tokenizer whose tokens depend on how much stands before them is noticed, and
// every prompt is counted whole.
func TestPromptTokensDoNotAddUp(t *testing.T) {
	tok := byteTokens{7}
	files := FilesText([]schemas.File{{Path: "a.py", Text: "x = 1\n"}})
	noticed := 0
	for n := range 7 {
		questions := []schemas.Question{question(1), question(2)}
		questions[1].Question += strings.Repeat("?", n)
		got, err := promptTokens(t.Context(), tok, Layout{"after"}, questions, files)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range questions {
			whole, _ := Layout{"after"}.Prompt(q, files)
			if got[i] != tok.Count(whole) {
				t.Errorf("%d tokens, want %d", got[i], tok.Count(whole))
			}
		}
		bare, err := countPrompts(t.Context(), tok, Layout{"after"}, questions, "")
		if err != nil {
			t.Fatal(err)
		}
		if bare[1]-bare[0] != got[1]-got[0] {
			noticed++
		}
	}
	if noticed == 0 {
		t.Error("the counts added up after all: this tests nothing")
	}
}

func sizesJob(files []schemas.File, questions []schemas.Question, topics []schemas.RepositoryTopics, tok pipeline.Tokenizer) stagetest.Job {
	inputs := map[string]any{"repository": []schemas.Repository{repository()}, "files": files, "questions": questions}
	if topics != nil {
		inputs["topics"] = topics
	}
	return stagetest.Job{Stage: Sizes(), Inputs: inputs, Tokenizer: tok, Config: &SizesConfig{Tokenizer: "t", MaxBytes: 1 << 20, Layout: Layout{"after"}}}
}

func TestSizes(t *testing.T) {
	files := []schemas.File{{Path: "b.py", Text: "bb"}, {Path: "a.py", Text: "a"}}
	questions := []schemas.Question{question(1), question(2)}
	questions[1].Question = "Longer than that one, is it not, by far?"
	for name, test := range map[string]struct {
		topics []schemas.RepositoryTopics
		want   []string
	}{
		"the list's":  {nil, []string{"databases"}},
		"the model's": {[]schemas.RepositoryTopics{{Repo: "owner/name", Topics: []string{"security", "networking"}}}, []string{"security", "networking"}},
		"dropped":     {[]schemas.RepositoryTopics{}, []string{"databases"}},
	} {
		r, err := stagetest.Run(t.Context(), sizesJob(files, questions, test.topics, byteTokens{1}))
		if err != nil {
			t.Fatal(err)
		}
		rows := stagetest.Rows[schemas.QuestionSize](r, "sizes")
		if len(rows) != 2 {
			t.Fatalf("%+v", rows)
		}
		for i, row := range rows {
			p, _ := Layout{"after"}.Prompt(questions[i], FilesText(files))
			if row.ID != questions[i].ID || row.Tokens != int64(len(p)) || row.FileTokens != 3 || row.ContextFiles != 2 ||
				row.Repo != "owner/name" || row.Partition != "python/owner/name@111111111111" || !slices.Equal(row.Topics, test.want) {
				t.Errorf("%s: %+v, want %d tokens", name, row, len(p))
			}
		}
	}
	if _, err := stagetest.Run(t.Context(), sizesJob(files, nil, nil, nil)); err == nil || !strings.Contains(err.Error(), `no tokenizer "t"`) {
		t.Error(err)
	}
}

func TestSizesOfHugeRepositories(t *testing.T) {
	files := []schemas.File{{Path: "a.py", Text: strings.Repeat("x", 1<<19)}, {Path: "b.py", Text: strings.Repeat("x", 1<<19+1)}}
	c := &counting{Tokenizer: byteTokens{1}}
	r, err := stagetest.Run(t.Context(), sizesJob(files, []schemas.Question{question(1), question(2)}, nil, c))
	if err != nil || r.Reasons()["repository_too_large"] != 2 || c.bytes > 0 {
		t.Errorf("%v, %v, %d bytes", r, err, c.bytes)
	}
}

// What is tokenised does not grow with files times questions.
func TestSizesAreNotQuadratic(t *testing.T) {
	files := []schemas.File{{Path: "a.py", Text: strings.Repeat("x = 1\n", 1<<16)}}
	var questions []schemas.Question
	for i := range int64(50) {
		questions = append(questions, question(i))
	}
	c := &counting{Tokenizer: byteTokens{1}}
	if _, err := stagetest.Run(t.Context(), sizesJob(files, questions, nil, c)); err != nil {
		t.Fatal(err)
	}
	if most := 4 * len(files[0].Text); c.bytes > most {
		t.Errorf("%d bytes were counted, more than %d", c.bytes, most)
	}
}

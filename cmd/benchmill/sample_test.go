package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"benchmill/artifacts/release"
	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipelines/sample"
	"benchmill/schemas"
	stages "benchmill/stages/all"
	"benchmill/stages/longcodeqa"
)

// TestSample builds the project's own pipeline twice, one task at a time and eight
// of them, and looks at what comes of it.
func TestSample(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := sample.Prepare(t.Context(), filepath.Join(dir, "sample")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "pipeline.yaml")
	build := func(jobs string) (store string) {
		store = filepath.Join(dir, "jobs-"+jobs)
		var out, errs bytes.Buffer
		code := Main(context.Background(), []string{
			"run", "--frozen", "--quiet", "--jobs", jobs, "-f", file, "--store", store,
			"--mirror", "https://benchmill.invalid/=" + filepath.Join(dir, "sample") + "/",
		}, &streams{strings.NewReader(""), &out, &errs, false})
		if code != exitOK {
			t.Fatalf("--jobs %s: exit code %d: %s%s", jobs, code, out.String(), errs.String())
		}
		return store
	}
	one, eight := build("1"), build("8")
	registry, err := stages.New()
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Load(file, kinds(registry), nil)
	if err != nil {
		t.Fatal(err)
	}

	t.Run("Promise1", func(t *testing.T) {
		for _, part := range []string{"releases", "cache", "ledger"} {
			want, got := contents(t, filepath.Join(one, part)), contents(t, filepath.Join(eight, part))
			if len(want) == 0 || !slices.Equal(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))) {
				t.Errorf("%s: %d files and %d", part, len(want), len(got))
			}
			for name := range want {
				if !bytes.Equal(want[name], got[name]) {
					t.Errorf("%s/%s differs", part, name)
				}
			}
		}
	})
	for _, r := range g.Releases {
		m, path := readSample(t, eight, r.Name)
		t.Run("Promise4/"+r.Name, func(t *testing.T) {
			addsUp(t, g, r, m)
			onCard(t, m, filepath.Join(path, "README.md"))
		})
	}
	t.Run("LongCodeQA", func(t *testing.T) {
		m, path := readSample(t, eight, "longcodeqa-sample")
		var tasks []schemas.LongCodeQATask
		err := release.EachRow(t.Context(), path, m, schemas.LongCodeQATasks, func(row reflect.Value) error {
			tasks = append(tasks, row.Interface().(schemas.LongCodeQATask))
			return nil
		})
		if err != nil || int64(len(tasks)) != m.Rows {
			t.Fatalf("%d tasks of %d, %v", len(tasks), m.Rows, err)
		}
		n, _ := g.Node("selection")
		inBrackets(t, tasks, n.Config.(*longcodeqa.SelectConfig))
		shuffled(t, tasks, g.Seed, filepath.Join(root, "pipelines", "sample", "replies.yaml"))
	})
	t.Run("YABLoCo", func(t *testing.T) {
		scoresBodies(t, root, dir, eight, bodies(t, eight))
	})
	t.Run("CrossCodeEval", func(t *testing.T) {
		m, path := readSample(t, eight, "crosscodeeval-sample")
		languages := map[string]int{}
		err := release.EachRow(t.Context(), path, m, schemas.CompletionTasks, func(row reflect.Value) error {
			task := row.Interface().(schemas.CompletionTask)
			languages[task.Language]++
			completes(t, task)
			return nil
		})
		if err != nil || len(languages) != 8 {
			t.Errorf("tasks by language: %v, %v", languages, err)
		}
		m, path = readSample(t, eight, "crosscodeeval-agreement-sample")
		compared := 0
		err = release.EachRow(t.Context(), path, m, schemas.CrossFileAgreements, func(row reflect.Value) error {
			if a := row.Interface().(schemas.CrossFileAgreement); a.Kind == "all" && a.Files > 0 {
				compared++
				if a.F1 != 1 || a.Both == 0 {
					t.Errorf("%s agrees with %s at %.4f of %d", a.Repo, a.Reference, a.F1, a.Both)
				}
			}
			return nil
		})
		if err != nil || compared < 3 {
			t.Errorf("%d repositories compared with compilers, %v", compared, err)
		}
	})
}

// completes checks what every completion promises of itself.
func completes(t *testing.T, task schemas.CompletionTask) {
	t.Helper()
	name, lines := strings.Index(task.Reference, task.Name), strings.Count(task.Prompt, "\n")
	if name < 0 || int64(lines) != task.CursorLine || task.RightLine != task.CursorLine+int64(strings.Count(task.Reference, "\n"))+1 {
		t.Errorf("%s: %q needs %s; lines %d, %d and %d", task.TaskID, task.Reference, task.Name, lines, task.CursorLine, task.RightLine)
	}
	if len(task.Contexts) != 4 {
		t.Errorf("%s: %d contexts", task.TaskID, len(task.Contexts))
	}
	for _, c := range task.Contexts {
		for _, chunk := range c.Chunks {
			if chunk.Path == task.Path || !strings.Contains(c.Text, chunk.Path) {
				t.Errorf("%s, %s: a piece of %s", task.TaskID, c.Setting, chunk.Path)
			}
		}
	}
}

func readSample(t *testing.T, store, dataset string) (*release.Manifest, string) {
	t.Helper()
	l, err := release.Find(filepath.Join(store, "releases"), dataset)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := release.Read(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	return m, l.Path
}

// addsUp checks the funnel of a release: what a stage reads of a table is what the
// producer wrote, what flows in comes out or is dropped by a reason, and the end is
// the rows of the release.
func addsUp(t *testing.T, g *graph.Graph, r *graph.Release, m *release.Manifest) {
	t.Helper()
	byNode := map[string]release.Stage{}
	for _, s := range m.Stages {
		byNode[s.Node] = s
	}
	flows, edges := 0, 0
	for _, s := range m.Stages {
		n, ok := g.Node(s.Node)
		if !ok || s.Partitions == 0 || s.Quarantined+s.Skipped > 0 {
			t.Errorf("%+v: not of the pipeline, or not whole", s)
			continue
		}
		in, out, drops := rowsOf(s.In), rowsOf(s.Out), map[string]int64{}
		for _, d := range s.Drops {
			drops[d.Table] += d.Rows
		}
		for port, edge := range n.In {
			edges++
			if wrote := rowsOf(byNode[edge.Node.Name].Out)[edge.Port.Name]; in[port] != wrote {
				t.Errorf("%s reads %d %s, %s wrote %d", s.Node, in[port], port, edge.Node.Name, wrote)
			}
		}
		for _, f := range n.Stage.Flows {
			flows++
			sum := drops[f.From]
			delete(drops, f.From)
			for _, to := range f.To {
				sum += out[to]
			}
			if in[f.From] != sum {
				t.Errorf("%s: %d %s in, %d out or dropped", s.Node, in[f.From], f.From, sum)
			}
		}
		if len(drops) > 0 {
			t.Errorf("%s drops rows of no flow: %v", s.Node, drops)
		}
	}
	if len(m.Stages) < 5 || flows < 1 || edges < 9 {
		t.Errorf("%d stages, %d flows, %d edges", len(m.Stages), flows, edges)
	}
	var inFiles, fromSources int64
	for _, f := range m.Files {
		inFiles += f.Rows
	}
	for _, s := range m.Sources {
		fromSources += s.Rows
	}
	if last := rowsOf(byNode[r.Table.Node.Name].Out)[r.Table.Port.Name]; last != m.Rows || inFiles != m.Rows || fromSources != m.Rows {
		t.Errorf("%d rows; %s wrote %d, the files hold %d, the sources gave %d", m.Rows, r.Table, last, inFiles, fromSources)
	}
}

func rowsOf(counts []release.Count) map[string]int64 {
	out := map[string]int64{}
	for _, c := range counts {
		out[c.Table] += c.Rows
	}
	return out
}

var cardRow = regexp.MustCompile(`(?m)^\| (\S+) \(\S+/\d+\) \| (.*) \| (.*) \| (.*) \| (.*) \|$`)

// onCard checks that the card shows the numbers of the manifest.
func onCard(t *testing.T, m *release.Manifest, card string) {
	t.Helper()
	text, err := os.ReadFile(card)
	if err != nil {
		t.Fatal(err)
	}
	rows := cardRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) != len(m.Stages) {
		t.Fatalf("%d steps on the card, %d in the manifest", len(rows), len(m.Stages))
	}
	for i, s := range m.Stages {
		drops := map[string]int64{}
		for _, d := range s.Drops {
			drops[d.Reason] += d.Rows
		}
		if rows[i][1] != s.Node {
			t.Errorf("step %s on the card, %s in the manifest", rows[i][1], s.Node)
		}
		for k, want := range []map[string]int64{rowsOf(s.In), rowsOf(s.Out), drops, rowsOf(s.Notes)} {
			if got := countsIn(t, rows[i][2+k]); !maps.Equal(got, want) {
				t.Errorf("%s: %v on the card, %v in the manifest", s.Node, got, want)
			}
		}
	}
}

// countsIn reads a cell such as "3 issues, 40 comments".
func countsIn(t *testing.T, cell string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for part := range strings.SplitSeq(cell, ", ") {
		count, name, _ := strings.Cut(part, " ")
		if part == "" {
			continue
		}
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			t.Errorf("%q: %v", cell, err)
		}
		out[name] += n
	}
	return out
}

// inBrackets counts every prompt afresh: it is in the smallest bracket that holds
// it, and each bracket has as many questions as it was to have.
func inBrackets(t *testing.T, tasks []schemas.LongCodeQATask, c *longcodeqa.SelectConfig) {
	t.Helper()
	counter := tokenizer.Embedded()
	have := map[int64]int{}
	for _, task := range tasks {
		have[task.BracketTokens]++
		if task.Tokenizer != counter.Identity() {
			t.Fatalf("%s was counted by %s, not by %s", task.TaskID, task.Tokenizer, counter.Identity())
		}
		n := int64(counter.Count(task.Prompt))
		at := slices.Index(c.Brackets, task.BracketTokens)
		if n != task.PromptTokens || n > task.BracketTokens || at < 0 || at > 0 && n <= c.Brackets[at-1] {
			t.Errorf("%s: %d tokens, %d on the row, in the bracket of %d", task.TaskID, n, task.PromptTokens, task.BracketTokens)
		}
		if want := fmt.Sprintf("%dK", task.BracketTokens/1024); task.Bracket != want {
			t.Errorf("%s: bracket %s, want %s", task.TaskID, task.Bracket, want)
		}
	}
	for _, b := range c.Brackets {
		if have[b] != c.PerBracket {
			t.Errorf("bracket %d has %d questions, want %d", b, have[b], c.PerBracket)
		}
	}
}

// shuffled checks that the choices are the four answers that were written, in the
// order the seed gives, that the letter is that of the right one, and that the
// prompt shows them so.
func shuffled(t *testing.T, tasks []schemas.LongCodeQATask, seed int64, replies string) {
	t.Helper()
	text, err := os.ReadFile(replies)
	if err != nil {
		t.Fatal(err)
	}
	var written []struct {
		Ask    string    `yaml:"ask"`
		Answer yaml.Node `yaml:"answer"`
	}
	if err := yaml.Unmarshal(text, &written); err != nil {
		t.Fatal(err)
	}
	answers := map[string][]string{}
	for _, w := range written {
		var a struct {
			Right string   `yaml:"correct_answer"`
			Wrong []string `yaml:"incorrect_answers"`
		}
		if w.Answer.Kind == yaml.MappingNode && w.Answer.Decode(&a) == nil {
			answers[w.Ask] = append([]string{a.Right}, a.Wrong...)
		}
	}
	letters := map[string]int{}
	for _, task := range tasks {
		letters[task.CorrectLetter]++
		own := answers[fmt.Sprintf("convertible %s#%d", task.Repo, task.Issue)]
		choices := []string{task.ChoiceA, task.ChoiceB, task.ChoiceC, task.ChoiceD}
		order := pipeline.Seed{Pipeline: seed, Stage: "longcodeqa.questions"}.Rand(task.TaskID).Perm(len(choices))
		if len(own) != len(choices) {
			t.Errorf("%s: %d answers were written", task.TaskID, len(own))
			continue
		}
		at := 0
		for i, choice := range choices {
			line := "\n" + schemas.Letters[i:i+1] + ") " + choice + "\n"
			next := strings.Index(task.Prompt[at:], line)
			if choice != own[order[i]] || next < 0 || slices.Contains(choices[:i], choice) {
				t.Errorf("%s: choice %c is %q, twice, elsewhere or not in the prompt; want %q", task.TaskID, schemas.Letters[i], choice, own[order[i]])
			}
			at += max(next, 0)
		}
		if want := schemas.Letters[slices.Index(order, 0):][:1]; task.CorrectLetter != want {
			t.Errorf("%s: the right letter is %s, not %s", task.TaskID, want, task.CorrectLetter)
		}
	}
	if len(letters) < 3 {
		t.Errorf("right letters are %v", letters)
	}
}

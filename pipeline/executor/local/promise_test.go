package local_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"benchmill/artifacts/storetest"
	"benchmill/internal/digest"
	"benchmill/internal/gitfixture"
	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/pipeline/cache/cachetest"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/executor/local"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/planner"
	"benchmill/sources"
	"benchmill/sources/effects"
	"benchmill/sources/git"
	"benchmill/sources/llm"
	"benchmill/sources/vocabulary"
	stages "benchmill/stages/all"
)

const pipelineText = `
version: 1
name: promise
seed: 7
stages:
  repositories: {uses: repos.list, with: {file: repositories.yaml}}
  snapshot: {uses: repos.snapshot, from: repositories}
  files: {uses: code.files, from: [repositories, snapshot]}
  functions: {uses: code.functions, from: [repositories, files]}
  needles: {uses: repoqa.needles, from: [repositories, functions], with: {per_repository: 3}}
  described: {uses: repoqa.describe, from: [repositories, needles, files], with: {model: annotator}}
  tasks: {uses: repoqa.contexts, from: [repositories, described, files, functions], with: {tokens: [256, 512], tokenizer: own}}
models:
  annotator: {provider: extractive}
tokenizers:
  own: {kind: embedded}
`

// repositories makes small repositories and the list that names them.
func repositories(t *testing.T, n int) string {
	t.Helper()
	list := "repositories:\n"
	for i := range n {
		r := gitfixture.New(t)
		var files []gitfixture.File
		for j := range 4 {
			text := fmt.Sprintf("# File %d.\nimport m%d\n\n", j, (j+1)%4)
			for k := range 3 {
				text += fmt.Sprintf("def work_%d_%d(first, second):\n    # step %d\n    total = first + second * %d\n    for item in range(total):\n        total -= item\n    return total\n\n", j, k, k, k+i)
			}
			files = append(files, gitfixture.Text(fmt.Sprintf("m%d.py", j), text))
		}
		commit := r.Commit(append(files, gitfixture.Text("README", "words"))...)
		list += fmt.Sprintf("  - {repo: o/r%d, url: %q, commit: %s, language: python}\n", i, r.Dir(), commit)
	}
	return list
}

// build is one program with stores of its own.
type build struct {
	dir    string
	store  *storetest.Memory
	cache  *cachetest.Memory
	frozen bool
}

func newBuild(t *testing.T, list string) *build {
	t.Helper()
	b := &build{dir: t.TempDir(), store: &storetest.Memory{}, cache: &cachetest.Memory{}}
	if err := os.WriteFile(filepath.Join(b.dir, "repositories.yaml"), []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	return b
}

// ReadFile implements pipeline.Files.
func (b *build) ReadFile(name pipeline.FileName) ([]byte, error) {
	return os.ReadFile(filepath.Join(b.dir, string(name)))
}

func (b *build) run(t *testing.T, jobs int) (map[string]string, *planner.Frontier, error) {
	t.Helper()
	registry, err := stages.New()
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Parse(filepath.Join(b.dir, "pipeline.yaml"), []byte(pipelineText), graph.Kinds{
		Stages: registry.Stages, Model: func() any { return &llm.Settings{} }, Tokenizer: func() any { return &vocabulary.Settings{} },
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	id := planner.Build(registry.Stages, registry.Identities()...)
	facts := planner.Facts{
		Build: id, Files: b,
		File: func(name pipeline.FileName) (digest.Digest, error) {
			data, err := b.ReadFile(name)
			if err != nil {
				return "", err
			}
			return storetest.Put(t, b.store, data), nil
		},
		Model: func(name pipeline.ModelName) (pipeline.ModelSpec, json.RawMessage, error) {
			m := g.Models[string(name)]
			data, err := json.Marshal(m.Settings)
			return m.Spec, data, err
		},
		Tokenizer: func(pipeline.TokenizerName) (planner.TokenizerPin, error) {
			return planner.TokenizerPin{Identity: tokenizer.Embedded().Identity(), Settings: json.RawMessage("{}")}, nil
		},
	}
	f, err := planner.NewFrontier(g, g.Nodes, facts, planner.StoredRows(t.Context(), b.store), 0)
	if err != nil {
		t.Fatal(err)
	}
	world := &effects.World{
		Store: b.store, Ledger: ledger.Open(filepath.Join(b.dir, "ledger"), b.dir), Getenv: func(string) string { return "" }, Frozen: b.frozen,
		Sources: []sources.Source{git.New(git.Options{Accelerator: git.AcceleratorNever, TempDir: t.TempDir(), Offline: b.frozen})},
	}
	_, err = executor.Run(t.Context(), executor.Config{
		Frontier: f, Cache: b.cache, Store: b.store,
		Executor: &local.Executor{
			Build: id, Stages: registry.Stages, Store: b.store, Cache: b.cache, Log: slog.New(slog.DiscardHandler),
			Effects: func(task *planner.Task) pipeline.Effects { return world.For(task.Models) },
			ModelSpec: func(settings json.RawMessage) (pipeline.ModelSpec, error) {
				var s llm.Settings
				err := json.Unmarshal(settings, &s)
				return s.ModelSpec, err
			},
			Tokenizer: func(planner.TokenizerPin, []byte) (pipeline.Tokenizer, error) { return tokenizer.Embedded(), nil },
		},
		Limits: executor.Limits{CPU: jobs, Network: jobs, LLM: jobs},
		Retry:  executor.Retry{Tries: 1},
	})
	out := map[string]string{}
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, c := range cells {
			if c.State != planner.Done {
				continue
			}
			for port, info := range c.Entry.Outputs {
				out[c.Label()+"."+port] = string(info.Object)
			}
			out[c.Label()] = string(c.Entry.Key + c.Entry.Dropped.Object)
		}
	}
	return out, f, err
}

// TestPromise1 builds RepoQA over small repositories: the same bytes one by one,
// eight at a time, and replayed without the network.
func TestPromise1(t *testing.T) {
	list := repositories(t, 3)
	one := newBuild(t, list)
	want, f, err := one.run(t, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != 2+3*(2+3+3+2+2+2) {
		t.Errorf("%d tables and tasks: %v", len(want), want)
	}
	tasks := 0
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, c := range cells {
			if n.Name == "tasks" {
				tasks += int(c.Entry.Outputs["tasks"].Rows)
			}
		}
	}
	if tasks == 0 || tasks%(2*3) != 0 { // two sizes in three variants
		t.Errorf("%d tasks", tasks)
	}
	for _, jobs := range []int{8, 2} {
		got, _, err := newBuild(t, list).run(t, jobs)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d at a time: %v\n%v\nwant\n%v", jobs, err, got, want)
		}
	}
	// From the ledger and the store alone, computed anew.
	one.frozen, one.cache = true, &cachetest.Memory{}
	if got, _, err := one.run(t, 8); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("frozen: %v", err)
	}
	// And again without computing anything.
	if got, _, err := one.run(t, 8); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("reused: %v", err)
	}
}

// TestPromise1FrozenByName: a frozen run that misses an answer stops and names it.
func TestPromise1FrozenByName(t *testing.T) {
	b := newBuild(t, "repositories:\n  - {repo: o/far, url: \"https://host.invalid/far.git\", commit: "+strings.Repeat("1", 40)+", language: python}\n")
	b.frozen = true
	_, _, err := b.run(t, 2)
	if err == nil || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "git https://host.invalid/far.git@"+strings.Repeat("1", 40)) {
		t.Errorf("%v", err)
	}
}

// TestPromise4 adds up the accounts of a build: what a table has is what comes
// into every reader, and every row of a flow came out or was dropped.
func TestPromise4(t *testing.T) {
	b := newBuild(t, repositories(t, 2))
	_, f, err := b.run(t, 4)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, c := range cells {
			a := c.Entry.Account
			for port, rows := range a.In {
				from := n.In[port]
				up, _ := f.Cells(from.Node)
				var made int64
				for _, u := range up {
					if u.Partition == c.Partition || n.PartitionedBy == nil {
						made += u.Entry.Outputs[from.Port.Name].Rows
					} else if from.Port.Partitions {
						made = 1
					}
				}
				if made != rows {
					t.Errorf("%s reads %d rows of %s, which has %d", c.Label(), rows, from, made)
				}
			}
			for _, flow := range n.Stage.Flows {
				left := a.In[flow.From]
				for _, to := range flow.To {
					left -= a.Out[to]
				}
				for _, d := range a.Drops {
					if d.Table == flow.From {
						left -= d.Rows
					}
				}
				if checked++; left != 0 {
					t.Errorf("%s: %d rows of %s vanished", c.Label(), left, flow.From)
				}
			}
			var listed int64
			for _, d := range a.Drops {
				listed += d.Rows
			}
			if listed != c.Entry.Dropped.Rows {
				t.Errorf("%s counts %d drops and lists %d", c.Label(), listed, c.Entry.Dropped.Rows)
			}
		}
	}
	if checked < 8 {
		t.Errorf("only %d flows", checked)
	}
}

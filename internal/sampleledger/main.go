// Command sampleledger makes the ledger that ships with the sample: it runs the
// sample's pipeline up to the descriptions and answers each request from
// replies.yaml, where a person wrote them. Run it after a change of the sample,
// the prompts or anything that decides which functions are drawn; it lists
// descriptions that are missing, fail the checks or are no longer asked for.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/atomicfile"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/stagetest"
	"benchmill/pipelines/sample"
	"benchmill/schemas"
	"benchmill/sources"
	"benchmill/sources/git"
	"benchmill/sources/llm"
	"benchmill/sources/vocabulary"
	"benchmill/stages/all"
)

// written is one description of replies.yaml.
type written struct {
	Function  string `yaml:"function" json:"-"` // "owner/name path function"
	Purpose   string `yaml:"purpose" json:"purpose"`
	Input     string `yaml:"input" json:"input"`
	Output    string `yaml:"output" json:"output"`
	Procedure string `yaml:"procedure" json:"procedure"`
}

func main() {
	file := flag.String("f", "pipeline.yaml", "the sample's pipeline")
	replies := flag.String("replies", "pipelines/sample/replies.yaml", "descriptions by hand")
	out := flag.String("out", "pipelines/sample/replies.jsonl", "the ledger to write")
	list := flag.Bool("list", false, "print the functions that need a description, with their code, and write nothing")
	flag.Parse()
	if err := run(context.Background(), *file, *replies, *out, *list); err != nil {
		fmt.Fprintln(os.Stderr, "sampleledger:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file, replies, out string, list bool) error {
	registry, err := all.New()
	if err != nil {
		return err
	}
	g, err := graph.Load(file, graph.Kinds{
		Stages: registry.Stages, Model: func() any { return &llm.Settings{} }, Tokenizer: func() any { return &vocabulary.Settings{} },
	}, nil)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "sampleledger-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if _, err := sample.Prepare(ctx, temp); err != nil {
		return err
	}
	w := &writer{list: list, source: git.New(git.Options{Offline: true, Mirrors: []sources.Mirror{{Prefix: sample.Host, Replacement: temp + string(filepath.Separator)}}})}
	if err := w.read(replies); err != nil {
		return err
	}
	if err := w.walk(ctx, g); err != nil {
		return err
	}
	return w.finish(out)
}

// writer answers requests from what was written by hand.
type writer struct {
	source  sources.Source
	list    bool
	written map[string]written
	nodes   map[string]*graph.Node

	mu       sync.Mutex
	records  []ledger.Record
	problems []string
	used     map[string]bool
}

func (w *writer) read(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all []written
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", path, err)
	}
	w.written, w.used = map[string]written{}, map[string]bool{}
	for _, r := range all {
		if _, twice := w.written[r.Function]; twice {
			return fmt.Errorf("%s: %s is described twice", path, r.Function)
		}
		w.written[r.Function] = r
	}
	return nil
}

// walk runs the stages up to the descriptions for each repository.
func (w *writer) walk(ctx context.Context, g *graph.Graph) error {
	w.nodes = map[string]*graph.Node{}
	for _, n := range g.Nodes {
		w.nodes[n.Stage.Name] = n
	}
	data, err := os.ReadFile(filepath.Join(g.Dir, "pipelines/sample/repositories.yaml"))
	if err != nil {
		return err
	}
	list := w.nodes["repos.list"]
	_, _, files := list.Refs()
	r, err := stagetest.Run(ctx, stagetest.Job{Stage: list.Stage, Config: list.Config, Files: map[pipeline.FileName]string{files[0]: string(data)}})
	if err != nil {
		return err
	}
	for _, repo := range stagetest.Rows[schemas.Repository](r, "repositories") {
		if err := w.describe(ctx, g, repo); err != nil {
			return fmt.Errorf("%s: %w", repo.Repo, err)
		}
	}
	return nil
}

func (w *writer) describe(ctx context.Context, g *graph.Graph, repo schemas.Repository) error {
	tables := map[string]any{"repository": []schemas.Repository{repo}}
	for _, name := range []string{"repos.snapshot", "code.files", "code.functions", "repoqa.needles", "repoqa.describe"} {
		n := w.nodes[name]
		inputs := map[string]any{}
		for _, p := range n.Stage.In {
			inputs[p.Name] = tables[p.Name]
		}
		models := map[pipeline.ModelName]pipeline.ModelSpec{}
		for name, m := range g.Models {
			models[pipeline.ModelName(name)] = m.Spec
		}
		r, err := stagetest.Run(ctx, stagetest.Job{
			Stage: n.Stage, Config: n.Config, Inputs: inputs, Partition: repo.PartitionKey(), Seed: g.Seed, Effects: w, Models: models,
		})
		if err != nil {
			return err
		}
		for _, p := range n.Stage.Out {
			tables[p.Name] = rows(r, p)
		}
	}
	return nil
}

func rows(r *stagetest.Result, p pipeline.Port) any {
	switch p.Schema {
	case schemas.Snapshot:
		return stagetest.Rows[schemas.Entry](r, p.Name)
	case schemas.Files, schemas.Configs:
		return stagetest.Rows[schemas.File](r, p.Name)
	case schemas.Functions:
		return stagetest.Rows[schemas.Function](r, p.Name)
	case schemas.Order:
		return stagetest.Rows[schemas.OrderedFile](r, p.Name)
	case schemas.Needles:
		return stagetest.Rows[schemas.Needle](r, p.Name)
	}
	return stagetest.Rows[schemas.Described](r, p.Name)
}

// Fetch implements pipeline.Effects.
func (w *writer) Fetch(ctx context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	var b bytes.Buffer
	err := w.source.Fetch(ctx, pin, &b)
	return io.NopCloser(&b), err
}

// Complete implements pipeline.Effects. Only the first request of a conversation
// is answered: a description that fails its checks has to be mended, not asked
// for again.
func (w *writer) Complete(_ context.Context, _ pipeline.ModelName, what string, req pipeline.Request) (pipeline.Reply, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	function := strings.TrimPrefix(what, "describe ")
	refusal := pipeline.Reply{Text: "{}", Finish: "stop"}
	text, ok := w.written[function]
	switch {
	case len(req.Messages) > 1:
		if asked := req.Messages[len(req.Messages)-1].Text; ok && len(req.Messages) == 3 {
			w.problems = append(w.problems, function+": "+strings.Join(strings.Fields(asked), " "))
		}
		return refusal, nil
	case !ok && w.list:
		fmt.Printf("==== %s\nparameters: %s\nlocals: %s\n%s\n\n", function, req.Subject["params"], req.Subject["locals"], req.Subject["code"])
		return refusal, nil
	case !ok:
		w.problems = append(w.problems, function+": not described")
		return refusal, nil
	}
	w.used[function] = true
	answer, err := json.Marshal(text)
	if err != nil {
		return pipeline.Reply{}, err
	}
	reply := pipeline.Reply{Text: string(answer), Origin: pipeline.OriginHand, Provider: "sample", Model: "written by hand", Finish: "stop"}
	key, err := ledger.Key(ledger.KindLLM, req)
	if err != nil {
		return reply, err
	}
	w.records = append(w.records, ledger.Record{Format: ledger.Format, Kind: ledger.KindLLM, Key: key, What: what, Reply: &reply})
	return reply, nil
}

func (w *writer) finish(out string) error {
	if w.list {
		return nil
	}
	for function := range w.written {
		if !w.used[function] {
			w.problems = append(w.problems, function+": described, but no longer drawn")
		}
	}
	slices.Sort(w.problems)
	var errs []error
	for _, p := range w.problems {
		errs = append(errs, errors.New(p))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	slices.SortFunc(w.records, func(a, b ledger.Record) int { return strings.Compare(a.What, b.What) })
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range w.records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	fmt.Printf("%d replies in %s\n", len(w.records), out)
	return atomicfile.Write(out, b.Bytes(), 0o644)
}

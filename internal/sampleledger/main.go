// Command sampleledger makes the ledger that ships with the sample: it runs the
// sample's pipeline and answers each request to a model from replies.yaml, where
// a person wrote the answers. Programs are run for what the ledger does not have of
// them yet. Run it after a change of the sample, the prompts or anything that
// decides what is asked; it lists answers that are missing, that the stages send
// back, or that nobody asks for any more.
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
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/atomicfile"
	"benchmill/pipeline/ledger"
)

func main() {
	file := flag.String("f", "pipeline.yaml", "the sample's pipeline")
	replies := flag.String("replies", "pipelines/sample/replies.yaml", "answers by hand")
	out := flag.String("out", "pipelines/sample/replies.jsonl", "the ledger to write")
	jobs := flag.String("jobs", "pipelines/sample/jobs.jsonl", "the ledger of what programs said, to read and to write")
	list := flag.Bool("list", false, "print the requests that need an answer, and write nothing")
	flag.Parse()
	if err := run(context.Background(), *file, *replies, *jobs, *out, *list); err != nil {
		fmt.Fprintln(os.Stderr, "sampleledger:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file, replies, jobs, out string, list bool) error {
	answers, err := read(replies)
	if err != nil {
		return err
	}
	w := &writer{answers: answers, used: map[string]bool{}}
	known, err := os.ReadFile(jobs)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	said, err := build(ctx, file, known, w)
	if err != nil && !(list && len(w.missing) > 0) {
		return err
	}
	if list {
		for _, text := range w.missing {
			fmt.Println(text)
		}
		return nil
	}
	if err := w.finish(out); err != nil {
		return err
	}
	return write(jobs, said, "outcomes of programs")
}

// read returns the answers, as JSON text, by what asks for them.
func read(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []struct {
		Ask    string         `yaml:"ask"`
		Answer map[string]any `yaml:"answer"`
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := map[string]string{}
	for _, r := range all {
		if _, twice := out[r.Ask]; twice {
			return nil, fmt.Errorf("%s: %s is answered twice", path, r.Ask)
		}
		text, err := json.Marshal(r.Answer)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, r.Ask, err)
		}
		out[r.Ask] = string(text)
	}
	return out, nil
}

func (w *writer) finish(out string) error {
	for ask := range w.answers {
		if !w.used[ask] {
			w.problems = append(w.problems, ask+": answered, but no longer asked")
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
	slices.SortFunc(w.records, func(a, b ledger.Record) int {
		return strings.Compare(a.What+string(a.Key), b.What+string(b.Key))
	})
	return write(out, w.records, "replies")
}

func write(path string, records []ledger.Record, what string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	fmt.Printf("%d %s in %s\n", len(records), what, path)
	return atomicfile.Write(path, b.Bytes(), 0o644)
}

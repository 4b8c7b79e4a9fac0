package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"benchmill/artifacts/release"
	"benchmill/pipeline"
	"benchmill/schemas"
	stages "benchmill/stages/all"
)

type scoreCmd struct {
	storeFlags
	Release  string `arg:"" help:"Dataset, dataset@version, or the path of a release."`
	Replies  string `arg:"" help:"Replies as JSON lines: {\"task_id\": ..., \"replies\": [\"...\"]}, or with \"pred\": \"...\" in place of a list of one; - for standard input."`
	Verdicts string `help:"Also write one JSON line per answer to this file." placeholder:"FILE"`
	repoqaScoring
	testScoring
}

func (scoreCmd) Example() string {
	return `  benchmill score repoqa replies.jsonl
  benchmill score repoqa@1.0.0 replies.jsonl --candidates needles --json
  benchmill score longcodeqa replies.jsonl --verdicts verdicts.jsonl
  benchmill score crosscodeeval prediction.jsonl --json
  benchmill score yabloco replies.jsonl --tests recipes.yaml --pass 1 --pass 10`
}

// scorer judges replies to the tasks of one benchmark.
type scorer interface {
	// add takes a task of the release, a row of the benchmark's schema, and returns
	// its id.
	add(row any) string
	// score judges replies by task id. The report begins with head; verdicts are
	// one a line.
	score(ctx context.Context, head scoreHead, replies map[string][]string) (report scored, verdicts []any, err error)
}

// scored is the outcome for one benchmark, as JSON and as a table.
type scored interface{ print(s *streams) }

// scoreHead is what every report begins with.
type scoreHead struct {
	Release  string `json:"release"`
	Answered int    `json:"answered"` // tasks with a reply
	Missing  int    `json:"missing"`  // tasks without; they are not scored
}

// replied is one line of the replies.
type replied struct {
	TaskID  string   `json:"task_id"`
	Replies []string `json:"replies"`
}

// parseReply reads a line: our form, in which nothing else may stand, or that of
// evaluators that add a "pred" to what they were given.
func parseReply(line []byte) (r replied, err error) {
	var other struct {
		TaskID  string          `json:"task_id"`
		Pred    *string         `json:"pred"`
		Replies json.RawMessage `json:"replies"`
	}
	if json.Unmarshal(line, &other) == nil && other.Pred != nil && other.Replies == nil {
		return replied{other.TaskID, []string{*other.Pred}}, nil
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err = d.Decode(&r)
	return r, err
}

// Run implements the verb.
func (c *scoreCmd) Run(ctx context.Context, s *streams) error {
	if err := errors.Join(c.repoqaScoring.check(), c.testScoring.check()); err != nil {
		return err
	}
	registry, err := stages.New()
	if err != nil {
		return err
	}
	l, err := release.Find(c.releases(), c.Release)
	if err != nil {
		return err
	}
	sc, known, err := c.load(ctx, registry, l.Path)
	if err != nil {
		return err
	}
	if c.Tests != "" {
		y, ok := sc.(*yablocoScorer)
		if !ok {
			return wrongUsage("--tests: %s holds no bodies of functions to be tested", l.Dataset)
		}
		tests, err := openSuites(c.testScoring, c.storeFlags, l.Path, s)
		if err != nil {
			return err
		}
		defer tests.Close()
		y.tests, y.say = tests, func(format string, args ...any) { fmt.Fprintf(s.err, format+"\n", args...) }
	}
	replies, err := c.read(s, known)
	if err != nil {
		return err
	}
	head := scoreHead{Release: l.Dataset + "@" + l.Version, Answered: len(replies), Missing: len(known) - len(replies)}
	report, verdicts, err := sc.score(ctx, head, replies)
	if err != nil {
		return err
	}
	if err := c.writeVerdicts(verdicts); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s.out, report)
	}
	fmt.Fprintf(s.out, "%s: %d tasks answered, %d without a reply (not scored)\n\n", head.Release, head.Answered, head.Missing)
	report.print(s)
	return nil
}

// scorers are the benchmarks that can be scored, by their schema.
func (c *scoreCmd) scorers(r *stages.Registry) map[*pipeline.Schema]func() scorer {
	return map[*pipeline.Schema]func() scorer{
		schemas.RepoQATasks:     func() scorer { return &repoqaScorer{flags: c.repoqaScoring, languages: r.Languages} },
		schemas.LongCodeQATasks: func() scorer { return &longcodeqaScorer{} },
		schemas.CompletionTasks: func() scorer { return &crosscodeevalScorer{languages: r.Languages} },
		schemas.BodyTasks:       func() scorer { return &yablocoScorer{run: c.Tests != "", k: c.kList()} },
	}
}

// load reads the tasks of a release; known are their ids.
func (c *scoreCmd) load(ctx context.Context, r *stages.Registry, dir string) (sc scorer, known map[string]bool, err error) {
	m, _, err := release.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	var can []string
	for schema, make := range c.scorers(r) {
		if m.Schema.Name != schema.Name || m.Schema.Version != schema.Version {
			can = append(can, schema.String())
			continue
		}
		sc, known = make(), map[string]bool{}
		return sc, known, release.EachRow(ctx, dir, m, schema, func(row reflect.Value) error {
			known[sc.add(row.Interface())] = true
			return nil
		})
	}
	slices.Sort(can)
	return nil, nil, fmt.Errorf("%s holds %s/%d; only releases of these can be scored: %s", m.Dataset, m.Schema.Name, m.Schema.Version, strings.Join(can, ", "))
}

// read reads replies; each must answer a task of the release, once.
func (c *scoreCmd) read(s *streams, known map[string]bool) (map[string][]string, error) {
	var in io.Reader = s.in
	if c.Replies != "-" {
		f, err := os.Open(c.Replies)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	out := map[string][]string{}
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			r, err := parseReply(line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", c.Replies, n, err)
			}
			switch {
			case !known[r.TaskID]:
				return nil, fmt.Errorf("%s:%d: no task %q in the release", c.Replies, n, r.TaskID)
			case out[r.TaskID] != nil:
				return nil, fmt.Errorf("%s:%d: a second line for task %q; put all its replies in one", c.Replies, n, r.TaskID)
			case len(r.Replies) == 0:
				return nil, fmt.Errorf("%s:%d: task %q has no replies", c.Replies, n, r.TaskID)
			}
			out[r.TaskID] = r.Replies
		}
		if err == io.EOF && len(out) == 0 {
			return nil, fmt.Errorf("%s holds no replies", c.Replies)
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (c *scoreCmd) writeVerdicts(verdicts []any) error {
	if c.Verdicts == "" {
		return nil
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	for _, v := range verdicts {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Clean(c.Verdicts), []byte(b.String()), 0o644)
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchmill/pipelines/sample"
)

// BenchmarkPlanNothing plans a pipeline of 1,000 partitions that is up to date:
// 6,001 tasks, each looked up in the cache with its outputs in the store.
func BenchmarkPlanNothing(b *testing.B) {
	dir := b.TempDir()
	repos, err := sample.Prepare(context.Background(), filepath.Join(dir, "sample"))
	if err != nil {
		b.Fatal(err)
	}
	const partitions = 1000
	var list strings.Builder
	list.WriteString("repositories:\n")
	for i := range partitions {
		r := repos[0]
		fmt.Fprintf(&list, "  - {repo: many/copy-%04d, url: %q, commit: %s, entrypoint: %s, language: %s}\n",
			i, filepath.Join(dir, "sample", filepath.FromSlash(r.Repo)), r.Commit, r.Entrypoint, r.Language)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write("list.yaml", list.String())
	write("pipeline.yaml", `version: 1
name: many
seed: 1
stages:
  repositories: {uses: repos.list, with: {file: list.yaml}}
  snapshot:  {uses: repos.snapshot, from: repositories}
  files:     {uses: code.files, from: [repositories, snapshot]}
  functions: {uses: code.functions, from: [repositories, files]}
  needles:   {uses: repoqa.needles, from: [repositories, functions], with: {per_repository: 1}}
  described: {uses: repoqa.describe, from: [repositories, needles, files], with: {model: m}}
  tasks:     {uses: repoqa.contexts, from: [repositories, described, files, functions], with: {tokens: [1024], variants: [default], tokenizer: t}}
models: {m: {provider: extractive, model: extractive-1}}
tokenizers: {t: {kind: embedded}}
`)
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		args = append(args, "-f", filepath.Join(dir, "pipeline.yaml"))
		if code := Main(context.Background(), args, &streams{strings.NewReader(""), &out, &errs, false}); code != 0 {
			b.Fatalf("benchmill %s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
		}
		return out.String()
	}
	run("run", "--quiet")
	for b.Loop() {
		if out := run("plan"); !strings.Contains(out, "0 to run, 0 waiting for them, 6001 up to date") {
			b.Fatal(out)
		}
	}
}

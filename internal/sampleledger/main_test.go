package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// The ledgers that ship with the sample answer what the sample asks today.
func TestLedgerIsCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	sample := filepath.Join(root, "pipelines", "sample")
	replies, jobs := filepath.Join(t.TempDir(), "replies.jsonl"), filepath.Join(t.TempDir(), "jobs.jsonl")
	shipped, err := os.ReadFile(filepath.Join(sample, "jobs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(jobs, shipped, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), filepath.Join(root, "pipeline.yaml"), filepath.Join(sample, "replies.yaml"), jobs, replies, false); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{replies, jobs} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(sample, filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date; run \"go run ./internal/sampleledger\"", filepath.Base(file))
		}
	}
}

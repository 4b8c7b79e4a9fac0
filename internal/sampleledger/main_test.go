package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// The ledger that ships with the sample answers what the sample asks today.
func TestLedgerIsCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	out := filepath.Join(t.TempDir(), "replies.jsonl")
	err := run(context.Background(), filepath.Join(root, "pipeline.yaml"), filepath.Join(root, "pipelines", "sample", "replies.yaml"), out, false)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "pipelines", "sample", "replies.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatal("replies.jsonl is out of date; run \"go run ./internal/sampleledger\"")
	}
}

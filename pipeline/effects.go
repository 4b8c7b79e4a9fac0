package pipeline

import (
	"context"
	"encoding/json"
	"io"
)

// Ref is a moving name: what a user wrote, before the lock pinned it.
type Ref struct {
	Scheme  string `json:"scheme"`  // which source resolves it: "git", "tokenizer", ...
	Locator string `json:"locator"` // where: a URL or a local path
	Name    string `json:"name"`    // what there: a branch, a tag, ""
}

func (r Ref) String() string { return r.Scheme + " " + r.Locator + "@" + r.Name }

// Pin is a name that cannot move: the same pin gives the same bytes for ever.
type Pin struct {
	Scheme  string `json:"scheme"`
	Locator string `json:"locator"`
	Version string `json:"version"` // a full commit id, a digest
}

func (p Pin) String() string { return p.Scheme + " " + p.Locator + "@" + p.Version }

// Effects is the outside world as a stage may see it. Every call is answered
// from the ledger when that holds the request, and recorded there when it does
// not. Implementations are safe for concurrent use.
type Effects interface {
	// Fetch opens the bytes of a pin, in the format its source documents.
	Fetch(ctx context.Context, pin Pin) (io.ReadCloser, error)
	// Complete asks a model of the pipeline. what names the asker in errors and
	// records.
	Complete(ctx context.Context, model ModelName, what string, req Request) (Reply, error)
}

// Request is everything that decides what a model answers; its digest is the
// key of the reply in the ledger.
type Request struct {
	Provider    string          `json:"provider"`
	Model       string          `json:"model"` // exact name, as the provider knows it
	System      string          `json:"system,omitempty"`
	Messages    []Message       `json:"messages"`
	Temperature float64         `json:"temperature"`
	TopP        float64         `json:"top_p,omitempty"`
	MaxTokens   int             `json:"max_tokens"`
	Stop        []string        `json:"stop,omitempty" hash:"omitempty"` // texts that end the answer, which is without them
	Seed        *int64          `json:"seed,omitempty"`
	SchemaName  string          `json:"schema_name,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // JSON Schema of a structured answer
	Template    string          `json:"template"`         // "name/version" of the prompt template
	// Subject carries what a provider without a model works from (code, path,
	// docstring). Models never see it beyond the messages.
	Subject map[string]string `json:"subject,omitempty"`
}

// Message is one turn of a conversation. Role is "user" or "assistant".
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Origins of a reply.
const (
	OriginModel      = "model"        // a language model answered
	OriginHand       = "hand-written" // a person wrote it for the sample
	OriginExtractive = "extractive"   // derived from the code itself, no model
	OriginNgram      = "ngram"        // counted from the prompt itself, no model
)

// Reply is what came back, as it came back.
type Reply struct {
	Text         string `json:"text"`
	Vector       Vector `json:"vector,omitempty"` // of an embedding, which has no Text
	Origin       string `json:"origin"`
	Provider     string `json:"provider"`
	Model        string `json:"model"`  // as the provider reported it
	Finish       string `json:"finish"` // "stop", "length", "refusal", ...
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	CostMicroUSD int64  `json:"cost_micro_usd"` // millionths of a US dollar
}

// Files opens the files a configuration names, by their name.
type Files interface {
	ReadFile(name FileName) ([]byte, error)
}

// Tokenizer counts tokens. Implementations are safe for concurrent use.
type Tokenizer interface {
	Identity() string
	Encode(dst []int, text string) []int
	Count(text string) int
}

package tokenizer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Tokenizer turns text into tokens. Implementations are immutable and safe for
// concurrent use.
type Tokenizer interface {
	// Identity names the kind and ends in "sha256:" and a digest of the
	// vocabulary and of every setting that changes the output. Equal identities
	// give equal tokens; cache keys contain it.
	Identity() string
	// Encode appends the ids of text's tokens to dst, in order, without tokens
	// for the beginning or the end of a text. The empty text has none.
	Encode(dst []int, text string) []int
	// Count returns len(Encode(nil, text)).
	Count(text string) int
}

// Kind names a vocabulary format.
type Kind string

// The kinds a pipeline may name.
const (
	KindEmbedded      Kind = "embedded"
	KindHuggingFace   Kind = "huggingface"
	KindSentencePiece Kind = "sentencepiece"
	KindTiktoken      Kind = "tiktoken"
)

// KindInfo describes a kind to people.
type KindInfo struct {
	Kind      Kind
	Doc       string   // one line, no full stop
	File      string   // the file Load wants the bytes of; empty when none
	Encodings []string // the values Load takes as encoding; empty when none
}

// Kinds lists what [Load] accepts, in the order of their names.
func Kinds() []KindInfo {
	return []KindInfo{
		{Kind: KindEmbedded, Doc: "byte-level BPE trained on source code, part of the program"},
		{Kind: KindHuggingFace, Doc: "byte-level BPE of a Hugging Face tokenizer (StarCoder, GPT-2, Llama 3, Qwen)", File: "tokenizer.json"},
		{Kind: KindSentencePiece, Doc: "SentencePiece BPE (Llama 2, CodeLlama)", File: "tokenizer.model"},
		{Kind: KindTiktoken, Doc: "byte-level BPE of an OpenAI model", File: "<encoding>.tiktoken", Encodings: encodingNames()},
	}
}

// ErrVocabulary is wrapped by every error about the bytes of a vocabulary file.
var ErrVocabulary = errors.New("vocabulary")

// Load makes the tokenizer of a vocabulary file's bytes, which it does not keep.
// The encoding chooses how tiktoken cuts text and must be empty for other kinds;
// [KindEmbedded] ignores data. Errors name the line, field or piece at fault.
func Load(kind Kind, encoding string, data []byte) (Tokenizer, error) {
	if kind != KindTiktoken && encoding != "" {
		return nil, fmt.Errorf("tokenizer kind %q takes no encoding, got %q", kind, encoding)
	}
	var t Tokenizer
	var err error
	switch kind {
	case KindEmbedded:
		return Embedded(), nil
	case KindHuggingFace:
		t, err = loadHuggingFace(data)
	case KindSentencePiece:
		t, err = loadSentencePiece(data)
	case KindTiktoken:
		t, err = loadTiktoken(encoding, data)
	default:
		var names []string
		for _, k := range Kinds() {
			names = append(names, string(k.Kind))
		}
		return nil, fmt.Errorf("unknown tokenizer kind %q (one of %s)", kind, strings.Join(names, ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w", kind, err)
	}
	return t, nil
}

func encodingNames() []string {
	var names []string
	for name := range tiktokenSplitters {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// broken is an error about a vocabulary file.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrVocabulary, fmt.Errorf(format, args...))
}

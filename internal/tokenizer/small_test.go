package tokenizer

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"benchmill/internal/tokenizer/mergefile"
)

// spModel is a small SentencePiece model, made by hand.
type spModel struct {
	pieces       []spPiece
	modelType    uint64
	byteFallback bool
	trainer      map[int]uint64 // further fields of trainer_spec
	normalizer   map[int]uint64 // and of normalizer_spec
	charsMap     string
}

// smallPieces are <unk> 0, <s> 1, </s> 2, the bytes 3 to 258, and then the
// given pieces from 259 on, each merged later than the one before.
const firstPiece = 259

func smallPieces(texts ...string) []spPiece {
	pieces := []spPiece{{"<unk>", 0, spUnknown}, {"<s>", 0, spControl}, {"</s>", 0, spControl}}
	for b := range 256 {
		pieces = append(pieces, spPiece{fmt.Sprintf("<0x%02X>", b), 0, spByte})
	}
	for i, text := range texts {
		pieces = append(pieces, spPiece{text, -float32(i), spNormal})
	}
	return pieces
}

// llamaLike has the settings of Llama 2.
func llamaLike(pieces []spPiece) spModel {
	return spModel{pieces: pieces, modelType: spModelBPE, byteFallback: true, normalizer: map[int]uint64{3: 1, 4: 0, 5: 1}}
}

func (m spModel) encode() []byte {
	var out []byte
	for _, p := range m.pieces {
		var b []byte
		b = appendBytes(b, 1, []byte(p.text))
		b = binary.AppendUvarint(b, 2<<3|wireFixed32)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(p.score))
		b = appendNumber(b, 3, uint64(p.kind))
		out = appendBytes(out, 1, b)
	}
	var trainer []byte
	trainer = appendNumber(trainer, 3, m.modelType)
	if m.byteFallback {
		trainer = appendNumber(trainer, 35, 1)
	}
	out = appendBytes(out, 2, appendNumbers(trainer, m.trainer))
	var normalizer []byte
	if m.charsMap != "" {
		normalizer = appendBytes(normalizer, 2, []byte(m.charsMap))
	}
	return appendBytes(out, 3, appendNumbers(normalizer, m.normalizer))
}

func appendNumbers(b []byte, fields map[int]uint64) []byte {
	for number := range 100 {
		if v, ok := fields[number]; ok {
			b = appendNumber(b, number, v)
		}
	}
	return b
}

func appendNumber(b []byte, field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3|wireVarint), v)
}

func appendBytes(b []byte, field int, v []byte) []byte {
	b = binary.AppendUvarint(b, uint64(field)<<3|wireBytes)
	return append(binary.AppendUvarint(b, uint64(len(v))), v...)
}

// llama3Split is the pre-tokenizer of Llama 3.
const llama3Split = `{"type":"Sequence","pretokenizers":[
	{"type":"Split","pattern":{"Regex":"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},"behavior":"Isolated","invert":false},
	{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}]}`

// hfSpec is a small tokenizer.json. Empty fields get the usual values.
type hfSpec struct {
	vocab        map[string]int // in byte characters; nil: the bytes by value
	merges       any
	added        string
	normalizer   string
	preTokenizer string
	model        string // further fields of model, with a comma at the end
}

func (s hfSpec) encode(t testing.TB) []byte {
	t.Helper()
	or := func(s, otherwise string) string {
		if s == "" {
			return otherwise
		}
		return s
	}
	if s.vocab == nil {
		s.vocab = byteVocab()
	}
	if s.merges == nil {
		s.merges = []string{}
	}
	vocab, err := json.Marshal(s.vocab)
	if err != nil {
		t.Fatal(err)
	}
	merges, err := json.Marshal(s.merges)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"version":"1.0","truncation":null,"padding":null,"added_tokens":%s,"normalizer":%s,
		"pre_tokenizer":%s,"post_processor":null,"decoder":null,"model":{%s"vocab":%s,"merges":%s}}`,
		or(s.added, "[]"), or(s.normalizer, "null"),
		or(s.preTokenizer, `{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}`),
		or(s.model, `"type":"BPE",`), vocab, merges)
}

// byteVocab has the bytes as tokens 0 to 255.
func byteVocab() map[string]int {
	vocab := map[string]int{}
	for b, char := range byteChars {
		vocab[string(char)] = b
	}
	return vocab
}

// chars writes bytes as a vocabulary file does.
func chars(s string) string {
	var out []rune
	for _, b := range []byte(s) {
		out = append(out, byteChars[b])
	}
	return string(out)
}

// embeddedAsJSON is the embedded vocabulary in the form of a tokenizer.json.
func embeddedAsJSON(t testing.TB) []byte {
	t.Helper()
	f, err := mergefile.Read(embeddedFile)
	if err != nil {
		t.Fatal(err)
	}
	tokens := embeddedExpansions(t)
	spec := hfSpec{vocab: map[string]int{}, preTokenizer: llama3Split}
	for id, token := range tokens {
		spec.vocab[chars(token)] = id
	}
	var merges [][2]string
	for _, m := range f.Merges {
		merges = append(merges, [2]string{chars(tokens[m.Left]), chars(tokens[m.Right])})
	}
	spec.merges = merges
	return spec.encode(t)
}

// small returns a tokenizer of every kind and the bytes each of its tokens
// stands for. They need no file from outside.
func small(t testing.TB) []smallTokenizer {
	t.Helper()
	load := func(kind Kind, encoding string, data []byte) Tokenizer {
		tok, err := Load(kind, encoding, data)
		if err != nil {
			t.Fatal(err)
		}
		return tok
	}
	tokens := embeddedExpansions(t)
	out := []smallTokenizer{
		{"embedded", Embedded(), tokens, ""},
		{"huggingface", load(KindHuggingFace, "", embeddedAsJSON(t)), tokens, ""},
	}
	for _, encoding := range encodingNames() {
		out = append(out, smallTokenizer{encoding, load(KindTiktoken, encoding, rankFile(tokens)), tokens, ""})
	}
	pieces := smallPieces("▁", "▁▁", "t", "h", "e", "▁t", "he", "▁the", "a", "aa", "aaaa", "\n", "=", "==", "é", "▁▁▁▁")
	var texts []string
	for i, p := range pieces {
		switch {
		case p.kind == spByte:
			texts = append(texts, string([]byte{byte(i - 3)}))
		default:
			texts = append(texts, p.text)
		}
	}
	return append(out, smallTokenizer{"sentencepiece", load(KindSentencePiece, "", llamaLike(pieces).encode()), texts, "▁"})
}

type smallTokenizer struct {
	name string
	Tokenizer
	tokens []string
	prefix string // what encoding puts before every text
}

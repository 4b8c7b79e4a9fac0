package tokenizer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// The rules of each kind, part of its identity: a change in what Encode returns
// for some text is a new number here, with a line saying what changed.
//
// Version 1: the first.
const (
	rulesByteLevel     = "rules 1, unicode 15.0.0"
	rulesSentencePiece = "rules 1"
)

// identity hashes the settings and the vocabulary, each with its length in
// front, so that no two lists of them run together.
func identity(label, rules string, data []byte) string {
	h := sha256.New()
	for _, s := range []string{"benchmill tokenizer", label, rules} {
		writeField(h, []byte(s))
	}
	writeField(h, data)
	return label + ":sha256:" + hex.EncodeToString(h.Sum(nil))
}

func writeField(h hash.Hash, field []byte) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(field)))
	h.Write(n[:])
	h.Write(field)
}

package tokenizer

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"
)

// spKind is what a piece of a SentencePiece model is for.
type spKind uint64

const (
	spNormal      spKind = 1
	spUnknown     spKind = 2
	spControl     spKind = 3
	spUserDefined spKind = 4
	spUnused      spKind = 5
	spByte        spKind = 6
)

// Kinds of models.
const (
	spModelUnigram = 1
	spModelBPE     = 2
)

type spPiece struct {
	text  string
	score float32
	kind  spKind
}

// spFile is what of a .model file matters to ids. The defaults are those of the
// format's schema.
type spFile struct {
	pieces       []spPiece
	modelType    uint64
	byteFallback bool
	spaceSuffix  bool // the mark goes behind words
	charsMap     bool // characters are rewritten
	rules        bool // ... by rules of the maker's own
	dummyPrefix  bool
	squeeze      bool // drop white space at the ends and all but one between
	escape       bool // a space is written as the mark
}

// maxPieces is far above any published vocabulary.
const maxPieces = 1 << 22

// parseSentencePiece reads a ModelProto message. Field numbers are those of
// SentencePiece's schema; fields it does not need are skipped.
func parseSentencePiece(data []byte) (*spFile, error) {
	f := &spFile{modelType: spModelUnigram, dummyPrefix: true, squeeze: true, escape: true}
	err := eachField(data, func(w wireField) error {
		switch w.number {
		case 1:
			p := spPiece{kind: spNormal}
			if err := eachField(w.bytes, p.field); err != nil {
				return broken("piece %d: %w", len(f.pieces), err)
			}
			if p.text == "" || !utf8.ValidString(p.text) {
				return broken("piece %d: its text %.40q is empty or not UTF-8", len(f.pieces), p.text)
			}
			if len(f.pieces) == maxPieces {
				return broken("more than %d pieces", maxPieces)
			}
			f.pieces = append(f.pieces, p)
		case 2:
			return eachField(w.bytes, f.trainerField)
		case 3:
			return eachField(w.bytes, f.normalizerField)
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrVocabulary) {
		err = broken("%w", err)
	}
	return f, err
}

func (p *spPiece) field(w wireField) error {
	switch w.number {
	case 1:
		p.text = string(w.bytes)
	case 2:
		p.score = math.Float32frombits(uint32(w.value))
		if w.kind != wireFixed32 || p.score != p.score {
			return errors.New("its score is not a number")
		}
	case 3:
		p.kind = spKind(w.value)
		if p.kind < spNormal || p.kind > spByte {
			return errors.New("its type is unknown")
		}
	}
	return nil
}

func (f *spFile) trainerField(w wireField) error {
	switch w.number {
	case 3:
		f.modelType = w.value
	case 24:
		f.spaceSuffix = w.value != 0
	case 35:
		f.byteFallback = w.value != 0
	}
	return nil
}

func (f *spFile) normalizerField(w wireField) error {
	switch w.number {
	case 2:
		f.charsMap = len(w.bytes) > 0
	case 3:
		f.dummyPrefix = w.value != 0
	case 4:
		f.squeeze = w.value != 0
	case 5:
		f.escape = w.value != 0
	case 6:
		f.rules = len(w.bytes) > 0
	}
	return nil
}

// wireField is one field of a protocol buffer message.
type wireField struct {
	number uint64
	kind   byte
	value  uint64 // of the kinds that are numbers
	bytes  []byte // of wireBytes
}

const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// eachField calls visit for the fields of a message, in order.
func eachField(data []byte, visit func(wireField) error) error {
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 {
			return errors.New("not a protocol buffer message")
		}
		data = data[n:]
		w := wireField{number: key >> 3, kind: byte(key & 7)}
		switch w.kind {
		case wireVarint:
			w.value, n = binary.Uvarint(data)
		case wireFixed64:
			if n = 8; len(data) >= n {
				w.value = binary.LittleEndian.Uint64(data)
			}
		case wireFixed32:
			if n = 4; len(data) >= n {
				w.value = uint64(binary.LittleEndian.Uint32(data))
			}
		case wireBytes:
			var size uint64
			size, n = binary.Uvarint(data)
			if n > 0 && size <= uint64(len(data)-n) {
				w.bytes = data[n : n+int(size)]
				n += int(size)
			} else {
				n = 0
			}
		default:
			n = 0
		}
		if n <= 0 || n > len(data) || w.number == 0 {
			return errors.New("not a protocol buffer message, or cut short")
		}
		if err := visit(w); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

package tokenizer

import (
	"math"
	"slices"
	"strings"
	"testing"
)

const (
	off = 0
	on  = 1
)

func TestSentencePiece(t *testing.T) {
	const ( // places in base
		sp = firstPiece + iota
		spsp
		h
		e
		l
		he
		sphe
		ll
		lf
	)
	base := smallPieces("▁", "▁▁", "h", "e", "l", "he", "▁he", "ll", "\n")
	defined := append(slices.Clone(base), spPiece{"hel", 0, spUserDefined}, spPiece{"<t>", 0, spUserDefined}, spPiece{"hell", 0, spUserDefined})
	const hel, tag, hell = lf + 1, lf + 2, lf + 3
	ties := append(smallPieces("a", "b", "c"), spPiece{"ab", -9, spNormal}, spPiece{"bc", -9, spNormal}, spPiece{"aa", -9, spNormal})
	across := append(smallPieces("▁", "a", "b", "a▁"), spPiece{"a▁b", -9, spNormal})
	bare := llamaLike(base)
	bare.normalizer = map[int]uint64{3: off, 4: off, 5: on}
	squeeze := llamaLike(base)
	squeeze.normalizer = nil // the schema's defaults: all on
	plainSpace := llamaLike(smallPieces("▁", " ", "h", " h"))
	plainSpace.normalizer = map[int]uint64{3: on, 4: off, 5: off}
	unknown := llamaLike(smallPieces("▁", "h", "▁h"))
	unknown.byteFallback = false

	cases := []struct {
		name  string
		model spModel
		text  string
		want  []int
	}{
		{"prefix", llamaLike(base), "he", []int{sphe}},
		{"prefix before a space", llamaLike(base), " he", []int{spsp, he}},
		{"mark in the text", llamaLike(base), "▁he", []int{spsp, he}},
		{"prefix alone", llamaLike(base), "l", []int{sp, l}},
		{"words", llamaLike(base), "hell he", []int{sphe, ll, sphe}},
		{"line feed", llamaLike(base), "he\nhe", []int{sphe, lf, he}},
		{"bytes", llamaLike(base), "ahé", []int{sp, 3 + 'a', h, 3 + 0xc3, 3 + 0xa9}},
		{"malformed", llamaLike(base), "\xff\xe2\x96", []int{sp, 3 + 0xef, 3 + 0xbf, 3 + 0xbd, 3 + 0xef, 3 + 0xbf, 3 + 0xbd, 3 + 0xef, 3 + 0xbf, 3 + 0xbd}},
		{"control is text", llamaLike(base), "<s>", []int{sp, 3 + '<', 3 + 's', 3 + '>'}},
		{"byte name is text", llamaLike(base), "<0x41>", []int{sp, 3 + '<', 3 + '0', 3 + 'x', 3 + '4', 3 + '1', 3 + '>'}},
		{"no prefix", bare, "he", []int{he}},
		{"squeeze", squeeze, "  he   he ", []int{sphe, sphe}},
		{"squeeze to nothing", squeeze, "   ", nil},
		{"squeeze the mark at the end", squeeze, "he▁ ▁", []int{sphe}},
		{"user-defined", llamaLike(defined), "he<t>hel", []int{sphe, tag, hel}},
		{"user-defined longest", llamaLike(defined), "hellhell", []int{sp, hell, hell}},
		{"user-defined is not merged", llamaLike(defined), "hel l", []int{sp, hel, sp, l}},
		{"ties go left", llamaLike(ties), "aaabc", []int{3 + 0xe2, 3 + 0x96, 3 + 0x81, firstPiece + 5, firstPiece + 3, firstPiece + 2}},
		{"piece across words", llamaLike(across), "a ba b", []int{firstPiece, firstPiece + 4, firstPiece + 4}},
		{"spaces unescaped", plainSpace, "h▁ h", []int{firstPiece + 3, firstPiece, firstPiece + 3}},
		{"unknown run", unknown, "xyhx xyz", []int{firstPiece, 0, firstPiece + 1, 0, firstPiece, 0}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tok, err := Load(KindSentencePiece, "", c.model.encode())
			if err != nil {
				t.Fatal(err)
			}
			checkIDs(t, tok, c.text, c.want)
			checkIDs(t, tok, c.text, c.want) // from the cache
		})
	}
}

func TestSentencePieceRefuses(t *testing.T) {
	with := func(pieces ...spPiece) spModel { return llamaLike(append(smallPieces("a"), pieces...)) }
	changed := func(change func(*spModel)) spModel {
		m := llamaLike(smallPieces("a"))
		change(&m)
		return m
	}
	good := llamaLike(smallPieces("a")).encode()
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"unigram":       {changed(func(m *spModel) { m.modelType = spModelUnigram }).encode(), "model_type: a unigram model is not supported, only BPE"},
		"no model type": {appendBytes(nil, 1, appendBytes(nil, 1, []byte("a"))), "a unigram model"},
		"model type":    {changed(func(m *spModel) { m.modelType = 9 }).encode(), "model_type: 9 is unknown"},
		"suffix":        {changed(func(m *spModel) { m.trainer = map[int]uint64{24: 1} }).encode(), "treat_whitespace_as_suffix"},
		"chars map":     {changed(func(m *spModel) { m.charsMap = "x" }).encode(), "precompiled_charsmap"},
		"no unknown":    {changed(func(m *spModel) { m.pieces[0].kind = spControl }).encode(), "no unknown piece"},
		"no byte":       {changed(func(m *spModel) { m.pieces[3+0x41].kind = spControl }).encode(), "no piece for the byte 0x41"},
		"twice":         {with(spPiece{"a", 0, spNormal}).encode(), `piece 260: "a" is there twice`},
		"two unknown":   {with(spPiece{"?", 0, spUnknown}).encode(), "piece 260: a second unknown piece"},
		"byte name":     {with(spPiece{"<0x4>", 0, spByte}).encode(), `piece 260: "<0x4>" is not a byte`},
		"unused":        {with(spPiece{"b", 0, spUnused}).encode(), "piece 260: unused pieces"},
		"control":       {with(spPiece{"b", 0, spControl}).encode(), "piece 260: a control piece of one character"},
		"defined space": {with(spPiece{"b c", 0, spUserDefined}).encode(), "piece 260: a user-defined piece with a plain space"},
		"empty piece":   {with(spPiece{"", 0, spNormal}).encode(), "piece 260: its text"},
		"broken piece":  {with(spPiece{"\xff", 0, spNormal}).encode(), "piece 260: its text"},
		"score":         {with(spPiece{"b", float32(math.NaN()), spNormal}).encode(), "piece 260: its score"},
		"kind":          {with(spPiece{"b", 0, 7}).encode(), "piece 260: its type is unknown"},
		"cut short":     {good[:len(good)-1], "cut short"},
		"not a message": {[]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "not a protocol buffer message"},
		"group":         {[]byte{1<<3 | 3}, "not a protocol buffer message"},
		"long field":    {[]byte{1<<3 | wireBytes, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, "cut short"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Load(KindSentencePiece, "", c.data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

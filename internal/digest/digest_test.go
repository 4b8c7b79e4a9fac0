package digest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"testing/quick"
	"time"
)

// The encoding is part of every key: a digest that changes here makes everything
// ever built anew.
func TestGolden(t *testing.T) {
	e := New("benchmill/test/1")
	e.String("a")
	e.Int(-1)
	e.Bool(true)
	e.Float(1.5)
	e.List(2)
	e.Struct(1)
	e.Field("f")
	e.Null()
	e.Row(3)
	e.Digest(Of([]byte("x")))
	e.String(strings.Repeat("long", 2000))
	const want = "sha256:eee3d45575022c976cd05a3e1c5f6129da7e03eea477ab6e3c70e1172d8fdf1c"
	if got := e.Sum(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	v := struct {
		A  string `yaml:"a"`
		B  []int  `json:"b,omitempty"`
		C  *bool  `parquet:"c"`
		D  any    `yaml:"-"`
		M  map[string]float64
		No string `hash:"-"`
		T  time.Time
	}{A: "x", B: []int{1, 2}, M: map[string]float64{"z": 1, "y": 2}, No: "ignored", T: time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))}
	const wantValue = "sha256:21e7ffd131d68ccba69660eb4cc9da28c37cf9b47d2ea5f40124bbb1dbcacf98"
	if got := of(t, v); got != wantValue {
		t.Errorf("%s, want %s", got, wantValue)
	}
}

// The head of the encoding, byte by byte as the package comment says it.
func TestEncoding(t *testing.T) {
	e := New("d")
	e.String("ab")
	e.Int(-2)
	want := Of([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x01d" + "\x02\x00\x00\x00\x00\x00\x00\x00\x02ab" + "\x03\xff\xff\xff\xff\xff\xff\xff\xfe"))
	if got := e.Sum(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func of(t *testing.T, v any) Digest {
	t.Helper()
	e := New("d")
	if err := e.Value(v); err != nil {
		t.Fatal(err)
	}
	return e.Sum()
}

// value is one call of an encoder, comparable.
type value struct {
	kind string
	s    string
	n    int64
	f    float64
}

func (v value) add(e *Encoder) {
	switch v.kind {
	case "string":
		e.String(v.s)
	case "int":
		e.Int(v.n)
	case "bool":
		e.Bool(v.n > 0)
	case "float":
		e.Float(v.f)
	case "list":
		e.List(int(v.n))
	case "struct":
		e.Struct(int(v.n))
	case "field":
		e.Field(v.s)
	case "null":
		e.Null()
	case "row":
		e.Row(int(v.n))
	}
}

func sequence(r *rand.Rand) []value {
	kinds := []string{"string", "int", "bool", "float", "list", "struct", "field", "null", "row"}
	out := make([]value, r.IntN(5))
	for i := range out {
		v := value{kind: kinds[r.IntN(len(kinds))]}
		switch v.kind {
		case "string", "field":
			// Short strings over the bytes that tags and lengths are made of.
			b := make([]byte, r.IntN(4))
			for j := range b {
				b[j] = byte(r.IntN(4))
			}
			v.s = string(b)
		case "bool":
			v.n = int64(r.IntN(2))
		case "float":
			v.f = float64(r.IntN(3))
		case "null":
		default:
			v.n = int64(r.IntN(4))
		}
		out[i] = v
	}
	return out
}

// Different sequences of values have different digests.
func TestInjective(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[Digest]string{}
	for range 200_000 {
		domain := strings.Repeat("d", r.IntN(3))
		s := sequence(r)
		e := New(domain)
		for _, v := range s {
			v.add(e)
		}
		text := fmt.Sprintf("%q %#v", domain, s)
		d := e.Sum()
		if other, ok := seen[d]; ok && other != text {
			t.Fatalf("%s\nand\n%s\nhave one digest", other, text)
		}
		seen[d] = text
	}
	if len(seen) < 50_000 {
		t.Errorf("only %d sequences", len(seen))
	}
}

func TestInjectiveStrings(t *testing.T) {
	if err := quick.Check(func(a, b []string) bool {
		x, y := New("d"), New("d")
		for _, s := range a {
			x.String(s)
		}
		for _, s := range b {
			y.String(s)
		}
		return (x.Sum() == y.Sum()) == (strings.Join(a, "\x00|") == strings.Join(b, "\x00|") && len(a) == len(b))
	}, nil); err != nil {
		t.Error(err)
	}
	x, y := New("d"), New("d")
	x.String("ab")
	x.String("c")
	y.String("a")
	y.String("bc")
	if x.Sum() == y.Sum() {
		t.Error("strings run together")
	}
}

// Long values and many small ones go the same way through the buffer.
func TestBuffering(t *testing.T) {
	for _, n := range []int{0, 1, 4095, 4096, 4097, 8192, 100_000} {
		e := New("d")
		e.String(strings.Repeat("x", n))
		var raw bytes.Buffer
		raw.WriteString("\x01\x00\x00\x00\x00\x00\x00\x00\x01d\x02\x00\x00\x00\x00")
		raw.Write([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		raw.WriteString(strings.Repeat("x", n))
		if e.Sum() != Of(raw.Bytes()) {
			t.Errorf("%d bytes", n)
		}
	}
	e := New("d")
	h := sha256.New()
	h.Write([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x01d"))
	for range 5000 {
		e.Null()
		h.Write([]byte("\x09\x00\x00\x00\x00\x00\x00\x00\x00"))
	}
	if e.Sum() != fromSum(h.Sum(nil)) {
		t.Error("many small values")
	}
}

func TestFloats(t *testing.T) {
	sum := func(f float64) Digest { e := New("d"); e.Float(f); return e.Sum() }
	if sum(0) != sum(math.Copysign(0, -1)) || sum(math.NaN()) != sum(math.Float64frombits(0x7ff8000000000123)) {
		t.Error("equal numbers differ")
	}
	if sum(1) == sum(math.Nextafter(1, 2)) || sum(math.Inf(1)) == sum(math.Inf(-1)) {
		t.Error("numbers that differ are equal")
	}
}

type inner struct {
	X string `yaml:"x"`
}

// Options is an embedded struct.
type Options struct {
	Speed int `yaml:"speed"`
}

func TestFields(t *testing.T) {
	type all struct {
		A       string `yaml:"a,omitempty" json:"other"`
		B       string `parquet:"b"`
		C       string `json:"c"`
		D       string `yaml:"-"`
		E       string
		No      string `yaml:"no" hash:"-"`
		private string
		inner
		Options `hash:"-"`
	}
	var names []string
	for _, f := range Fields(reflect.TypeFor[all]()) {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "a b c D E x" {
		t.Errorf("fields %s", got)
	}
	base := all{A: "1", private: "p", inner: inner{"x"}}
	same := base
	same.No, same.private, same.Speed = "n", "q", 9
	if of(t, base) != of(t, same) {
		t.Error("fields that are left out change the digest")
	}
	for i, change := range []func(v *all){
		func(v *all) { v.A = "2" }, func(v *all) { v.B = "2" }, func(v *all) { v.C = "2" },
		func(v *all) { v.D = "2" }, func(v *all) { v.E = "2" }, func(v *all) { v.X = "2" },
	} {
		other := base
		change(&other)
		if of(t, base) == of(t, other) {
			t.Errorf("change %d has no effect", i)
		}
	}
}

// A field added as omitempty leaves the digests there are alone, and joins those
// of values that have it.
func TestOptionalFields(t *testing.T) {
	type before struct {
		A string `yaml:"a"`
		B int    `yaml:"b"`
	}
	type after struct {
		A    string            `yaml:"a"`
		Stop []string          `yaml:"stop" hash:"omitempty"`
		Name string            `yaml:"name" hash:"omitempty"`
		More map[string]string `yaml:"more" hash:"omitempty"`
		B    int               `yaml:"b"`
	}
	base := of(t, before{"x", 1})
	for _, same := range []after{{A: "x", B: 1}, {A: "x", B: 1, Stop: []string{}, More: map[string]string{}}} {
		if of(t, same) != base {
			t.Errorf("%+v changes the digest", same)
		}
	}
	seen := map[Digest]bool{base: true}
	for _, other := range []after{
		{A: "x", B: 1, Stop: []string{""}}, {A: "x", B: 1, Name: "n"}, {A: "x", B: 1, More: map[string]string{"": ""}}, {A: "x"}, {B: 1},
	} {
		if d := of(t, other); seen[d] {
			t.Errorf("%+v has no digest of its own", other)
		} else {
			seen[d] = true
		}
	}
}

func TestValue(t *testing.T) {
	one, yes := 1, true
	for _, pair := range [][2]any{
		{[]string{}, []string(nil)},
		{&one, 1},
		{int8(1), int64(1)},
		{uint8(1), 1},
		{map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2, "a": 1}},
		{time.Date(2024, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600)), time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)},
		{nil, (*int)(nil)},
		{time.Second, int64(time.Second)},
	} {
		if of(t, pair[0]) != of(t, pair[1]) {
			t.Errorf("%#v and %#v differ", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]any{
		{"1", 1}, {1, 1.0}, {1, true}, {[]int{1}, 1}, {[]int{1, 2}, []int{2, 1}}, {[][]int{{1}, {2}}, [][]int{{1, 2}}},
		{&yes, (*bool)(nil)}, {map[string]int{"a": 1}, map[string]int{"b": 1}}, {"", nil}, {[]int{}, nil},
		{struct{ A, B string }{"x", ""}, struct{ A, B string }{"", "x"}},
		{struct{ A int }{1}, struct{ B int }{1}},
	} {
		if of(t, pair[0]) == of(t, pair[1]) {
			t.Errorf("%#v and %#v are one", pair[0], pair[1])
		}
	}
	type deep struct {
		In []struct {
			F func() `yaml:"f"`
		} `yaml:"in"`
	}
	for name, v := range map[string]any{
		"in.f": deep{In: []struct {
			F func() `yaml:"f"`
		}{{}}},
		"":      make(chan int),
		"keys":  map[int]string{1: "a"},
		"C":     struct{ C complex128 }{1},
		"a.b.K": map[string]any{"a": map[string]any{"b": struct{ K map[bool]int }{}}},
	} {
		if err := New("d").Value(v); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%T: %v does not name %q", v, err, name)
		}
	}
}

func TestParse(t *testing.T) {
	good := Of([]byte("x"))
	if d, err := Parse(string(good)); err != nil || d != good || len(d.Hex()) != 64 || d.Short() != d.Hex()[:12] {
		t.Errorf("%s, %v", d, err)
	}
	for _, bad := range []string{"", "sha256:", good.Hex(), "sha256:" + strings.ToUpper(good.Hex()), string(good) + "0", string(good[:len(good)-1]),
		"md5:" + good.Hex(), "sha256:" + strings.Repeat("g", 64), " " + string(good), "sha256:../../" + strings.Repeat("a", 58)} {
		if d, err := Parse(bad); err == nil || d != "" {
			t.Errorf("%q is %s", bad, d)
		}
	}
	if Digest("").Short() != "" {
		t.Error("the zero value has digits")
	}
}

func TestOf(t *testing.T) {
	const empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if Of(nil) != empty || NewHasher().Digest() != empty {
		t.Error("the digest of nothing")
	}
	data := []byte(strings.Repeat("data", 10_000))
	d, n, err := OfReader(iotest.HalfReader(bytes.NewReader(data)))
	if err != nil || d != Of(data) || n != int64(len(data)) {
		t.Errorf("%s of %d bytes, %v", d, n, err)
	}
	if _, _, err := OfReader(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(data)))); err == nil {
		t.Error("an error of the reader is lost")
	}
	h := NewHasher()
	h.Write(data[:5])
	h.Write(data[5:])
	if h.Digest() != Of(data) {
		t.Error("written in two parts")
	}
}

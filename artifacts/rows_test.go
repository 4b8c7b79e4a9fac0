package artifacts_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"unicode/utf8"

	"benchmill/pipeline"
)

// everyRow has a column of every type a schema may have.
type everyRow struct {
	Key      string         `parquet:"key"`
	Part     int32          `parquet:"part"`
	Text     string         `parquet:"text"`
	Raw      []byte         `parquet:"raw"`
	Yes      bool           `parquet:"yes"`
	Small    int32          `parquet:"small"`
	Large    int64          `parquet:"large"`
	Real     float64        `parquet:"real"`
	Names    []string       `parquet:"names"`
	Nested   [][]int32      `parquet:"nested"`
	Spans    []spanColumn   `parquet:"spans"`
	Span     spanColumn     `parquet:"span"`
	OptText  *string        `parquet:"opt_text"`
	OptBool  *bool          `parquet:"opt_bool"`
	OptLarge *int64         `parquet:"opt_large"`
	OptReal  *float64       `parquet:"opt_real"`
	OptRaw   *[]byte        `parquet:"opt_raw"`
	OptSpan  *spanColumn    `parquet:"opt_span"`
	OptList  *[]int64       `parquet:"opt_list"`
	Holes    []*string      `parquet:"holes"`
	OptSpans []*spanColumn  `parquet:"opt_spans"`
	Deep     *[]*[]*deepest `parquet:"deep"`
}

type spanColumn struct {
	Start int32    `parquet:"start"`
	End   int32    `parquet:"end"`
	Tags  []string `parquet:"tags"`
}

type deepest struct {
	Words []string  `parquet:"words"`
	Score *float64  `parquet:"score"`
	Inner *innerCol `parquet:"inner"`
}

type innerCol struct {
	Flags []bool `parquet:"flags"`
}

var everySchema = pipeline.NewSchema[everyRow]("every", 3, "Every type of column.", "key", "part")

// randomRows returns n rows with different keys in a random order.
func randomRows(r *rand.Rand, n int) []everyRow {
	rows := make([]everyRow, n)
	for i := range rows {
		fill(r, reflect.ValueOf(&rows[i]).Elem(), 0)
		rows[i].Key, rows[i].Part = fmt.Sprintf("ключ-%04d", i/3), int32(i%3)
	}
	r.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// fill gives v a random value in which the odd cases are not rare.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(randomText(r))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int32:
		v.SetInt(int64([]int32{0, 1, -1, math.MaxInt32, math.MinInt32, r.Int32()}[r.IntN(6)]))
	case reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, r.Int64()}[r.IntN(6)])
	case reflect.Float64:
		v.SetFloat([]float64{0, 1.5, math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, r.NormFloat64()}[r.IntN(6)])
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth)
		}
	case reflect.Slice:
		n := []int{0, 0, 1, 2, 3, 7}[r.IntN(6)]
		if n == 0 {
			return // as it comes back
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			if e := v.Index(i); e.Kind() == reflect.Uint8 {
				e.SetUint(r.Uint64N(256))
			} else {
				fill(r, e, depth+1)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), depth+1)
		}
	}
}

func randomText(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return ""
	case 1:
		return "\x00\n\"quoted\"\t"
	case 2:
		return strings.Repeat(string(rune(utf8.MaxRune)), 1+r.IntN(12)) // no character comes after it
	case 3:
		return strings.Repeat("a long text ", r.IntN(400))
	default:
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteRune([]rune("aZ 0é¢ß世界🧵\u07ff\ud7ff\ue000")[r.IntN(13)])
		}
		return b.String()
	}
}

package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func keys(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("key-%d", i)
	}
	return out
}

func self(s string) string { return s }

// One more item moves at most one other.
func TestSampleIsStable(t *testing.T) {
	for seed := range int64(50) {
		s := Seed{Pipeline: seed, Stage: "t.stage"}
		items := keys(30)
		before := Sample(s, items, 10, self)
		after := Sample(s, append(slices.Clone(items), "one more"), 10, self)
		gone := 0
		for _, k := range before {
			if !slices.Contains(after, k) {
				gone++
			}
		}
		if gone > 1 || (gone == 1) != slices.Contains(after, "one more") {
			t.Errorf("seed %d: %d items were displaced", seed, gone)
		}
		// Those that stay keep their order.
		stay := slices.DeleteFunc(slices.Clone(before), func(k string) bool { return !slices.Contains(after, k) })
		kept := slices.DeleteFunc(slices.Clone(after), func(k string) bool { return !slices.Contains(before, k) })
		if !slices.Equal(stay, kept) {
			t.Errorf("seed %d: %v, then %v", seed, stay, kept)
		}
	}
}

func TestSampleIgnoresPositions(t *testing.T) {
	s := Seed{Pipeline: 7, Stage: "t.stage"}
	items := keys(40)
	want := Sample(s, items, 12, self)
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		if got := Sample(s, items, 12, self); !slices.Equal(got, want) {
			t.Fatalf("%v, then %v", want, got)
		}
	}
	if longer := Sample(s, items, 20, self); !slices.Equal(longer[:12], want) {
		t.Error("a larger sample does not begin with the smaller one")
	}
}

func TestSampleSizes(t *testing.T) {
	s := Seed{Stage: "t.stage"}
	for _, test := range []struct{ have, want, get int }{{0, 5, 0}, {3, 5, 3}, {5, 5, 5}, {9, 0, 0}} {
		got := Sample(s, keys(test.have), test.want, self)
		if len(got) != test.get {
			t.Errorf("%d of %d: %v", test.want, test.have, got)
		}
		slices.Sort(got)
		if len(slices.Compact(got)) != test.get {
			t.Errorf("%d of %d: drawn twice", test.want, test.have)
		}
	}
}

// Every item has the same chance, within what 2,000 draws can tell.
func TestSampleIsFair(t *testing.T) {
	counts := map[string]int{}
	const draws, n, of = 2000, 5, 20
	for seed := range int64(draws) {
		for _, k := range Sample(Seed{Pipeline: seed, Stage: "t.stage"}, keys(of), n, self) {
			counts[k]++
		}
	}
	for _, k := range keys(of) {
		if c := counts[k]; c < 380 || c > 620 { // 500 expected, more than six deviations
			t.Errorf("%s was drawn %d times", k, c)
		}
	}
}

// Draws are for good: other draws make other datasets.
func TestSeedGolden(t *testing.T) {
	s := Seed{Pipeline: 20240623, Stage: "family.verb"}
	if got := Sample(s, keys(8), 3, self); !slices.Equal(got, []string{"key-1", "key-2", "key-6"}) {
		t.Errorf("%q", got)
	}
	if got := s.Rand("key").Uint64(); got != 10262246248088586646 {
		t.Errorf("%d", got)
	}
	for name, other := range map[string]uint64{
		"key": s.Rand("kez").Uint64(), "seed": Seed{1, s.Stage}.Rand("key").Uint64(), "stage": Seed{s.Pipeline, "x"}.Rand("key").Uint64(),
	} {
		if other == s.Rand("key").Uint64() {
			t.Errorf("the %s has no effect", name)
		}
	}
}

type row struct {
	A string `parquet:"a"`
	N int64  `parquet:"n"`
	B bool   `parquet:"b"`
}

func (r row) PartitionKey() string { return r.A }

var rows = NewSchema[row]("rows", 2, "Rows.", "a", "n", "b")

func TestSchema(t *testing.T) {
	if rows.String() != "rows/2" || !rows.Partitioned() || !slices.Equal(rows.Columns(), []string{"a", "n", "b"}) {
		t.Errorf("%s %v %v", rows, rows.Partitioned(), rows.Columns())
	}
	in := []row{{"a", -1, false}, {"a", 2, false}, {"a", 2, true}, {"b", -5, false}}
	for i, x := range in {
		for j, y := range in {
			if got := rows.Compare(reflect.ValueOf(x), reflect.ValueOf(y)); got != cmp.Compare(i, j) {
				t.Errorf("%v and %v: %d", x, y, got)
			}
		}
	}
	if got := rows.KeyOf(reflect.ValueOf(in[2])); got != "a|2|true" {
		t.Errorf("key %q", got)
	}
}

func TestNewSchemaPanics(t *testing.T) {
	for says, make := range map[string]func(){
		`key "x"`: func() { NewSchema[row]("s", 1, "d", "x") },
		`key "f"`: func() {
			NewSchema[struct {
				F float64 `parquet:"f"`
			}]("s", 1, "d", "f")
		},
		"field F has no parquet": func() { NewSchema[struct{ F int64 }]("s", 1, "d") },
		"no column type for int": func() {
			NewSchema[struct {
				F int `parquet:"f"`
			}]("s", 1, "d")
		},
		"no column type for map": func() {
			NewSchema[struct {
				F map[string]string `parquet:"f"`
			}]("s", 1, "d")
		},
		"RFC 3339": func() {
			NewSchema[struct {
				F time.Time `parquet:"f"`
			}]("s", 1, "d")
		},
		"field G has no parquet": func() {
			NewSchema[struct {
				F []struct{ G string } `parquet:"f"`
			}]("s", 1, "d")
		},
	} {
		func() {
			defer func() {
				if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), says) {
					t.Errorf("%q: %v", says, v)
				}
			}()
			make()
		}()
	}
}

func stage() *Stage {
	return &Stage{
		Name: "family.verb", Doc: "Does.", Version: 1,
		In: []Port{{Name: "in", Schema: rows}}, Out: []Port{{Name: "out", Schema: rows}},
		Flows:     []Flow{{From: "in", To: []string{"out"}}},
		NewConfig: func() any { return &struct{}{} },
		Run:       func(context.Context, *Pass) error { return nil },
	}
}

func TestValidate(t *testing.T) {
	plain := NewSchema[struct {
		A string `parquet:"a"`
	}]("plain", 1, "Plain.", "a")
	if err := Validate([]*Stage{stage()}); err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(s *Stage){
		"not of the form":               func(s *Stage) { s.Name = "Verb" },
		"no doc":                        func(s *Stage) { s.Doc = "" },
		"version 0":                     func(s *Stage) { s.Version = 0 },
		"no Run":                        func(s *Stage) { s.Run = nil },
		"no output":                     func(s *Stage) { s.Out = nil; s.Flows = nil },
		`flow from "x"`:                 func(s *Stage) { s.Flows[0].From = "x" },
		`flow to "y"`:                   func(s *Stage) { s.Flows[0].To = []string{"y"} },
		"not a pointer":                 func(s *Stage) { s.NewConfig = func() any { return struct{}{} } },
		`repeated port name "in"`:       func(s *Stage) { s.In = append(s.In, s.In[0]) },
		`bad or repeated port name "I"`: func(s *Stage) { s.In = append(s.In, Port{Name: "I", Schema: rows}) },
		`port "z" has no schema`:        func(s *Stage) { s.Out = append(s.Out, Port{Name: "z"}) },
		"only a whole-table stage":      func(s *Stage) { s.Out[0].Partitions = true },
		"but no PartitionKey": func(s *Stage) {
			s.Scope = Whole
			s.Out = append(s.Out, Port{Name: "l", Schema: plain, Partitions: true})
		},
	} {
		s := stage()
		change(s)
		if err := Validate([]*Stage{s}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	bad := stage()
	bad.Doc, bad.Version = "", 0
	err := Validate([]*Stage{stage(), stage(), bad})
	for _, says := range []string{"declared twice", "no doc", "version 0"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q: not all mistakes at once", err, says)
		}
	}
}

func TestErrors(t *testing.T) {
	base := errors.New("base")
	for _, test := range []struct {
		err   error
		class Class
		pause time.Duration
	}{
		{nil, Permanent, 0},
		{base, Permanent, 0},
		{Mark(base, Transient), Transient, 0},
		{fmt.Errorf("more: %w", Mark(base, Fatal)), Fatal, 0},
		{Mark(Mark(base, Transient), Fatal), Fatal, 0}, // the outermost mark counts
		{Mark(fmt.Errorf("x: %w", Mark(base, Fatal)), Permanent), Permanent, 0},
		{RetryAfter(base, time.Minute), Transient, time.Minute},
		{fmt.Errorf("x: %w", RetryAfter(base, time.Minute)), Transient, time.Minute},
		{context.Canceled, Canceled, 0},
		{fmt.Errorf("x: %w", context.Canceled), Canceled, 0},
	} {
		if c, p := ClassOf(test.err), PauseOf(test.err); c != test.class || p != test.pause {
			t.Errorf("%v: %s, %s", test.err, c, p)
		}
		if test.err != nil && !errors.Is(test.err, base) && !errors.Is(test.err, context.Canceled) {
			t.Errorf("%v hides its cause", test.err)
		}
	}
	if Mark(nil, Fatal) != nil {
		t.Error("nothing is marked")
	}
	var missing *MissingEffect
	if err := Mark(&MissingEffect{"git x@y"}, Fatal); !errors.As(err, &missing) || !strings.Contains(err.Error(), "git x@y") {
		t.Error(err)
	}
}

type batches [][]row

func (b batches) Rows() int64 { return int64(len(b)) }
func (b batches) Batches(_ context.Context, yield func(rows any) error) error {
	for _, batch := range b {
		if err := yield(batch); err != nil {
			return err
		}
	}
	return nil
}

func TestPassInputs(t *testing.T) {
	s := stage()
	s.In = append(s.In, Port{Name: "maybe", Schema: rows, Optional: true})
	p := &Pass{Stage: s, Inputs: map[string]Input{"in": batches{{{"a", 1, false}, {"b", 2, false}}, {{"c", 3, false}}}}}
	all, err := Collect[row](t.Context(), p, "in")
	if err != nil || len(all) != 3 || all[2].A != "c" {
		t.Errorf("%v, %v", all, err)
	}
	for r, err := range In[row](t.Context(), p, "in") {
		if err != nil || r.A != "a" {
			t.Errorf("%v, %v", r, err)
		}
		break // a loop may end early
	}
	if _, err := One[row](t.Context(), p, "in"); err == nil || !strings.Contains(err.Error(), "3 rows, not one") {
		t.Error(err)
	}
	if rows, err := Collect[row](t.Context(), p, "maybe"); err != nil || rows != nil {
		t.Errorf("an optional input that is left out: %v, %v", rows, err)
	}
	if _, err := Collect[row](t.Context(), p, "nowhere"); err == nil || !strings.Contains(err.Error(), `"nowhere"`) {
		t.Error(err)
	}
	if _, err := Collect[string](t.Context(), p, "in"); err == nil || !strings.Contains(err.Error(), "pipeline.row") {
		t.Error(err)
	}
	if err := Emit(p, "nowhere", row{}); err == nil {
		t.Error("no such output")
	}
}

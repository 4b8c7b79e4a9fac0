package longcodeqa

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func size(repo string, number, tokens int64, topics ...string) schemas.QuestionSize {
	return schemas.QuestionSize{
		ID: QuestionID(repo, number), Partition: "python/" + repo + "@1", Repo: repo,
		Tokens: tokens, ContextFiles: 10, FileTokens: tokens - 10, Topics: topics,
	}
}

func runSelect(t *testing.T, c *SelectConfig, sizes []schemas.QuestionSize) *stagetest.Result {
	t.Helper()
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Select(), Config: c, Seed: 7, Inputs: map[string]any{"sizes": sizes}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func selection(r *stagetest.Result) map[string]int64 {
	out := map[string]int64{}
	for _, s := range stagetest.Rows[schemas.Selected](r, "selection") {
		out[s.ID] = s.Bracket
	}
	return out
}

func TestSelectBrackets(t *testing.T) {
	r := runSelect(t, Select().NewConfig().(*SelectConfig), []schemas.QuestionSize{
		size("a/a", 1, 1), size("a/a", 2, 32768), size("a/a", 3, 32769), size("a/a", 4, 1048576), size("a/a", 5, 1048577), size("b/b", 1, 524288),
	})
	want := map[string]int64{"a__a-1": 32768, "a__a-2": 32768, "a__a-3": 65536, "a__a-4": 1048576, "b__b-1": 524288}
	if got := selection(r); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if len(r.Dropped) != 1 || r.Dropped[0].Key != "a__a-5" || r.Dropped[0].Reason != "over_largest_bracket" {
		t.Errorf("%+v", r.Dropped)
	}
	row := stagetest.Rows[schemas.Selected](r, "selection")[1]
	if row != (schemas.Selected{ID: "a__a-2", Partition: "python/a/a@1", Bracket: 32768, Tokens: 32768}) {
		t.Errorf("%+v", row)
	}
}

// Repositories take turns: none has two questions more than another that had
// some left.
func TestSelectIsBalanced(t *testing.T) {
	c := &SelectConfig{Brackets: []int64{1000, 2000}, PerBracket: 20}
	var sizes []schemas.QuestionSize
	have := map[string]int{"big/one": 100, "big/two": 50, "small/one": 3, "small/two": 1, "mid/one": 6}
	for _, repo := range slices.Sorted(maps.Keys(have)) {
		for n := range have[repo] {
			sizes = append(sizes, size(repo, int64(n), 500))
		}
	}
	r := runSelect(t, c, append(sizes, size("other/bracket", 1, 1500)))
	got := map[string]int{}
	for id, bracket := range selection(r) {
		if bracket == 1000 {
			got[strings.ReplaceAll(id[:strings.LastIndex(id, "-")], "__", "/")]++
		}
	}
	total := 0
	for repo, n := range got {
		total += n
		for other, m := range got {
			if n > m+1 && m < have[other] {
				t.Errorf("%s has %d questions, %s %d of %d", repo, n, other, m, have[other])
			}
		}
	}
	if total != 20 || len(got) != len(have) || len(selection(r)) != 21 {
		t.Errorf("%v", got)
	}
	if !maps.Equal(r.Reasons(), map[string]int{"bracket_full": 140}) {
		t.Errorf("%v", r.Reasons())
	}

	c.PerRepository = 4
	r = runSelect(t, c, sizes)
	if n := len(selection(r)); n != 3*4+3+1 || !maps.Equal(r.Reasons(), map[string]int{"repository_share": 144}) {
		t.Errorf("%d selected, %v", n, r.Reasons())
	}
	c.PerBracket = 10
	if r = runSelect(t, c, sizes); len(selection(r)) != 10 || !maps.Equal(r.Reasons(), map[string]int{"repository_share": 144, "bracket_full": 6}) {
		t.Errorf("%v, %v", selection(r), r.Reasons())
	}
}

// One more question moves at most one other, and the order of rows moves none.
func TestSelectIsStable(t *testing.T) {
	for trial := range uint64(200) {
		rnd := rand.New(rand.NewPCG(trial, 1))
		c := &SelectConfig{Brackets: []int64{1000, 2000}, PerBracket: 1 + rnd.IntN(30), PerRepository: rnd.IntN(6)}
		var sizes []schemas.QuestionSize
		for repo := range 1 + rnd.IntN(8) {
			for n := range rnd.IntN(20) {
				sizes = append(sizes, size(fmt.Sprintf("o/r%d", repo), int64(n), 1+rnd.Int64N(2000)))
			}
		}
		before := selection(runSelect(t, c, sizes))
		rnd.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
		if shuffled := selection(runSelect(t, c, sizes)); !maps.Equal(shuffled, before) {
			t.Fatalf("trial %d: the order of rows moved questions", trial)
		}
		one := size(fmt.Sprintf("o/r%d", rnd.IntN(9)), 99, 1+rnd.Int64N(2000))
		after := selection(runSelect(t, c, append(sizes, one)))
		var gone, came []string
		for id, bracket := range before {
			if after[id] != bracket {
				gone = append(gone, id)
			}
		}
		for id := range after {
			if _, ok := before[id]; !ok {
				came = append(came, id)
			}
		}
		if len(gone) > 1 || len(came) > 1 || len(came) == 1 && came[0] != one.ID || len(gone) > len(came) {
			t.Errorf("trial %d: %v went and %v came with %s", trial, gone, came, one.ID)
		}
	}
}

func TestSelectTwice(t *testing.T) {
	a, b := size("a/a", 1, 5), size("a/a", 1, 5)
	b.Partition = "python/a/a@2"
	_, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Select(), Inputs: map[string]any{"sizes": []schemas.QuestionSize{a, b}}})
	if err == nil || !strings.Contains(err.Error(), "a__a-1 is in python/a/a@1 and in python/a/a@2") {
		t.Error(err)
	}
}

func TestSelectConfig(t *testing.T) {
	for _, test := range []struct {
		brackets []int64
		says     string
	}{{nil, "at least one"}, {[]int64{0, 5}, "0 is not"}, {[]int64{5, 5}, "5 is not"}, {[]int64{5, 4}, "4 is not"}, {[]int64{4, 5}, ""}} {
		err := (&SelectConfig{Brackets: test.brackets}).Validate()
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v: %v", test.brackets, err)
		}
	}
}

// Figures of table 2, worked out by hand.
func TestStatistics(t *testing.T) {
	a1, a2 := size("a/a", 1, 110, "x", "y"), size("a/a", 2, 130, "x", "y")
	a2.FileTokens = a1.FileTokens
	b := size("b/b", 1, 210, "x")
	b.ContextFiles = 30
	r := runSelect(t, &SelectConfig{Brackets: []int64{50, 1024, 4096}}, []schemas.QuestionSize{a1, a2, b, size("c/c", 1, 9999, "z")})
	got := stagetest.Rows[schemas.LongCodeQAStatistic](r, "statistics")
	want := []schemas.LongCodeQAStatistic{
		{Group: "bracket", Value: "50", Order: 0},
		{Group: "bracket", Value: "1K", Order: 1, Questions: 3, Repositories: 2, FilesPerRepo: 20, TokensPerFile: 300.0 / 40, MeanTokens: 150, MostTokens: 210},
		{Group: "bracket", Value: "4K", Order: 2},
		{Group: "topic", Value: "x", Order: 0, Questions: 3, Repositories: 2, FilesPerRepo: 20, TokensPerFile: 300.0 / 40, MeanTokens: 150, MostTokens: 210},
		{Group: "topic", Value: "y", Order: 1, Questions: 2, Repositories: 1, FilesPerRepo: 10, TokensPerFile: 10, MeanTokens: 120, MostTokens: 130},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestLabel(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 1: "1", 1024: "1K", 1000: "1000", 32768: "32K", 524288: "512K", 1 << 20: "1M", 3 << 19: "1536K", 1 << 21: "2M"} {
		if got := Label(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

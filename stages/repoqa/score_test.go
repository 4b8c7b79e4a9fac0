package repoqa

import (
	"math"
	"slices"
	"strings"
	"testing"

	"benchmill/schemas"
)

func TestAnswer(t *testing.T) {
	l := set(t).Get("python")
	const fn = "def f(a):\n    return a"
	for name, test := range map[string]struct{ reply, want string }{
		"fenced":                {"Here:\n```python\n" + fn + "\n```\nThat is it.", fn},
		"no language":           {"```\n" + fn + "\n```", fn},
		"indented fence":        {"  ```py\n" + fn + "\n  ```", fn},
		"several blocks":        {"```python\n" + fn + "\n```\n```python\ndef g():\n    pass\n```", fn},
		"several functions":     {"```python\nimport os\n" + fn + "\n\ndef g():\n    pass\n```", fn},
		"nested function":       {"```python\ndef f(a):\n    def g():\n        return a\n    return g\n```", "def f(a):\n    def g():\n        return a\n    return g"},
		"method":                {"```python\nclass A:\n    def m(self):\n        return 1\n```", "def m(self):\n        return 1"},
		"no function in it":     {"```python\nx = 1\n```", "x = 1\n"},
		"no block":              {"  " + fn + "\n", fn},
		"block without an end":  {"```python\n" + fn, "```python\n" + fn},
		"empty block":           {"```\n```", ""},
		"backticks in a line":   {"Use `f` or ```g``` here", "Use `f` or ```g``` here"},
		"backticks in the code": {"```python\n" + fn + "  # ```not the end\n```", fn + "  # ```not the end"},
		"nothing":               {"", ""},
		"prose first":           {"I think it is `f`.\n\n```python\n" + fn + "\n```", fn},
	} {
		if got := Answer(l, test.reply); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

const (
	adds = "def add(a, b):\n    # the sum\n    c = a + b\n    return c"
	subs = "def sub(a, b):\n    c = a - b\n    return c"
	muls = "def mul(a, b):\n    for x in range(b):\n        a += a\n    return a"
)

func task() schemas.RepoQATask {
	text := subs + "\n\n" + adds + "\n\n" + muls + "\n"
	at := func(name, code string) schemas.Candidate {
		i := int64(strings.Index(text, code))
		return schemas.Candidate{Path: "a.py", Name: name, Start: i, End: i + int64(len(code))}
	}
	return schemas.RepoQATask{
		TaskID: "python::o/r::add::64::default", Language: "python", Repo: "o/r", Path: "a.py", Name: "add", Needle: adds,
		Variant: schemas.VariantDefault, CodeContext: text,
		Candidates: []schemas.Candidate{at("sub", subs), at("add", adds), at("mul", muls)},
	}
}

func fenced(code string) string { return "```python\n" + code + "\n```" }

func TestJudge(t *testing.T) {
	s := &Scorer{Languages: set(t), Candidates: CandidatesContext}
	for name, test := range map[string]struct {
		reply      string
		best       string
		isIt       bool
		similarity float64 // -1: below 1, above 0
	}{
		"the needle":      {fenced(adds), "a.py add", true, 1},
		"another":         {fenced(subs), "a.py sub", false, 1},
		"nearly":          {fenced(strings.Replace(adds, "c = a + b", "c = a + c", 1)), "a.py add", true, -1},
		"layout is free":  {fenced("def add(a, b):\n  # the sum\n  c  =  a + b\n  return c"), "a.py add", true, 1},
		"nothing alike":   {"qwerty", "", false, 0},
		"nothing at all":  {"", "", false, 0},
		"without comment": {fenced(strings.Replace(adds, "    # the sum\n", "", 1)), "a.py add", true, -1},
	} {
		v, err := s.Judge(task(), 3, test.reply)
		if err != nil {
			t.Fatal(err)
		}
		fits := v.Similarity == test.similarity || test.similarity < 0 && v.Similarity > 0 && v.Similarity < 1
		if v.Best != test.best || v.BestIsIt != test.isIt || !fits || v.Sample != 3 || v.TaskID != task().TaskID {
			t.Errorf("%s: %+v", name, v)
		}
	}
	s.IgnoreComments = true
	v, err := s.Judge(task(), 0, fenced(strings.Replace(adds, "    # the sum\n", "    # other words\n", 1)))
	if err != nil || v.Similarity != 1 || !v.BestIsIt {
		t.Errorf("comments are not ignored: %+v, %v", v, err)
	}
	unknown := task()
	unknown.Language = "klingon"
	if _, err := s.Judge(unknown, 0, "x"); err == nil || !strings.Contains(err.Error(), "klingon") {
		t.Error(err)
	}
}

// Of equals the needle counts, wherever it stands.
func TestJudgeTie(t *testing.T) {
	x := task()
	x.CodeContext = strings.Repeat(adds+"\n", 2)
	n := int64(len(adds))
	x.Candidates = []schemas.Candidate{{Path: "a.py", Name: "twin", Start: 0, End: n}, {Path: "a.py", Name: "add", Start: n + 1, End: 2*n + 1}}
	s := &Scorer{Languages: set(t), Candidates: CandidatesContext}
	if v, err := s.Judge(x, 0, fenced(adds)); err != nil || !v.BestIsIt {
		t.Errorf("%+v, %v", v, err)
	}
}

// Among the repository's needles, functions of the context that are none do not
// count.
func TestJudgeAmongNeedles(t *testing.T) {
	mul := task()
	mul.Name, mul.Needle, mul.TaskID = "mul", muls, "python::o/r::mul::64::default"
	other := task()
	other.Repo, other.Name, other.Needle = "o/other", "sub", subs
	s := &Scorer{Languages: set(t), Candidates: CandidatesNeedles, Needles: NeedlesOf([]schemas.RepoQATask{task(), mul, other, task()})}
	if got := s.Needles["python::o/r"]; len(got) != 2 || len(s.Needles) != 2 {
		t.Errorf("%+v", s.Needles)
	}
	v, err := s.Judge(task(), 0, fenced(subs))
	if err != nil || v.Best != "a.py add" || !v.BestIsIt || v.Similarity >= 1 {
		t.Errorf("%+v, %v", v, err)
	}
	among := &Scorer{Languages: s.Languages, Candidates: CandidatesContext}
	if v, err := among.Judge(task(), 0, fenced(subs)); err != nil || v.BestIsIt {
		t.Errorf("%+v, %v", v, err)
	}
}

// The needles are known from any variant, as the default one has them where it
// is there.
func TestNeedlesOfVariants(t *testing.T) {
	free := task()
	free.Variant, free.Needle = schemas.VariantCommentFree, "def add(a, b):\n    c = a + b\n    return c"
	for _, test := range []struct {
		tasks []schemas.RepoQATask
		want  string
	}{
		{[]schemas.RepoQATask{free, task()}, adds},
		{[]schemas.RepoQATask{task(), free}, adds},
		{[]schemas.RepoQATask{free}, free.Needle},
	} {
		if got := NeedlesOf(test.tasks)["python::o/r"]; !slices.Equal(got, []NeedleCode{{"a.py", "add", test.want}}) {
			t.Errorf("%+v", got)
		}
	}
}

func TestCorrect(t *testing.T) {
	for _, test := range []struct {
		v         Verdict
		threshold float64
		want      bool
	}{
		{Verdict{BestIsIt: true, Similarity: 0.8}, 0.8, true},
		{Verdict{BestIsIt: true, Similarity: math.Nextafter(0.8, 0)}, 0.8, false},
		{Verdict{BestIsIt: false, Similarity: 1}, 0, false},
		{Verdict{BestIsIt: true, Similarity: 1}, 1, true},
	} {
		if got := test.v.Correct(test.threshold); got != test.want {
			t.Errorf("%+v at %v: %v", test.v, test.threshold, got)
		}
	}
}

// passAt is compared with counting the draws of k of n answers.
func TestPassAt(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				solved, all := 0, 0
				for draw := range 1 << n {
					size, hit := 0, false
					for i := range n {
						if draw>>i&1 == 1 {
							size++
							hit = hit || i < c
						}
					}
					if size == k {
						all++
						if hit {
							solved++
						}
					}
				}
				if got, want := passAt(n, c, k), float64(solved)/float64(all); math.Abs(got-want) > 1e-12 {
					t.Errorf("n=%d c=%d k=%d: %v, want %v", n, c, k, got, want)
				}
			}
		}
	}
}

func TestScores(t *testing.T) {
	var verdicts []Verdict
	add := func(language, task string, samples, correct int, similarity float64) {
		for i := range samples {
			verdicts = append(verdicts, Verdict{TaskID: task, Language: language, Variant: "default", Sample: i, BestIsIt: i < correct, Similarity: similarity})
		}
	}
	add("python", "p1", 10, 10, 0.85)
	add("python", "p2", 10, 0, 0.85)
	add("python", "p3", 12, 3, 0.85)
	add("java", "j1", 1, 1, 0.5)
	scores := Scores(verdicts)
	find := func(language string, threshold float64) Score {
		for _, s := range scores {
			if s.Language == language && s.Variant == "default" && s.Threshold == threshold {
				return s
			}
		}
		t.Fatalf("no score of %s at %v", language, threshold)
		return Score{}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if len(scores) != 3*len(Thresholds) || len(Thresholds) != 11 {
		t.Errorf("%d scores", len(scores))
	}
	p := find("python", 0.8)
	near("pass@1", p.PassAt[1], (1+0+3.0/12)/3)
	near("pass@10", p.PassAt[10], (1+0+1)/3.0) // of 12 with 3 right, 10 hold one
	if _, ok := p.PassAt[100]; ok || p.Tasks != 3 {
		t.Errorf("%+v", p)
	}
	near("above the similarity", find("python", 0.9).PassAt[1], 0)
	near("java at 0.5", find("java", 0.5).PassAt[1], 1)
	near("java at 0.6", find("java", 0.6).PassAt[1], 0)
	if _, ok := find("java", 0.5).PassAt[10]; ok {
		t.Error("pass@10 of one answer")
	}
	// The average is over languages, not over tasks.
	near("macro at 0.5", find("all", 0.5).PassAt[1], ((1+0.25)/3+1)/2)
	if find("all", 0.5).Tasks != 4 {
		t.Errorf("%+v", find("all", 0.5))
	}
	slices.Reverse(verdicts)
	for i, s := range Scores(verdicts) {
		near("in another order", s.PassAt[1], scores[i].PassAt[1])
	}
	if len(Scores(nil)) != 0 {
		t.Error("scores of nothing")
	}
}

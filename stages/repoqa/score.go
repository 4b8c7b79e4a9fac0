package repoqa

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"benchmill/internal/bleu"
	"benchmill/internal/fence"
	"benchmill/internal/treesitter"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

// Candidate sets a reply is compared with.
const (
	// CandidatesContext are all functions that stand whole in the context, as
	// the paper says (section 3.2).
	CandidatesContext = "context"
	// CandidatesNeedles are the repository's needles, as the published scorer has it.
	CandidatesNeedles = "needles"
)

// Verdict is one answer, judged.
type Verdict struct {
	TaskID     string  `json:"task_id"`
	Language   string  `json:"language"`
	Variant    string  `json:"variant"`
	Sample     int     `json:"sample"`
	Best       string  `json:"best"`       // the most similar candidate: "path name"
	BestIsIt   bool    `json:"best_is_it"` // it is the needle
	Similarity float64 `json:"similarity"` // of the best candidate, 0 to 1
}

// Correct reports whether the needle was found at a threshold of similarity.
func (v Verdict) Correct(threshold float64) bool { return v.BestIsIt && v.Similarity >= threshold }

// Scorer judges replies against tasks. Use one per release.
type Scorer struct {
	Languages      *lang.Set
	Candidates     string // CandidatesContext or CandidatesNeedles
	IgnoreComments bool   // compare without comments on both sides
	// Needles are all needles by repository, for CandidatesNeedles: see [NeedlesOf].
	Needles map[string][]NeedleCode
}

// NeedleCode is the code of a needle.
type NeedleCode struct{ Path, Name, Code string }

// NeedlesOf gathers the needles of each repository ("language::repo") from tasks,
// as the default variant has them, or the first variant where there is none.
func NeedlesOf(tasks []schemas.RepoQATask) map[string][]NeedleCode {
	out := map[string][]NeedleCode{}
	for _, only := range []string{schemas.VariantDefault, ""} {
		for _, t := range tasks {
			repo := t.Language + "::" + t.Repo
			known := slices.ContainsFunc(out[repo], func(n NeedleCode) bool { return n.Path == t.Path && n.Name == t.Name })
			if !known && (only == "" || t.Variant == only) {
				out[repo] = append(out[repo], NeedleCode{t.Path, t.Name, t.Needle})
			}
		}
	}
	return out
}

// Judge compares one answer with the candidates of its task. Of two candidates
// with the same similarity the first counts, the needle before all.
func (s *Scorer) Judge(t schemas.RepoQATask, sample int, reply string) (Verdict, error) {
	l := s.Languages.Get(t.Language)
	if l == nil {
		return Verdict{}, fmt.Errorf("%s: no language %q", t.TaskID, t.Language)
	}
	answer := Answer(l, reply)
	tokens := s.tokens(l, answer)
	v := Verdict{TaskID: t.TaskID, Language: t.Language, Variant: t.Variant, Sample: sample}
	for _, c := range s.candidates(t) {
		similarity := bleu.NewReference(s.tokens(l, c.Code)).Sentence(tokens)
		if similarity > v.Similarity {
			v.Similarity, v.Best, v.BestIsIt = similarity, c.Path+" "+c.Name, c.Path == t.Path && c.Name == t.Name
		}
	}
	return v, nil
}

func (s *Scorer) candidates(t schemas.RepoQATask) []NeedleCode {
	var out []NeedleCode
	if s.Candidates == CandidatesNeedles {
		out = slices.Clone(s.Needles[t.Language+"::"+t.Repo])
	} else {
		for _, c := range t.Candidates {
			out = append(out, NeedleCode{c.Path, c.Name, t.CodeContext[c.Start:c.End]})
		}
	}
	isIt := func(c NeedleCode) int {
		if c.Path == t.Path && c.Name == t.Name {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b NeedleCode) int { return cmp.Compare(isIt(a), isIt(b)) })
	return out
}

func (s *Scorer) tokens(l *lang.Language, code string) []string {
	if s.IgnoreComments {
		if f, err := analyze(l, code); err == nil {
			code = lang.StripComments(code, f.Comments, nil)
		}
	}
	return bleu.Tokens(code)
}

func analyze(l *lang.Language, code string) (*lang.Facts, error) {
	return l.Analyze("answer"+l.Syntaxes[0].Suffixes[0], []byte(code), treesitter.DefaultLimits)
}

// Answer takes the function out of a reply: the first function in the first
// fenced code block; the whole block where no function is found in it; the
// whole reply where there is no block.
func Answer(l *lang.Language, reply string) string {
	reply = strings.TrimSpace(reply)
	block, ok := fence.First(reply)
	if !ok {
		return reply
	}
	f, err := analyze(l, block)
	if err != nil || len(f.Functions) == 0 {
		return block
	}
	first := f.Functions[0]
	return block[first.Start:first.End]
}

// Thresholds are the similarities that scores are reported at.
var Thresholds = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// Score is the share of tasks solved in one group, 0 to 1.
type Score struct {
	Language  string          `json:"language"` // "all": the mean over the languages
	Variant   string          `json:"variant"`
	Tasks     int             `json:"tasks"`
	Threshold float64         `json:"threshold"`
	PassAt    map[int]float64 `json:"pass_at"` // by k; 1, and 10 and 100 where every task has as many answers
}

// Scores sums verdicts up: by variant, language and threshold, and the macro
// average over languages, in that order.
func Scores(verdicts []Verdict) []Score {
	type group struct{ variant, language string }
	byTask := map[group]map[string][]Verdict{}
	for _, v := range verdicts {
		g := group{v.Variant, v.Language}
		if byTask[g] == nil {
			byTask[g] = map[string][]Verdict{}
		}
		byTask[g][v.TaskID] = append(byTask[g][v.TaskID], v)
	}
	var groups []group
	for g := range byTask {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.variant, b.variant), cmp.Compare(a.language, b.language))
	})
	var out []Score
	for i := 0; i < len(groups); {
		variant, first := groups[i].variant, len(out)
		for ; i < len(groups) && groups[i].variant == variant; i++ {
			for _, threshold := range Thresholds {
				out = append(out, scoreGroup(byTask[groups[i]], groups[i].language, variant, threshold))
			}
		}
		out = append(out, macro(out[first:], variant)...)
	}
	return out
}

func scoreGroup(tasks map[string][]Verdict, language, variant string, threshold float64) Score {
	s := Score{Language: language, Variant: variant, Tasks: len(tasks), Threshold: threshold, PassAt: map[int]float64{}}
	fewest := math.MaxInt
	for _, samples := range tasks {
		fewest = min(fewest, len(samples))
	}
	for _, k := range []int{1, 10, 100} {
		if k > fewest {
			break
		}
		var sum float64
		for _, id := range sorted(tasks) {
			correct := 0
			for _, v := range tasks[id] {
				if v.Correct(threshold) {
					correct++
				}
			}
			sum += passAt(len(tasks[id]), correct, k)
		}
		s.PassAt[k] = sum / float64(len(tasks))
	}
	return s
}

func sorted(tasks map[string][]Verdict) []string {
	var ids []string
	for id := range tasks {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// passAt is the unbiased estimate of solving a task with k answers, given that
// c of n were correct (Chen et al. 2021): 1 - C(n-c, k) / C(n, k).
func passAt(n, c, k int) float64 {
	if n-c < k {
		return 1
	}
	miss := 1.0
	for i := n - c + 1; i <= n; i++ {
		miss *= 1 - float64(k)/float64(i)
	}
	return 1 - miss
}

func macro(scores []Score, variant string) []Score {
	var out []Score
	for _, threshold := range Thresholds {
		m := Score{Language: "all", Variant: variant, Threshold: threshold, PassAt: map[int]float64{}}
		counts := map[int]int{}
		for _, s := range scores {
			if s.Threshold != threshold {
				continue
			}
			m.Tasks += s.Tasks
			for k, v := range s.PassAt {
				m.PassAt[k] += v
				counts[k]++
			}
		}
		for k, n := range counts {
			m.PassAt[k] /= float64(n)
		}
		out = append(out, m)
	}
	return out
}

package longcodeqa

import (
	"cmp"
	"maps"
	"slices"

	"benchmill/schemas"
)

// Groups of statistics.
const (
	groupBracket = "bracket"
	groupTopic   = "topic"
)

// statistics counts the chosen questions as table 2 does: by bracket in
// ascending order, empty ones too, then by topic, the most frequent first. A
// question counts under each of its topics.
func statistics(brackets []int64, selected map[int64][]schemas.QuestionSize) []schemas.LongCodeQAStatistic {
	var out []schemas.LongCodeQAStatistic
	byTopic := map[string][]schemas.QuestionSize{}
	for i, bracket := range brackets {
		out = append(out, statistic(groupBracket, Label(bracket), i, selected[bracket]))
		for _, q := range selected[bracket] {
			for _, topic := range q.Topics {
				byTopic[topic] = append(byTopic[topic], q)
			}
		}
	}
	topics := slices.SortedFunc(maps.Keys(byTopic), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byTopic[b]), len(byTopic[a])), cmp.Compare(a, b))
	})
	for i, topic := range topics {
		out = append(out, statistic(groupTopic, topic, i, byTopic[topic]))
	}
	return out
}

// statistic is one line. Repositories count once, however many questions they
// have: files per repository is their mean, tokens per file is over all their
// files.
func statistic(group, value string, order int, questions []schemas.QuestionSize) schemas.LongCodeQAStatistic {
	s := schemas.LongCodeQAStatistic{Group: group, Value: value, Order: int64(order), Questions: int64(len(questions))}
	repos := map[string]bool{}
	var files, fileTokens, tokens int64
	for _, q := range questions {
		tokens += q.Tokens
		s.MostTokens = max(s.MostTokens, q.Tokens)
		if !repos[q.Repo] {
			repos[q.Repo] = true
			files += q.ContextFiles
			fileTokens += q.FileTokens
		}
	}
	s.Repositories = int64(len(repos))
	s.FilesPerRepo = ratio(files, s.Repositories)
	s.TokensPerFile = ratio(fileTokens, files)
	s.MeanTokens = ratio(tokens, s.Questions)
	return s
}

// ratio is a/b, 0 where there is nothing to divide by.
func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

package longcodeqa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchmill/schemas"
)

// QuestionID names a question by its issue, as "owner__name-number".
func QuestionID(repo string, number int64) string {
	return strings.ReplaceAll(repo, "/", "__") + "-" + strconv.FormatInt(number, 10)
}

// Label is a number of tokens as brackets are called: "32K", "1M".
func Label(tokens int64) string {
	switch {
	case tokens > 0 && tokens%(1<<20) == 0:
		return fmt.Sprintf("%dM", tokens>>20)
	case tokens > 0 && tokens%(1<<10) == 0:
		return fmt.Sprintf("%dK", tokens>>10)
	}
	return strconv.FormatInt(tokens, 10)
}

// bracketOf is the smallest of the ascending brackets that holds so many tokens.
func bracketOf(brackets []int64, tokens int64) (int64, bool) {
	i, _ := slices.BinarySearchFunc(brackets, tokens, func(b, n int64) int { return cmp.Compare(b, n) })
	if i == len(brackets) {
		return 0, false
	}
	return brackets[i], true
}

// topicsOf are the topics of a repository: what a model said, else its own.
func topicsOf(repo schemas.Repository, said []schemas.RepositoryTopics) []string {
	for _, t := range said {
		if t.Repo == repo.Repo {
			return t.Topics
		}
	}
	if repo.Topic != "" {
		return []string{repo.Topic}
	}
	return nil
}

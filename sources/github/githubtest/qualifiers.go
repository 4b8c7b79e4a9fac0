package githubtest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// term is one word of a search: "language:go", "-fork:true", "text".
type term struct {
	not   bool
	key   string // "" is text
	value string
}

// parseSearch splits a search into its terms. Quotes hold words together.
func parseSearch(text string) ([]term, error) {
	var out []term
	for rest := strings.TrimLeft(text, " \t\n"); rest != ""; rest = strings.TrimLeft(rest, " \t\n") {
		var t term
		t.not = strings.HasPrefix(rest, "-")
		rest = strings.TrimPrefix(rest, "-")
		var word strings.Builder
		quoted := false
		end := len(rest)
	scan:
		for k, c := range rest {
			switch {
			case c == '"':
				quoted = !quoted
			case !quoted && (c == ' ' || c == '\t' || c == '\n'):
				end = k
				break scan
			case c == ':' && !quoted && t.key == "" && word.Len() > 0:
				t.key = word.String()
				word.Reset()
			default:
				word.WriteRune(c)
			}
		}
		if quoted {
			return nil, fmt.Errorf("a quote is not closed in %q", text)
		}
		rest = rest[end:]
		t.value = word.String()
		if t.key == "" && t.value == "" {
			continue
		}
		out = append(out, t)
	}
	return out, nil
}

// span is a range of numbers, both ends included. Times are seconds.
type span struct{ low, high int64 }

const endless = int64(1) << 62

func (s span) holds(n int64) bool { return s.low <= n && n <= s.high }

// parseSpan reads "5", ">5", ">=5", "<5", "<=5", "5..9", "5..*" and "*..9". bounds
// gives the first and last number a value stands for.
func parseSpan(text string, bounds func(string) (low, high int64, err error)) (span, error) {
	if from, to, ok := strings.Cut(text, ".."); ok {
		out := span{-endless, endless}
		if from != "*" {
			low, _, err := bounds(from)
			if err != nil {
				return span{}, err
			}
			out.low = low
		}
		if to != "*" {
			_, high, err := bounds(to)
			if err != nil {
				return span{}, err
			}
			out.high = high
		}
		return out, nil
	}
	value := strings.TrimLeft(text, "<>=")
	low, high, err := bounds(value)
	if err != nil {
		return span{}, err
	}
	switch operator := strings.TrimSuffix(text, value); operator {
	case "":
		return span{low, high}, nil
	case ">":
		return span{high + 1, endless}, nil
	case ">=":
		return span{low, endless}, nil
	case "<":
		return span{-endless, low - 1}, nil
	case "<=":
		return span{-endless, high}, nil
	default:
		return span{}, fmt.Errorf("%q is no comparison", operator)
	}
}

func wholeNumber(text string) (low, high int64, err error) {
	n, err := strconv.ParseInt(text, 10, 61)
	return n, n, err
}

// moments are the seconds of a time, or of a day in UTC.
func moments(text string) (low, high int64, err error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Unix(), day.Unix() + 24*60*60 - 1, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Unix(), at.Unix(), nil
		}
	}
	return 0, 0, fmt.Errorf("%q is no date", text)
}

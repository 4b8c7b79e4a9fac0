package render

import (
	"math"
	"strings"

	"github.com/benchmill-samples/harborlog/record"
)

var eighths = []rune("▁▂▃▄▅▆▇█")

// Sparkline draws one character per value; zero is a blank, the largest a full block.
func Sparkline(values []int) string {
	largest := 0
	for _, v := range values {
		largest = max(largest, v)
	}
	var out strings.Builder
	for _, v := range values {
		if v <= 0 {
			out.WriteByte(' ')
			continue
		}
		step := int(math.Ceil(float64(v)/float64(largest)*float64(len(eighths)))) - 1
		out.WriteRune(eighths[clamp(step, 0, len(eighths)-1)])
	}
	return out.String()
}

// Bar draws a share of the whole; anything above nothing shows at least one mark.
func Bar(part, whole, width int) string {
	if part <= 0 || whole <= 0 {
		return ""
	}
	marks := int(math.Round(float64(part) / float64(whole) * float64(width)))
	return strings.Repeat("■", clamp(marks, 1, width))
}

func clamp(v, low, high int) int { return max(low, min(high, v)) }

// Paint colours a text by level; levels that need no attention stay as they are.
func Paint(text string, level record.Level) string {
	code := map[record.Level]string{record.Debug: "90", record.Warn: "33", record.Error: "31", record.Fatal: "1;31"}[level]
	if code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

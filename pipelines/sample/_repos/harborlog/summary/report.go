package summary

import (
	"sort"
	"strings"
	"time"
	"unicode"

	"github.com/benchmill-samples/harborlog/record"
)

// Report is what there is to say about a pile of records.
type Report struct {
	Records     int
	First, Last time.Time
	Levels      []Count[string]
	Sources     []Count[string]
	Templates   []Count[string]
	Timeline    []int
	Width       time.Duration
	Silence     time.Duration
	Common      []record.Field
}

// Summarise builds a report with at most `top` sources and templates.
func Summarise(records []record.Record, top, buckets int) Report {
	r := Report{Records: len(records), Common: record.CommonFields(records)}
	r.Levels = CountBy(records, func(r *record.Record) string { return r.Level.String() }).Top(-1)
	r.Sources = CountBy(records, func(r *record.Record) string { return r.Source }).Top(top)
	r.Templates = CountBy(records, func(r *record.Record) string { return Template(r.Message) }).Top(top)
	r.First, r.Last = record.Span(records)
	times := sortedTimes(records)
	if len(times) > 0 {
		r.Width = ChooseWidth(r.Last.Sub(r.First), buckets)
		r.Timeline = Buckets(times, r.First, r.Width, buckets)
		_, r.Silence = LongestSilence(times)
	}
	return r
}

func sortedTimes(records []record.Record) []time.Time {
	var times []time.Time
	for i := range records {
		if t := records[i].Time; !t.IsZero() {
			times = append(times, t)
		}
	}
	sort.Slice(times, func(i, j int) bool { return times[i].Before(times[j]) })
	return times
}

// Template replaces the parts of a message that differ from line to line: words with
// digits become "#", quoted text becomes "“…”".
func Template(message string) string {
	words := strings.Fields(maskQuotes(message))
	for i, w := range words {
		core := strings.TrimRight(w, ".,:;)]")
		if strings.IndexFunc(core, unicode.IsDigit) >= 0 {
			words[i] = "#" + w[len(core):]
		}
	}
	return strings.Join(words, " ")
}

func maskQuotes(message string) string {
	var out strings.Builder
	rest := message
	for {
		before, after, found := strings.Cut(rest, `"`)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, beyond, closed := strings.Cut(after, `"`)
		if !closed {
			out.WriteString(`"` + after)
			return out.String()
		}
		out.WriteString("“…”")
		rest = beyond
	}
}

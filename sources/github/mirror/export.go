package mirror

import (
	"io"
	"maps"
	"slices"
	"time"

	"benchmill/internal/collection"
)

// writeIssues writes a table as it was at a time. No table: the issues are
// switched off.
func writeIssues(repo string, asOf time.Time, t *table, w io.Writer) error {
	out := collection.NewWriter(w, collection.Header{Kind: collection.KindIssues, Name: repo, NoIssues: t == nil})
	if t == nil {
		return out.Close()
	}
	cut := stampOf(asOf)
	numbers := t.numbers()
	for _, n := range numbers {
		if i, ok := issueAt(*t.issues[n], cut); ok {
			if err := out.Write(collection.Record{Issue: &i}); err != nil {
				return err
			}
		}
	}
	for _, n := range numbers {
		if t.issues[n].CreatedAt > cut {
			continue
		}
		comments := t.comments[n]
		for _, id := range slices.Sorted(maps.Keys(comments)) {
			if comments[id].CreatedAt > cut {
				continue
			}
			if err := out.Write(collection.Record{Comment: comments[id]}); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// issueAt is an issue as it was at a time, as far as can be known.
func issueAt(i collection.Issue, cut string) (collection.Issue, bool) {
	if i.ClosedAt > cut {
		i.State, i.StateReason, i.ClosedAt = "open", "", ""
	}
	return i, i.CreatedAt <= cut
}

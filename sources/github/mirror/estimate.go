package mirror

import (
	"os"
	"path/filepath"
	"time"
)

// Counts are how many closed issues and how many pull requests, in any state, a
// repository has.
type Counts struct{ Issues, Pulls int64 }

func (c Counts) sum() int64 { return c.Issues + c.Pulls }

// What is assumed of a repository nothing is known of.
var likely = Counts{Issues: 500, Pulls: 500}

// likelyComments are for each issue and pull request.
const likelyComments = 4

// Estimate is about how many requests [Mirror.Issues] makes, as far as the mirror on
// disk tells, else by what a repository has (nil: not known). Repeated requests are
// not counted. It waits for no lock.
func (m *Mirror) Estimate(repo string, asOf time.Time, has *Counts) (requests int64) {
	if has == nil {
		has = &likely
	}
	return m.estimate(repo, kindIssues, asOf, has.sum()) + m.estimate(repo, kindComments, asOf, has.sum()*likelyComments)
}

// EstimateDetails is [Mirror.Estimate] for [Mirror.Details] after Issues. How many
// of the details in the mirror have to be asked for again only GitHub knows: they
// count as one request.
func (m *Mirror) EstimateDetails(repo string, has *Counts) (requests int64) {
	if d := newDetails(&log{entries: m.peek(repo, kindDetails)}); len(d.numbers) > 0 && !m.Full {
		if has == nil {
			return 1
		}
		return max(parts(has.sum()-int64(len(d.numbers)), batchSize), 1)
	}
	if has == nil {
		has = &likely
	}
	return parts(has.Issues, batchSize) + parts(has.Pulls, batchSize)
}

// estimate is for a sweep over so many items.
func (m *Mirror) estimate(repo, kind string, asOf time.Time, items int64) int64 {
	p := newPages(&log{entries: m.peek(repo, kind)}, repo, kind)
	switch {
	case p.serves(asOf.Truncate(time.Second), m.Full):
		return 0
	case p.open != nil && (p.open.full || !m.Full):
		left := parts(items, perPage) - int64(p.open.pages)
		if p.open.floor.IsZero() && left > 0 {
			return left + 1
		}
		return 2
	case !m.Full && p.known.ETag != "":
		return 1
	}
	n := parts(items, perPage)
	if n > 1 {
		n++ // that nothing changed meanwhile
	}
	return max(n, 1)
}

func parts(n, size int64) int64 { return max((n+size-1)/size, 0) }

// peek is what a log says, unchecked; nothing when it cannot be read.
func (m *Mirror) peek(repo, kind string) []stored {
	dir, err := m.folder(repo)
	if err != nil {
		return nil
	}
	file, err := os.Open(filepath.Join(dir, kind+".log"))
	if err != nil {
		return nil
	}
	defer file.Close()
	entries, _, _ := scan(file, kind, false)
	return entries
}

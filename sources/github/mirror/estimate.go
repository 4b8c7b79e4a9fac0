package mirror

import (
	"os"
	"path/filepath"
)

// What is assumed of a repository nothing is known of.
const (
	likelyItems    = 1000 // issues and pull requests
	likelyComments = 4    // for each of them
)

// Estimate is about how many requests the next [Mirror.Issues] makes, as far as the
// mirror on disk tells, else by the number of issues and of pull requests (0: not
// known). Repeated requests are not counted. It waits for no lock.
func (m *Mirror) Estimate(repo string, issues, pulls int64) (requests int64) {
	items := issues + pulls
	if items <= 0 {
		items = likelyItems
	}
	return m.estimate(repo, kindIssues, items) + m.estimate(repo, kindComments, items*likelyComments)
}

// EstimateDetails is [Mirror.Estimate] for [Mirror.Details] after Issues.
func (m *Mirror) EstimateDetails(repo string, issues, pulls int64) (requests int64) {
	if issues+pulls <= 0 {
		issues, pulls = likelyItems/2, likelyItems/2
	}
	d := newDetails(&log{entries: m.peek(repo, kindDetails)})
	have := int64(0)
	if !m.Full {
		have = int64(len(d.numbers))
	}
	return parts(issues+pulls-have, batchSize)
}

// estimate is for a sweep over so many items.
func (m *Mirror) estimate(repo, kind string, items int64) int64 {
	p := newPages(&log{entries: m.peek(repo, kind)}, repo, kind)
	switch {
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

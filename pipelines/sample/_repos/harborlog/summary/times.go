package summary

import "time"

var widths = []time.Duration{
	time.Second, 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute,
	15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour,
}

// ChooseWidth picks the smallest usual bucket width that needs at most `most` buckets.
func ChooseWidth(span time.Duration, most int) time.Duration {
	for _, width := range widths {
		if int64(span/width) < int64(most) {
			return width
		}
	}
	return widths[len(widths)-1]
}

// Buckets counts times in equal steps from the first one on. Times before it are not counted.
func Buckets(times []time.Time, from time.Time, width time.Duration, n int) []int {
	counts := make([]int, n)
	start := from.Truncate(width)
	for _, t := range times {
		if t.Before(start) {
			continue
		}
		if i := int(t.Sub(start) / width); i < n {
			counts[i]++
		}
	}
	return counts
}

// LongestSilence finds the widest gap between neighbours of a sorted list.
func LongestSilence(sorted []time.Time) (start time.Time, gap time.Duration) {
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i].Sub(sorted[i-1]); d > gap {
			start, gap = sorted[i-1], d
		}
	}
	return start, gap
}

// BusiestWindow returns where the most events lie within one window of a sorted list.
func BusiestWindow(sorted []time.Time, window time.Duration) (start time.Time, events int) {
	first := 0
	for last := range sorted {
		for sorted[last].Sub(sorted[first]) >= window {
			first++
		}
		if n := last - first + 1; n > events {
			start, events = sorted[first], n
		}
	}
	return start, events
}

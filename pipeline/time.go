package pipeline

import "time"

// ParseTime reads a time in RFC 3339, or a date, which begins at midnight in UTC.
func ParseTime(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	return time.Parse(time.RFC3339, s)
}

// Package parse turns lines into records.
package parse

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/benchmill-samples/harborlog/record"
)

// LongestLine is the number of bytes after which a line is given up.
const LongestLine = 1 << 20

// A Parser reads one line without its end.
type Parser func(line string) (record.Record, error)

// ByName finds a parser by the name of its format.
func ByName(format string) (Parser, error) {
	switch format {
	case "logfmt":
		return Logfmt, nil
	case "json":
		return JSON, nil
	case "syslog":
		return Syslog, nil
	}
	return nil, fmt.Errorf("unknown format %q: want logfmt, json or syslog", format)
}

// Detect names the format that most of the sample lines look like; logfmt on a tie.
func Detect(sample []string) string {
	votes := map[string]int{}
	for _, line := range sample {
		votes[looksLike(line)]++
	}
	best := "logfmt"
	for _, format := range []string{"json", "syslog"} {
		if votes[format] > votes[best] {
			best = format
		}
	}
	return best
}

func looksLike(line string) string {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return ""
	case line[0] == '{':
		return "json"
	case line[0] == '<':
		return "syslog"
	case strings.Contains(line, "="):
		return "logfmt"
	}
	return ""
}

// Lines calls visit for every line that is not blank, with colours removed and
// numbers starting at 1. It stops at the first error of visit.
func Lines(from io.Reader, visit func(number int, line string) error) error {
	scanner := bufio.NewScanner(from)
	scanner.Buffer(make([]byte, 0, 4096), LongestLine)
	for number := 1; scanner.Scan(); number++ {
		line := StripColours(strings.TrimRight(scanner.Text(), "\r"))
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := visit(number, line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return scanner.Err()
}

// StripColours removes terminal escape sequences of the form ESC [ … letter.
func StripColours(line string) string {
	if !strings.Contains(line, "\x1b[") {
		return line
	}
	var kept strings.Builder
	for {
		before, after, found := strings.Cut(line, "\x1b[")
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		end := strings.IndexFunc(after, isFinalRune)
		if end < 0 {
			return kept.String()
		}
		line = after[end+1:]
	}
}

func isFinalRune(r rune) bool { return r >= '@' && r <= '~' }

var layouts = []string{
	time.RFC3339Nano,
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04:05.999999999",
	"2006/01/02 15:04:05",
	"02/Jan/2006:15:04:05 -0700",
}

// Time reads a time in one of the usual forms, numbers since 1970 included.
// Times without a zone are taken as UTC.
func Time(text string) (time.Time, error) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	if t, ok := fromEpoch(text); ok {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("time %q has no known form", text)
}

// fromEpoch guesses the unit from the size: seconds, milli-, micro- or nanoseconds.
func fromEpoch(text string) (time.Time, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		switch abs := math.Abs(float64(n)); {
		case abs < 1e11:
			return time.Unix(n, 0).UTC(), true
		case abs < 1e14:
			return time.UnixMilli(n).UTC(), true
		case abs < 1e17:
			return time.UnixMicro(n).UTC(), true
		}
		return time.Unix(0, n).UTC(), true
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || math.Abs(seconds) >= 1e11 {
		return time.Time{}, false
	}
	whole, part := math.Modf(seconds)
	return time.Unix(int64(whole), int64(math.Round(part*1e6))*1000).UTC(), true
}

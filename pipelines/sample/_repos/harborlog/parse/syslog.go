package parse

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/benchmill-samples/harborlog/record"
)

// Syslog reads the old form: <34>Oct 11 22:14:15 host tag[pid]: message.
// The stamp has no year; the year 0 stays in it, so that times can still be compared.
func Syslog(line string) (record.Record, error) {
	var r record.Record
	priority, rest, err := cutPriority(line)
	if err != nil {
		return r, err
	}
	level, facility := record.LevelOf(priority)
	if facility == "" {
		return r, fmt.Errorf("syslog: no priority %d", priority)
	}
	r.Level = level
	if r.Time, rest, err = cutStamp(rest); err != nil {
		return r, err
	}
	host, rest, _ := strings.Cut(rest, " ")
	tag, pid, message := cutTag(rest)
	r.Source = tag
	r.Message = message
	r.Set("facility", facility)
	r.Set("host", host)
	if pid != "" {
		r.Set("pid", pid)
	}
	return r, nil
}

func cutPriority(line string) (priority int, rest string, err error) {
	text, rest, found := strings.Cut(line, ">")
	if !found || !strings.HasPrefix(text, "<") {
		return 0, "", fmt.Errorf("syslog: no priority at the start of the line")
	}
	priority, err = strconv.Atoi(text[1:])
	if err != nil {
		return 0, "", fmt.Errorf("syslog: priority: %w", err)
	}
	return priority, rest, nil
}

func cutStamp(line string) (stamp time.Time, rest string, err error) {
	if len(line) <= len(time.Stamp) {
		return stamp, "", fmt.Errorf("syslog: line ends within the time")
	}
	stamp, err = time.Parse(time.Stamp, line[:len(time.Stamp)])
	if err != nil {
		return stamp, "", fmt.Errorf("syslog: %w", err)
	}
	return stamp, strings.TrimLeft(line[len(time.Stamp):], " "), nil
}

// cutTag splits "tag[pid]: message". Without a tag the whole text is the message.
func cutTag(text string) (tag, pid, message string) {
	tag, message, found := strings.Cut(text, ": ")
	if !found || strings.ContainsAny(tag, " \t") {
		return "", "", text
	}
	if open := strings.IndexByte(tag, '['); open > 0 && strings.HasSuffix(tag, "]") {
		pid = tag[open+1 : len(tag)-1]
		tag = tag[:open]
	}
	return tag, pid, message
}

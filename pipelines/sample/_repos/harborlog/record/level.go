package record

import "strings"

// Level is how much a record matters.
type Level int

// Levels, from no news to bad news. The zero level is that of a line which has none.
const (
	Unknown Level = iota
	Debug
	Info
	Warn
	Error
	Fatal
)

var levelNames = [...]string{"unknown", "debug", "info", "warn", "error", "fatal"}

func (l Level) String() string {
	if l < Unknown || l > Fatal {
		return levelNames[Unknown]
	}
	return levelNames[l]
}

// ParseLevel understands names, one-letter forms and syslog's words, in any case.
func ParseLevel(text string) Level {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "debug", "trace", "d", "t":
		return Debug
	case "info", "notice", "i":
		return Info
	case "warn", "warning", "w":
		return Warn
	case "error", "err", "e":
		return Error
	case "fatal", "panic", "crit", "critical", "alert", "emerg", "f":
		return Fatal
	}
	return Unknown
}

// LevelOf looks up a syslog priority, which is eight times the facility plus the severity.
func LevelOf(priority int) (Level, string) {
	if priority < 0 || priority >= len(Priorities) {
		return Unknown, ""
	}
	p := Priorities[priority]
	return p.Level, p.Facility
}

package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxPause is the longest wait a server may ask for.
const MaxPause = 5 * time.Minute

// Status is an answer with a status other than 2xx.
type Status struct {
	Status   int
	Message  string        // the server's words, shortened
	Code     string        // its machine-readable code, "" when it gave none
	Pause    time.Duration // how long it asks to wait, at most [MaxPause]
	Location string        // where a redirect leads
}

func (s *Status) Error() string {
	text := strconv.Itoa(s.Status) + " " + http.StatusText(s.Status)
	if s.Message != "" {
		text += ": " + s.Message
	}
	return strings.TrimSpace(text)
}

// Mentions reports whether the server's words hold one of the given lower-case words.
func (s *Status) Mentions(words ...string) bool {
	text := strings.ToLower(s.Message + " " + s.Code)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// NewStatus is an answer with a status other than 2xx and a body, without headers.
func NewStatus(status int, body []byte) *Status {
	s := &Status{Status: status}
	s.Message, s.Code = errorBody(body)
	return s
}

func (e Endpoint) status(res *http.Response, body []byte) *Status {
	s := NewStatus(res.StatusCode, body)
	s.Pause, s.Location = e.pause(res.Header), res.Header.Get("Location")
	return s
}

// pause reads how long the server asks to wait: milliseconds, seconds, or a date.
func (e Endpoint) pause(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return clampPause(ms / 1000)
	}
	after := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return clampPause(s)
	}
	if at, err := http.ParseTime(after); err == nil {
		return clampPause(at.Sub(e.now()).Seconds())
	}
	return 0
}

func (e Endpoint) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

func clampPause(seconds float64) time.Duration {
	switch {
	case !(seconds > 0): // also not a number
		return 0
	case seconds > MaxPause.Seconds():
		return MaxPause
	}
	return time.Duration(seconds * float64(time.Second))
}

// errorBody finds the words and the code in an error body. Servers that imitate
// the big APIs shape it as they please: {"error": {"message", "code", "type"}},
// {"error": "words"}, {"message": "words"}, {"detail": ...}, or plain text.
func errorBody(body []byte) (message, code string) {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return excerpt(body), ""
	}
	var inner struct {
		Message string `json:"message"`
		Code    any    `json:"code"` // a word, or with some servers a number
		Type    string `json:"type"`
	}
	if json.Unmarshal(shape.Error, &inner) == nil && inner.Message != "" {
		code, _ := inner.Code.(string)
		if code == "" {
			code = inner.Type
		}
		return excerpt([]byte(inner.Message)), code
	}
	var words string
	for _, raw := range []json.RawMessage{shape.Error, shape.Detail} {
		if json.Unmarshal(raw, &words) == nil && words != "" {
			return excerpt([]byte(words)), ""
		}
	}
	if shape.Message != "" {
		return excerpt([]byte(shape.Message)), ""
	}
	return excerpt(body), ""
}

// excerpt makes foreign bytes fit for an error message: one line of valid text,
// at most 300 runes.
func excerpt(b []byte) string {
	const most = 300
	if len(b) > 8*most {
		b = b[:8*most]
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "\uFFFD")), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "..."
}

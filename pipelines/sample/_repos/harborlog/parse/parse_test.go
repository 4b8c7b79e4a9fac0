package parse

import (
	"strings"
	"testing"

	"github.com/benchmill-samples/harborlog/record"
)

func mustParse(t *testing.T, p Parser, line string) record.Record {
	t.Helper()
	r, err := p(line)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return r
}

func TestLogfmtRoundTrip(t *testing.T) {
	line := `time=2024-03-01T10:00:00Z level=warn source=crane message="load \"high\"" tonnes=41 note=""`
	r := mustParse(t, Logfmt, line)
	if got := string(AppendLogfmt(nil, &r)); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
}

func TestFormatsAgree(t *testing.T) {
	fromText := mustParse(t, Logfmt, `ts=1709287200 lvl=W msg=moored ship.name=Ada ship.berth=7`)
	fromJSON := mustParse(t, JSON, `{"ts":1709287200,"lvl":"W","msg":"moored","ship":{"name":"Ada","berth":7}}`)
	record.SortFields(fromText.Fields)
	a, b := string(AppendLogfmt(nil, &fromText)), string(AppendLogfmt(nil, &fromJSON))
	if a != b {
		t.Errorf("logfmt %s\njson   %s", a, b)
	}
}

func TestSyslog(t *testing.T) {
	r := mustParse(t, Syslog, "<34>Oct 11 22:14:15 quay su[42]: failed for root")
	pid, _ := r.Get("pid")
	if r.Level != record.Fatal || r.Source != "su" || pid != "42" || r.Message != "failed for root" {
		t.Errorf("got %+v", r)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		parser Parser
		line   string
	}{
		{Logfmt, `msg="open`}, {Logfmt, `ts=yesterday`}, {JSON, `{"a":1} {}`}, {JSON, `[]`},
		{Syslog, "no priority"}, {Syslog, "<192>Oct 11 22:14:15 quay x"}, {Syslog, "<1>Oct"},
	} {
		if r, err := c.parser(c.line); err == nil {
			t.Errorf("%q gave %+v", c.line, r)
		}
	}
}

func TestDetectAndLines(t *testing.T) {
	var seen []string
	err := Lines(strings.NewReader("\x1b[31ma=1\x1b[0m\r\n\n{\"a\":1}\n{}\n"), func(_ int, line string) error {
		seen = append(seen, line)
		return nil
	})
	if err != nil || len(seen) != 3 || seen[0] != "a=1" {
		t.Fatalf("%q, %v", seen, err)
	}
	if got := Detect(seen); got != "json" {
		t.Errorf("detected %s", got)
	}
}

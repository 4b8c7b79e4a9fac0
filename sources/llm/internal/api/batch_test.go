package api

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"benchmill/pipeline"
)

func TestLines(t *testing.T) {
	stop := errors.New("enough")
	for _, test := range []struct {
		name, text, lines, says string
	}{
		{"plain", "{}\n[1]\n", "{}|[1]", ""},
		{"no line end", "{}\n{}", "{}|{}", ""},
		{"blank lines", "\n\n{}\r\n\n", "{}", ""},
		{"empty", "", "", ""},
		{"cut", "{}\n{\"a\": tr", "{}", "line 2 of the results is not JSON: {\"a\": tr"},
		{"a page", "<html>", "", "line 1"},
		{"stopped", "1\n2\n3\n", "1|2", "enough"},
	} {
		var got []string
		err := Lines(strings.NewReader(test.text), func(line []byte) error {
			got = append(got, string(line))
			if string(line) == "2" {
				return stop
			}
			return nil
		})
		if strings.Join(got, "|") != test.lines || (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
	long := io.MultiReader(strings.NewReader(`{}`+"\n"+`"`), io.LimitReader(zeros{}, maxBody+1))
	if err := Lines(long, func([]byte) error { return nil }); err == nil || !strings.Contains(err.Error(), "line 2 of the results is longer than 32 MiB") {
		t.Errorf("%v", err)
	}
	broken := whole{io.NopCloser(io.MultiReader(strings.NewReader("{}\n{"), iotest.ErrReader(io.ErrUnexpectedEOF)))}
	err := Lines(broken, func([]byte) error { return nil })
	if err = (Endpoint{}).Explain(t.Context(), "m", err); pipeline.ClassOf(err) != pipeline.Transient {
		t.Errorf("%v of class %v", err, pipeline.ClassOf(err))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// Remade errors say and mean the same, and hold nothing of the old.
func TestRemake(t *testing.T) {
	secret := errors.New("secret")
	for _, err := range []error{
		secret, pipeline.Mark(secret, pipeline.Fatal), pipeline.Mark(secret, pipeline.Canceled), pipeline.RetryAfter(secret, 7), Bill(pipeline.Mark(secret, pipeline.Transient)),
	} {
		out := Remake(err, "clean")
		if out.Error() != "clean" || errors.Is(out, secret) || MayBill(out) || pipeline.ClassOf(out) != pipeline.ClassOf(err) || pipeline.PauseOf(out) != pipeline.PauseOf(err) {
			t.Errorf("%v of class %v for one of class %v", out, pipeline.ClassOf(out), pipeline.ClassOf(err))
		}
		if free := Free(err); MayBill(free) || pipeline.ClassOf(free) != pipeline.ClassOf(err) || free.Error() != "secret" {
			t.Errorf("free: %v", free)
		}
	}
}

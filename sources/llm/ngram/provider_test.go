package ngram

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"benchmill/pipeline"
)

func complete(t *testing.T, text string, most int, stop ...string) pipeline.Reply {
	t.Helper()
	r, err := New().Complete(t.Context(), pipeline.Request{
		Provider: Name, Messages: []pipeline.Message{{Role: "user", Text: text}}, MaxTokens: most, Stop: stop,
	})
	if err != nil || r.Origin != pipeline.OriginNgram || r.Provider != Name || r.Model != Model || r.InputTokens+r.OutputTokens+r.CostMicroUSD != 0 {
		t.Errorf("%q: %+v, %v", text, r, err)
	}
	return r
}

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		most         int
		stop         []string
		want, finish string
	}{
		{"what stands there", "a.save(x, y)\nb.load()\na.", 6, nil, "save(x, y", "length"},
		{"the longest end counts", "self.get(k)\nother.put(v)\nother.put(w)\nself.", 1, nil, "get", "length"},
		{"the most frequent", "f(1)\nf(2)\nf(2)\nf(3)\nf(", 1, nil, "2", "length"},
		{"of equals the last", "f(1)\nf(2)\nf(", 1, nil, "2", "length"},
		{"backing off", "p.one = q.two\nr.", 1, nil, "two", "length"},
		{"nothing like it", "alpha beta\ngamma", 9, nil, "", "stop"},
		{"nothing at all", "", 9, nil, "", "stop"},
		{"ends where the text ends", "x y", 9, nil, "", "stop"},
		{"stops", "go(1); stop\ngo(", 9, []string{"", ";", ")"}, "1", "stop"},
		{"stops in the midst", "go(abc); x\ngo(", 9, []string{"bc"}, "a", "stop"},
		{"other letters", "é日本 = größe\né日本 ", 3, nil, "= größe", "length"},
		{"not UTF-8", "\xff\xfe1\n\xff\xfe", 1, nil, "1", "length"},
	} {
		if r := complete(t, c.text, c.most, c.stop...); r.Text != c.want || r.Finish != c.finish {
			t.Errorf("%s: %q, %s; want %q, %s", c.name, r.Text, r.Finish, c.want, c.finish)
		}
	}
}

// A text as long as no file is completed in bounded time, from its end.
func TestLongText(t *testing.T) {
	text := "needle(1)\n" + strings.Repeat("x = y\n", memory) + "needle("
	if r := complete(t, text, 5); r.Text != "" {
		t.Errorf("%q", r.Text)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := New().Complete(ctx, pipeline.Request{Messages: []pipeline.Message{{Role: "user", Text: "x"}}, MaxTokens: 1})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := New().Complete(t.Context(), pipeline.Request{Messages: []pipeline.Message{{Role: "user", Text: "x"}}}); err == nil {
		t.Error("an answer without a bound")
	}
}

func FuzzComplete(f *testing.F) {
	f.Add("a.b(c)\na.", 9, ")")
	f.Add("\xff\t\r\n_1é", 3, "")
	f.Fuzz(func(t *testing.T, text string, most int, stop string) {
		if most < 1 || most > 64 {
			t.Skip()
		}
		if strings.Join(tokens(text), "") != text {
			t.Errorf("tokens of %q are not the text", text)
		}
		r := complete(t, text, most, stop)
		if again := complete(t, text, most, stop); again != r {
			t.Errorf("%+v, then %+v", r, again)
		}
		if stop != "" && strings.Contains(r.Text, stop) || utf8.ValidString(text) && !utf8.ValidString(r.Text) && utf8.ValidString(stop) {
			t.Errorf("%q", r.Text)
		}
	})
}

package fence

import (
	"strings"
	"testing"
)

func TestFirst(t *testing.T) {
	for reply, want := range map[string]string{
		"```\na\n```":                      "a\n",
		"```json\n{\"a\": 1}\n```":         "{\"a\": 1}\n",
		"Words.\n  ```go\nx\n\ny\n  ```\n": "x\n\ny\n",
		"```\na\n```\n```\nb\n```":         "a\n",
		"```\n```":                         "",
	} {
		if got, ok := First(reply); !ok || got != want {
			t.Errorf("%q: %q, %v", reply, got, ok)
		}
	}
	for _, reply := range []string{"", "plain", "`inline`", "```never closed\nx", "a ``` in a line ```"} {
		if got, ok := First(reply); ok {
			t.Errorf("%q: %q", reply, got)
		}
	}
}

func FuzzFirst(f *testing.F) {
	f.Add("```\na\n```")
	f.Fuzz(func(t *testing.T, reply string) {
		inside, ok := First(reply)
		if !strings.Contains(reply, inside) || !ok && inside != "" {
			t.Errorf("%q of %q", inside, reply)
		}
	})
}

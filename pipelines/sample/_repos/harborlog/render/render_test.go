package render

import "testing"

func TestTable(t *testing.T) {
	got := Table([][]string{{"港", "7", "x"}, {"pier", "128", ""}}, 2)
	if want := "港      7  x\npier  128\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{"harbour": "har…ur", "quay": "quay", "港港港港": "港…港"} {
		if got := Shorten(text, 6); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestSparkline(t *testing.T) {
	if got := Sparkline([]int{0, 1, 4, 8}); got != " ▁▄█" {
		t.Errorf("got %q", got)
	}
	if got := Bar(1, 1000, 10); got != "■" {
		t.Errorf("got %q", got)
	}
}

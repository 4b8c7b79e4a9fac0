package linediff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"benchmill/internal/testdeps"
)

func blocks(old, new string) []Block { return Blocks(NewText([]byte(old)), NewText([]byte(new))) }

func TestBlocks(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"empty", "", "", "[]"},
		{"equal", "a\nb\n", "a\nb\n", "[{0 0 2}]"},
		{"equal without a last line feed", "a\nb", "a\nb", "[{0 0 2}]"},
		{"last line feed", "a\nb", "a\nb\n", "[{0 0 1}]"},
		{"carriage return", "a\nb\n", "a\r\nb\n", "[{1 1 1}]"},
		{"from nothing", "", "a\n", "[]"},
		{"insertion", "a\nb\n", "a\nx\nb\n", "[{0 0 1} {1 2 1}]"},
		{"deletion", "a\nx\nb\n", "a\nb\n", "[{0 0 1} {2 1 1}]"},
		{"replacement", "a\nx\nb\n", "a\ny\nz\nb\n", "[{0 0 1} {2 3 1}]"},
		{"one of equal lines", "a\na\n", "a\na\na\n", "[{0 0 2}]"},
		{"indentation moves a block up", "f {\n  a\n}\n\nh {\n  c\n}\n", "f {\n  a\n}\n\ng {\n  b\n}\n\nh {\n  c\n}\n", "[{0 0 4} {4 8 3}]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fmt.Sprint(blocks(test.old, test.new)); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// check holds blocks to what they promise.
func check(t *testing.T, old, new []byte, got []Block) {
	t.Helper()
	a, b := NewText(old), NewText(new)
	i, j := 0, 0
	for k, block := range got {
		if block.Old < i || block.New < j || block.Lines < 1 || k > 0 && block.Old == i && block.New == j {
			t.Fatalf("block %+v after line %d and %d", block, i, j)
		}
		for n := range block.Lines {
			if !bytes.Equal(a.line(block.Old+n), b.line(block.New+n)) {
				t.Fatalf("block %+v: line %d is %q and %q", block, n, a.line(block.Old+n), b.line(block.New+n))
			}
		}
		i, j = block.Old+block.Lines, block.New+block.Lines
	}
	if i > a.Lines() || j > b.Lines() {
		t.Fatalf("%v: beyond %d and %d lines", got, a.Lines(), b.Lines())
	}
	if bytes.Equal(old, new) && len(old) > 0 && (len(got) != 1 || got[0].Lines != a.Lines()) {
		t.Fatalf("%v of equal texts", got)
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte("a\nb\nc"), []byte("a\nc\n"))
	f.Add([]byte(strings.Repeat("a\n", 1000)), []byte(strings.Repeat("a\nb\n", 600)))
	f.Add([]byte(strings.Repeat("\n \x00\n", 300)), []byte(strings.Repeat("\n\r\n", 300)))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		check(t, old, new, Blocks(NewText(old), NewText(new)))
	})
}

// lines writes a text of so many random lines: few words make for many equal ones.
func lines(r *rand.Rand, n, words int) []string {
	out := make([]string, n)
	for i := range out {
		switch r.IntN(6) {
		case 0:
			out[i] = "\n"
		case 1:
			out[i] = strings.Repeat("\t", r.IntN(3)) + "}\n"
		default:
			out[i] = strings.Repeat(" ", 4*r.IntN(4)) + fmt.Sprintf("word %d\n", r.IntN(words))
		}
	}
	return out
}

// edit changes a text at so many places.
func edit(r *rand.Rand, text []string, edits, words int) []string {
	out := append([]string(nil), text...)
	for range edits {
		at := r.IntN(len(out) + 1)
		n := min(r.IntN(8), len(out)-at)
		var with []string
		switch r.IntN(4) {
		case 0: // lines go
		case 1: // a stretch is written twice
			with = append(append(with, out[at:at+n]...), out[at:at+n]...)
		case 2: // one more
			with = append(with, lines(r, 1, words)...)
			n = 0
		default:
			with = lines(r, r.IntN(8), words)
		}
		out = append(out[:at:at], append(with, out[at+n:]...)...)
	}
	return out
}

// TestAsGit compares with the git program on random texts, small and large, with few
// and many equal lines, with few and many changes.
func TestAsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		testdeps.Missing(t, "git", "that lines are found as it finds them")
	}
	dir := t.TempDir()
	tests := 0
	for _, size := range []int{3, 12, 60, 400, 3000} {
		for _, words := range []int{2, 10, 200, 100_000} {
			for _, edits := range []int{1, 5, 40, 700} {
				r := rand.New(rand.NewPCG(uint64(size*words), uint64(edits)))
				old := lines(r, size, words)
				a, b := strings.Join(old, ""), strings.Join(edit(r, old, edits, words), "")
				if r.IntN(4) == 0 {
					a = strings.TrimSuffix(a, "\n")
				}
				if r.IntN(4) == 0 {
					b = strings.TrimSuffix(b, "\n")
				}
				got := blocks(a, b)
				check(t, []byte(a), []byte(b), got)
				if want := byGit(t, git, dir, a, b); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%d lines, %d words, %d edits: %d blocks, git has %d\n%.200v\n%.200v", size, words, edits, len(got), len(want), got, want)
				}
				tests++
			}
		}
	}
	if tests < 80 {
		t.Errorf("only %d texts", tests)
	}
}

func byGit(t *testing.T, git, dir, a, b string) []Block {
	t.Helper()
	for name, text := range map[string]string{"a": a, "b": b} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(git, "diff", "--no-index", "--no-color", "--no-ext-diff", "--text", "-U0", "a", "b")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: they differ
		t.Fatal(err)
	}
	var found []Block
	add := func(i, j, n int) {
		if n > 0 {
			found = append(found, Block{i, j, n})
		}
	}
	i, j := 0, 0
	for line := range strings.Lines(string(out)) {
		head, ok := strings.CutPrefix(line, "@@ -")
		if !ok {
			continue
		}
		oldText, rest, _ := strings.Cut(head, " +")
		newText, _, _ := strings.Cut(rest, " @@")
		oldAt, oldLines := parseRange(t, oldText)
		newAt, newLines := parseRange(t, newText)
		if oldAt-i != newAt-j {
			t.Fatalf("git's %s after %d and %d", line, i, j)
		}
		add(i, j, oldAt-i)
		i, j = oldAt+oldLines, newAt+newLines
	}
	add(i, j, Lines([]byte(a))-i)
	return found
}

// parseRange reads "12,3" or "12": the first line, from 0, and how many. Of none, git
// gives the line before.
func parseRange(t *testing.T, s string) (at, n int) {
	t.Helper()
	n = 1
	if strings.Contains(s, ",") {
		if _, err := fmt.Sscanf(s, "%d,%d", &at, &n); err != nil {
			t.Fatal(err)
		}
	} else if _, err := fmt.Sscanf(s, "%d", &at); err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		at--
	}
	return at, n
}

func BenchmarkBlocks(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	old := lines(r, 7000, 100_000)
	x, y := []byte(strings.Join(old, "")), []byte(strings.Join(edit(r, old, 5, 100_000), ""))
	b.SetBytes(int64(len(x)))
	for b.Loop() {
		Blocks(NewText(x), NewText(y))
	}
}

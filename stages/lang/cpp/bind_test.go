package cpp

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/langtest"
)

func TestBind(t *testing.T) { langtest.Bind(t, Language()) }

// TestBindConcurrently asks for the same files from many goroutines: what a file
// includes is gathered when it is first asked for.
func TestBindConcurrently(t *testing.T) {
	l := Language()
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	var files []lang.SourceFile
	for i := range 20 { // each includes the next, the last one the first
		text := fmt.Sprintf("#include \"f%02d.h\"\nstruct S%d { S%d *next; };\nint f%d(S%d *s) { return s->next->x + S19; }\n", (i+1)%20, i, (i+1)%20, i, (i+1)%20)
		files = append(files, lang.SourceFile{Path: fmt.Sprintf("f%02d.h", i), Text: text})
	}
	bound, failed := l.BindAll(files, treesitter.DefaultLimits)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	resolver := l.Resolver(bound, nil, bind.Compat)
	want := l.Resolver(bound, nil, bind.Compat).Uses("f00.h")
	if len(want) == 0 {
		t.Fatal("no uses")
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, f := range files {
				if got := resolver.Uses(f.Path); f.Path == "f00.h" && !slices.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
			}
		})
	}
	wait.Wait()
}

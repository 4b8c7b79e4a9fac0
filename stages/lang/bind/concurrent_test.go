package bind_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"benchmill/stages/lang/bind"
)

// TestConcurrent: files asked about at the same time, in any order and again, have
// the uses they have alone.
func TestConcurrent(t *testing.T) {
	var files []*bind.File
	var data []byte
	for i := range 600 {
		data = append(data, byte(i*i*7+i*13))
	}
	for i := range 24 {
		files = append(files, random(data[i*10:], fmt.Sprintf("f%d", i)))
	}
	link := linker{project: map[string]bind.Target{"p.n1": {Path: "f1", Decl: 1}, "p.n2": {Path: "f2", Decl: 1}}, globals: map[string]bind.Target{"n3": {Path: "f3", Decl: 2}}}
	for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
		for _, bits := range []uint32{0, 0x5a5a, ^uint32(0)} {
			rules := randomRules(bits, random(data, "library"))
			want, total := map[string][]bind.Use{}, 0
			for _, f := range files {
				want[f.Path] = bind.NewResolver(files, link, rules, mode).Uses(f.Path)
				total += len(want[f.Path])
			}
			if total == 0 {
				t.Errorf("mode %d, rules %x: nothing to compare", mode, bits)
			}
			r := bind.NewResolver(files, link, rules, mode)
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					for i := range files {
						path := files[(i+g*3)%len(files)].Path
						if got := r.Uses(path); !reflect.DeepEqual(got, want[path]) {
							t.Errorf("mode %d, rules %x: %s has %v, alone %v", mode, bits, path, got, want[path])
						}
					}
				})
			}
			wg.Wait()
		}
	}
}

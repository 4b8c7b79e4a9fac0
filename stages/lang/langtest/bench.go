package langtest

import (
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// Bench measures Analyze over all golden and sample files, in bytes per second.
func Bench(b *testing.B, l *lang.Language) {
	bench(b, l, func(file file) error {
		_, err := l.Analyze(file.path, file.src, limits)
		return err
	})
}

// BenchParseOnly measures the parse alone over the same files: what Bench can
// reach at best.
func BenchParseOnly(b *testing.B, l *lang.Language) {
	bench(b, l, func(file file) error {
		return treesitter.ParseOnly(file.src, l.Syntax(file.path).Grammar)
	})
}

func bench(b *testing.B, l *lang.Language, run func(file) error) {
	if err := l.Compile(); err != nil {
		b.Fatal(err)
	}
	files := append(sources(l, readGoldens(b)), samples(b, l)...)
	size := 0
	for _, file := range files {
		size += len(file.src)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, file := range files {
			if err := run(file); err != nil {
				b.Fatal(err)
			}
		}
	}
}

package dedup

import (
	"bufio"
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	"benchmill/internal/minhash/minhashtest"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// BenchmarkNear finds the duplicates of made-up functions whose signatures lie in
// a file. Memory is the largest heap while it runs, as the runtime accounts it,
// with a collector that lets it grow by a quarter. One round is enough:
//
//	go test -run - -bench Near -benchtime 1x -timeout 30m
func BenchmarkNear(b *testing.B) {
	all, signing := signedFile(b, 1_000_000)
	b.Logf("%d functions made up and signed in %s", all.n, signing.Round(time.Second))
	for _, memory := range []int64{64, 256} {
		for _, n := range []int{250_000, 1_000_000} {
			b.Run(fmt.Sprintf("%dMB/%d", memory, n), func(b *testing.B) {
				in := &fileInput{path: all.path, n: n}
				c := Near().NewConfig().(*NearConfig)
				c.Memory = memory
				runtime.GC()
				defer debug.SetGCPercent(debug.SetGCPercent(25))
				for b.Loop() {
					out := &counter{}
					stop := peak()
					p := &pipeline.Pass{
						Stage: Near(), Config: c, Seed: pipeline.Seed{Pipeline: 1}, Drops: out,
						Inputs: map[string]pipeline.Input{"signatures": in}, Outputs: map[string]pipeline.Output{"verdicts": out},
					}
					in.reads = 0
					if err := near(b.Context(), p); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(stop())/(1<<20), "MB-peak")
					b.ReportMetric(float64(in.reads), "reads")
					b.ReportMetric(float64(out.duplicates), "duplicates")
				}
			})
		}
	}
}

// counter takes rows and keeps none.
type counter struct {
	mu         sync.Mutex
	duplicates int
}

func (c *counter) Write(rows any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, v := range rows.([]schemas.TextVerdict) {
		if v.DuplicateOf != "" {
			c.duplicates++
		}
	}
	return nil
}

func (c *counter) Drop(string, string, string, string) {}
func (c *counter) Note(string, int64)                  {}

// fileInput reads the first n rows of a file, a thousand at a time.
type fileInput struct {
	path  string
	n     int
	reads int
}

const batch = 1000

func (f *fileInput) Rows() int64 { return int64(f.n) }

func (f *fileInput) Batches(_ context.Context, yield func(rows any) error) error {
	f.reads++
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	d := gob.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	for range f.n / batch {
		var rows []schemas.TextSignature
		if err := d.Decode(&rows); err != nil {
			return err
		}
		if err := yield(rows); err != nil {
			return err
		}
	}
	return nil
}

// signedFile signs n functions into a file; the time is that of making them up,
// signing them and writing, on one processor.
func signedFile(b *testing.B, n int) (*fileInput, time.Duration) {
	b.Helper()
	start := time.Now()
	in := &fileInput{path: filepath.Join(b.TempDir(), "signatures"), n: n}
	file, err := os.Create(in.path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	e := gob.NewEncoder(w)
	var rows []schemas.TextSignature
	out := collect(func(batch any) error {
		rows = append(rows, batch.([]schemas.TextSignature)...)
		return nil
	})
	for at := 0; at < n; at += batch {
		texts := make([]schemas.Text, batch)
		for i := range texts {
			texts[i] = schemas.Text{ID: fmt.Sprintf("owner/name:path/of/file.go:%09d", at+i), Text: minhashtest.Function(1, at+i)}
		}
		rows = rows[:0]
		p := &pipeline.Pass{
			Stage: Signatures(), Config: Signatures().NewConfig(), Seed: pipeline.Seed{Pipeline: 1}, Partition: "owner/name@commit",
			Inputs: map[string]pipeline.Input{"texts": slice{texts}}, Outputs: map[string]pipeline.Output{"signatures": out},
		}
		if err := signatures(b.Context(), p); err != nil {
			b.Fatal(err)
		}
		if err := e.Encode(rows); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return in, time.Since(start)
}

type collect func(rows any) error

func (c collect) Write(rows any) error { return c(rows) }

type slice struct{ rows any }

func (s slice) Rows() int64 { return int64(reflect.ValueOf(s.rows).Len()) }

func (s slice) Batches(_ context.Context, yield func(rows any) error) error { return yield(s.rows) }

// peak watches the heap until the returned function is called, which says how many
// bytes were in use at most.
func peak() (stop func() uint64) {
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
		most := uint64(0)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64()+sample[1].Value.Uint64())
			select {
			case <-done:
				result <- most
				return
			case <-tick.C:
			}
		}
	}()
	return func() uint64 { close(done); return <-result }
}

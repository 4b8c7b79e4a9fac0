package mirror

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"benchmill/sources/github/api"
	"benchmill/sources/github/githubtest"
)

// peakOf is the most memory, in bytes, that live objects and garbage not yet
// collected took while something was done, less what was there before.
func peakOf(do func()) float64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() float64 { metrics.Read(sample); return float64(sample[0].Value.Uint64()) }
	before, peak := read(), 0.0
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			peak = max(peak, read())
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	do()
	close(stop)
	<-stopped
	return peak - before
}

// BenchmarkCollect collects issues and details of 50 repositories of 400 issues
// from a fake server in this process, then refreshes them. Memory is that of the
// server's renderings as well.
func BenchmarkCollect(b *testing.B) {
	const repositories, issues, together = 50, 400, 8
	for b.Loop() {
		b.StopTimer()
		h := newHub(b, githubtest.Generate(1, repositories, issues), perPage)
		b.StartTimer()
		collect := func(name string) {
			h.ResetLog()
			asOf := h.later(time.Hour)
			start := time.Now()
			peak := peakOf(func() {
				var group sync.WaitGroup
				slots := make(chan struct{}, together)
				for _, r := range h.world.Repositories() {
					slots <- struct{}{}
					group.Go(func() {
						defer func() { <-slots }()
						m := &Mirror{Dir: h.mirror.Dir, Base: h.mirror.Base, API: h.client}
						if err := m.Issues(b.Context(), r.FullName(), asOf, io.Discard); err != nil {
							b.Error(err)
						}
						if err := m.Details(b.Context(), r.FullName(), asOf, io.Discard); err != nil {
							b.Error(err)
						}
					})
				}
				group.Wait()
			})
			counts := h.Counts()
			b.ReportMetric(time.Since(start).Seconds(), name+"-s")
			b.ReportMetric(float64(counts.Requests-counts.NotModified), name+"-requests")
			b.ReportMetric(float64(counts.NotModified), name+"-304s")
			b.ReportMetric(peak/1e6, name+"-peak-MB")
		}
		collect("first")
		collect("nothing-new")
		for _, r := range h.world.Repositories() {
			for k := range issues / 100 {
				h.world.AddComment(r.Issues[k*90], &githubtest.Comment{Body: "more", Author: h.world.User("ann"), Created: h.later(time.Second)})
			}
		}
		collect("1%-new")
	}
}

// large answers for a repository of so many issues with five comments each.
type large struct{ issues, body int }

func (l large) Get(_ context.Context, address string, _ api.Known) (*api.Answer, error) {
	page := 0
	fmt.Sscanf(address[strings.LastIndex(address, "&")+1:], "page=%d", &page)
	total, render := l.issues, func(n int) string {
		return fmt.Sprintf(`{"number":%d,"title":"an issue","comments":5,"user":{"login":"user%d","type":"User"},"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-01T00:00:00Z","body":%q}`,
			n+1, n%5000, strings.Repeat(fmt.Sprint(n), l.body/5))
	}
	if strings.Contains(address, "/comments") {
		total, render = 5*l.issues, func(n int) string {
			return fmt.Sprintf(`{"id":%d,"issue_url":"https://api/repos/o/n/issues/%d","user":{"login":"user%d","type":"User"},"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-01T00:00:00Z","body":%q}`,
				n+1, n/5+1, n%5000, strings.Repeat(fmt.Sprint(n), l.body/10))
		}
	}
	var body bytes.Buffer
	for n := page * perPage; n < min((page+1)*perPage, total); n++ {
		body.WriteString(map[bool]string{true: "[", false: ","}[n == page*perPage] + render(n))
	}
	body.WriteString("]")
	a := &api.Answer{Body: body.Bytes(), ETag: "x", Date: day(100_000)}
	if (page+1)*perPage < total {
		a.Next = fmt.Sprintf("%s&page=%d", strings.Split(address, "&page=")[0], page+1)
	}
	return a, nil
}

func (l large) Query(context.Context, string, map[string]any, any) error { panic("not asked") }

// BenchmarkDerive writes the collection of a mirror of 20,000 issues and 100,000
// comments that is up to date.
func BenchmarkDerive(b *testing.B) {
	m := &Mirror{Dir: b.TempDir(), API: large{20_000, 2500}, Base: "x"}
	if err := m.Issues(b.Context(), repo, day(0), io.Discard); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		peak := peakOf(func() {
			if err := m.Issues(b.Context(), repo, day(0), io.Discard); err != nil {
				b.Fatal(err)
			}
		})
		b.ReportMetric(peak/1e6, "peak-MB")
	}
}

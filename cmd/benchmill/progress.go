package main

import (
	"fmt"
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"benchmill/pipeline/executor"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/planner"
)

// progress shows a run as it goes: bars on a terminal, plain lines elsewhere.
// Its methods are called by one goroutine.
type progress struct {
	w        io.Writer
	quiet    bool
	frontier *planner.Frontier
	bars     *mpb.Progress // nil: plain lines
	nodes    map[string]*nodeProgress
	last     time.Time
	asked    func() int64 // requests to APIs so far
	done     chan struct{}
}

type nodeProgress struct {
	bar                         *mpb.Bar
	total, ran, reused, trouble int
}

func newProgress(s *streams, quiet bool, asked func() int64) *progress {
	p := &progress{w: s.err, quiet: quiet, asked: asked, done: make(chan struct{})}
	switch {
	case quiet:
	case s.terminal:
		p.bars = mpb.New(mpb.WithOutput(s.err), mpb.WithWidth(40))
	default:
		go p.tellRequests()
	}
	return p
}

// tellRequests says now and then that a long collection is alive: one repository
// can take many minutes.
func (p *progress) tellRequests() {
	tick := time.NewTicker(30 * time.Second)
	defer tick.Stop()
	var told int64
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
			if n := p.asked(); n > told {
				told = n
				fmt.Fprintf(p.w, "%d requests so far\n", n)
			}
		}
	}
}

// searchProgress shows how far a search is: on a terminal in place, elsewhere a
// line now and then.
func searchProgress(s *streams) func(found, total int64) {
	last := time.Now()
	return func(found, total int64) {
		pause, end := 10*time.Second, "\n"
		if s.terminal {
			pause, end = 100*time.Millisecond, "\r"
		}
		if time.Since(last) < pause && (found < total || !s.terminal) {
			return
		}
		last = time.Now()
		if found >= total {
			end = "\n"
		}
		fmt.Fprintf(s.err, "searching: %d of %d repositories found%s", found, total, end)
	}
}

// begin starts to follow a frontier, the first one or the next.
func (p *progress) begin(f *planner.Frontier) {
	p.abort()
	p.frontier, p.nodes = f, map[string]*nodeProgress{}
	for _, n := range f.Nodes() {
		p.nodes[n.Name] = &nodeProgress{}
	}
}

// bar makes a node's bar when it first has work, so that an up-to-date pipeline
// shows none.
func (p *progress) bar(node *graph.Node, n *nodeProgress) {
	name, asks := node.Name, node.Stage.Fetches != nil
	if n.bar != nil || p.bars == nil {
		return
	}
	n.bar = p.bars.AddBar(int64(n.total),
		mpb.PrependDecorators(decor.Name(name, decor.WC{W: 16, C: decor.DindentRight}), decor.CountersNoUnit("%d/%d")),
		mpb.AppendDecorators(
			decor.AverageSpeed(0, "%.1f/s", decor.WCSyncSpace), decor.Name(" left "), decor.AverageETA(decor.ET_STYLE_GO),
			decor.Any(func(decor.Statistics) string {
				text := ""
				if asks {
					text = fmt.Sprintf("  %d requests", p.asked())
				}
				if n.trouble > 0 {
					text += fmt.Sprintf("  %d quarantined", n.trouble)
				}
				return text
			}),
		))
}

func (p *progress) observe(e executor.Event) {
	if p.quiet {
		return
	}
	name := e.Cell.Node.Name
	n := p.nodes[name]
	cells, _ := p.frontier.Cells(e.Cell.Node)
	n.total = len(cells)
	switch e.Kind {
	case executor.Reused:
		n.reused++
	case executor.Started:
		p.bar(e.Cell.Node, n)
	case executor.Finished:
		n.ran++
	case executor.Quarantined:
		n.trouble++
		p.say("quarantined %s: %v", e.Cell.Label(), e.Err)
	case executor.Retrying:
		p.say("trying again %s: %v", e.Cell.Label(), e.Err)
	case executor.Rebuilding:
		p.say("building again %s: %v", e.Cell.Label(), e.Err)
	}
	if n.bar != nil {
		n.bar.SetTotal(int64(n.total), false)
		n.bar.SetCurrent(int64(n.ran + n.reused + n.trouble))
	}
	// Plain lines: one for each node that is through, and now and then between.
	through := n.ran+n.reused+n.trouble == n.total
	if p.bars == nil && e.Kind == executor.Finished && (through || time.Since(p.last) > 10*time.Second) {
		p.last = time.Now()
		fmt.Fprintf(p.w, "%s: %d of %d done, %d reused, %d quarantined\n", name, n.ran+n.reused, n.total, n.reused, n.trouble)
	}
}

func (p *progress) say(format string, args ...any) {
	var w io.Writer = p.w
	if p.bars != nil {
		w = p.bars
	}
	fmt.Fprintf(w, format+"\n", args...)
}

func (p *progress) stop() {
	close(p.done)
	if p.bars == nil {
		return
	}
	p.abort()
	p.bars.Wait()
}

// abort ends the bars that did not get to their end: stop waits for all.
func (p *progress) abort() {
	for _, n := range p.nodes {
		if n.bar != nil {
			n.bar.Abort(false)
		}
	}
}

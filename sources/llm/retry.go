package llm

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
)

// Retry asks again after a transient error, at most Tries times in all, and then
// returns the last error. The pause doubles from First up to Longest, with a
// spread that differs from request to request; a server that asks for a longer
// pause gets it.
type Retry struct {
	Next           Provider
	Tries          int // below 2: one try
	First, Longest time.Duration
	Clock          clock.Clock
	Log            *slog.Logger // told of every pause; nil: silent
}

// Complete implements [Provider].
func (r *Retry) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	for try := 1; ; try++ {
		reply, err := r.Next.Complete(ctx, req)
		if err == nil || pipeline.ClassOf(err) != pipeline.Transient {
			return reply, err
		}
		if try >= r.Tries {
			if try > 1 {
				err = fmt.Errorf("gave up after %d tries: %w", try, err)
			}
			return pipeline.Reply{}, err
		}
		pause := r.pause(req, try, pipeline.PauseOf(err))
		if r.Log != nil {
			r.Log.Warn("model call failed, trying again", "model", req.Model, "try", try, "pause", pause.Round(time.Millisecond), "error", err)
		}
		if err := r.Clock.Sleep(ctx, pause); err != nil {
			return pipeline.Reply{}, err
		}
	}
}

// pause is how long to wait after a failed try: half of it fixed, up to half of
// it spread, so that requests that failed together do not come back together.
func (r *Retry) pause(req pipeline.Request, try int, asked time.Duration) time.Duration {
	d := r.Longest
	if shift := try - 1; shift < 30 && r.First<<shift < r.Longest {
		d = r.First << shift
	}
	s := spread(req, try)
	d = d/2 + time.Duration(s*float64(d/2))
	if d < asked {
		d = asked + time.Duration(s*float64(r.First))
	}
	return d
}

// spread is a number in [0, 1) made from the request and the try: as good as a
// random one for spreading, and the same in every run.
func spread(req pipeline.Request, try int) float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s\x00", try, req.Model)
	for _, m := range req.Messages {
		io.WriteString(h, m.Text)
	}
	x := h.Sum64()
	x ^= x >> 33 // the high bits of FNV alone are poor
	x *= 0xff51afd7ed558ccd
	return float64(x>>11) / (1 << 53)
}

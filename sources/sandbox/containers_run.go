package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"benchmill/pipeline"
)

// Run implements [Engine].
func (c *Containers) Run(ctx context.Context, s Spec) (pipeline.Outcome, error) {
	if s.Image == "" {
		return pipeline.Outcome{}, errNoImage
	}
	c.sweep.Do(func() { c.removeOld(ctx) })
	i, err := c.image(ctx, s.Image)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	var made struct {
		ID string `json:"Id"`
	}
	if err := c.docker.call(ctx, http.MethodPost, "/containers/create", nil, containerOf(s, i), &made); err != nil {
		return pipeline.Outcome{}, err
	}
	if made.ID == "" || strings.ContainsAny(made.ID, "/?# ") {
		return pipeline.Outcome{}, fmt.Errorf("container engine at %s: made a container without a name: %.100q", c.docker.where, made.ID)
	}
	defer func() { // also when ctx has ended
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		_ = c.remove(ctx, made.ID)
	}()
	return (&containerRun{docker: c.docker, id: made.ID, spec: s}).run(ctx)
}

// containerRun is a program that is running in a container.
type containerRun struct {
	docker *docker
	id     string
	spec   Spec

	mu   sync.Mutex
	used pipeline.Usage
	oom  bool
}

// ended is what the engine says of a container that ended.
type ended struct {
	StatusCode int
	Error      *struct{ Message string }
}

func (r *containerRun) run(ctx context.Context) (pipeline.Outcome, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	full := make(chan struct{}, 2)
	stdout, stderr := &capped{limit: r.spec.Limits.Output, full: full}, &capped{limit: r.spec.Limits.Output, full: full}
	// All who listen do so before it starts, so that they miss nothing.
	conn, err := r.docker.attach(within, r.id)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	defer conn.Close()
	events, err := r.listen(within)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	defer events.Close()
	wait, err := r.docker.send(within, http.MethodPost, "/containers/"+r.id+"/wait", url.Values{"condition": {"next-exit"}}, nil, nil)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	defer wait.Body.Close()
	var background sync.WaitGroup
	defer func() { cancel(); conn.Close(); background.Wait() }()
	said, exits, died := make(chan error, 1), make(chan error, 1), make(chan struct{})
	var end ended
	background.Go(func() { said <- demultiplex(conn, stdout, stderr) })
	background.Go(func() {
		err := values(wait.Body, func(e ended) bool { end = e; return false })
		if err != nil {
			err = pipeline.Mark(fmt.Errorf("container engine at %s: waiting for a container: %w", r.docker.where, err), pipeline.Transient)
		}
		exits <- err
	})
	background.Go(func() { r.note(events, died) })
	if err := r.docker.call(within, http.MethodPost, "/containers/"+r.id+"/start", nil, nil, nil); err != nil {
		return pipeline.Outcome{}, err
	}
	begun := time.Now()
	background.Go(func() { r.stats(within) })
	stopped, err := r.watch(within, full, exits)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	if end.Error != nil && end.Error.Message != "" {
		return pipeline.Outcome{}, fmt.Errorf("container engine at %s: %s", r.docker.where, end.Error.Message)
	}
	if err := r.settle(ctx, said, died); err != nil {
		return pipeline.Outcome{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if stdout.over || stderr.over {
		stopped = cmp.Or(stopped, pipeline.StoppedOutput)
	}
	if r.oom {
		stopped = cmp.Or(stopped, pipeline.StoppedMemory)
	}
	used := r.used
	used.Time = time.Since(begun)
	out := pipeline.Outcome{Exit: end.StatusCode, Stdout: string(stdout.data), Stderr: string(stderr.data), Used: &used}
	if stopped != "" {
		out = stop(out, stopped)
	}
	return out, nil
}

// watch waits for the end of a container, and ends it where a limit is struck, whose
// name it returns.
func (r *containerRun) watch(ctx context.Context, full <-chan struct{}, exits <-chan error) (stopped string, err error) {
	tick, limit := time.NewTicker(look), time.NewTimer(r.spec.Limits.Time)
	defer tick.Stop()
	defer limit.Stop()
	for {
		reason := ""
		select {
		case err := <-exits:
			return stopped, err
		case <-ctx.Done():
			return "", ctx.Err() // the container is removed, and with it what runs in it
		case <-full:
			reason = pipeline.StoppedOutput
		case <-limit.C:
			reason = pipeline.StoppedTime
		case <-tick.C:
			if r.spec.space.look(0) {
				reason = pipeline.StoppedDisk
			}
		}
		if reason == "" || stopped != "" {
			continue
		}
		stopped = reason
		err := r.docker.call(ctx, http.MethodPost, "/containers/"+r.id+"/kill", url.Values{"signal": {"SIGKILL"}}, nil, nil)
		if err != nil && !refused(err, http.StatusConflict) && !refused(err, http.StatusNotFound) { // it has just ended
			return "", err
		}
	}
}

// settle waits for the rest of the outputs, and for the engine to have told why the
// container died.
func (r *containerRun) settle(ctx context.Context, said <-chan error, died <-chan struct{}) error {
	patience := time.NewTimer(10 * time.Second)
	defer patience.Stop()
	select {
	case err := <-said:
		if err != nil {
			return pipeline.Mark(fmt.Errorf("container engine at %s: outputs of a container: %w", r.docker.where, err), pipeline.Transient)
		}
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
		return pipeline.Mark(fmt.Errorf("container engine at %s: the outputs of a container that ended do not", r.docker.where), pipeline.Transient)
	}
	select {
	case <-died:
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
	}
	return nil
}

// listen opens the events of the container.
func (r *containerRun) listen(ctx context.Context) (io.ReadCloser, error) {
	filters, err := json.Marshal(map[string][]string{"container": {r.id}, "type": {"container"}, "event": {"oom", "die"}})
	if err != nil {
		return nil, err
	}
	resp, err := r.docker.send(ctx, http.MethodGet, "/events", url.Values{"filters": {string(filters)}}, nil, nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// note notes whether the container ran out of memory, up to its death.
func (r *containerRun) note(events io.ReadCloser, died chan<- struct{}) {
	defer close(died)
	_ = values(events, func(e struct{ Action string }) bool {
		if e.Action == "oom" {
			r.mu.Lock()
			r.oom = true
			r.mu.Unlock()
		}
		return e.Action != "die"
	})
}

// stats notes what the container uses, as often as the engine says.
func (r *containerRun) stats(ctx context.Context) {
	type usage struct {
		Memory struct {
			Usage int64 `json:"usage"`
			Stats struct {
				Inactive int64 `json:"inactive_file"`
			} `json:"stats"`
		} `json:"memory_stats"`
		CPU struct {
			Usage struct {
				Total int64 `json:"total_usage"` // nanoseconds
			} `json:"cpu_usage"`
		} `json:"cpu_stats"`
	}
	resp, err := r.docker.send(ctx, http.MethodGet, "/containers/"+r.id+"/stats", url.Values{"stream": {"1"}}, nil, nil)
	if err != nil {
		return // what was seen is what there is to say
	}
	_ = values(resp.Body, func(u usage) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.used.Memory = max(r.used.Memory, u.Memory.Usage-u.Memory.Stats.Inactive)
		r.used.CPU = max(r.used.CPU, time.Duration(u.CPU.Usage.Total))
		return true
	})
}

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"benchmill/pipeline"
)

// supervise runs the command of an engine, whose only child is the first process
// of a namespace: with that process everything in the namespace ends.
func supervise(ctx context.Context, argv []string, s Spec) (pipeline.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return pipeline.Outcome{}, err
	}
	full := make(chan struct{}, 2)
	stdout, stderr := &capped{limit: s.Limits.Output, full: full}, &capped{limit: s.Limits.Output, full: full}
	argv = s.volume.enter(argv)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = s.environment(), stdout, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	group := openGroup(s.Limits)
	defer group.close()
	group.join(cmd.SysProcAttr)
	begun := time.Now()
	// The command is ended with the thread that started it: it must outlive it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	report, signal, err := startTalking(cmd)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	defer report.Close()
	defer signal.Close()
	reported, ended := hears(report, ready), make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick, limit := time.NewTicker(look), time.NewTimer(s.Limits.Time)
	defer tick.Stop()
	defer limit.Stop()
	var (
		job      *namespace // once the program's world stands
		stopped  string     // why it is being ended: the first reason counts
		failed   error
		canceled = ctx.Done()
		used     pipeline.Usage
	)
	see := func() { // what is over, and what was used so far
		if job == nil {
			return
		}
		now := job.look()
		used.Memory, used.CPU = max(used.Memory, now.memory), max(used.CPU, now.cpu)
		if now.memory > s.Limits.Memory {
			stopped = cmp.Or(stopped, pipeline.StoppedMemory)
		}
		if s.space.look(now.unlinked) {
			stopped = cmp.Or(stopped, pipeline.StoppedDisk)
		}
	}
	for {
		select {
		case up := <-reported:
			if up && stopped == "" {
				if job, failed = openNamespace(cmd.Process.Pid); failed == nil {
					defer job.close()
					_, failed = io.WriteString(signal, "\n")
				}
			}
		case <-full:
			stopped = cmp.Or(stopped, pipeline.StoppedOutput)
		case <-limit.C:
			see() // once more: with those that are killed, what they took is forgotten
			stopped = cmp.Or(stopped, pipeline.StoppedTime)
		case <-canceled:
			stopped, canceled = cmp.Or(stopped, stoppedCanceled), nil
		case <-tick.C:
			see()
		case err := <-ended:
			if job != nil {
				job.wait()
			}
			if stdout.over || stderr.over {
				stopped = cmp.Or(stopped, pipeline.StoppedOutput) // though it ended by itself meanwhile
			}
			used.Time = time.Since(begun)
			if p := cmd.ProcessState; p != nil {
				used.CPU = max(used.CPU, p.UserTime()+p.SystemTime())
				if used.Memory == 0 { // too short to be seen: the largest process, then
					used.Memory = p.SysUsage().(*syscall.Rusage).Maxrss << 10
				}
			}
			if group.measure(&used) {
				stopped = cmp.Or(stopped, pipeline.StoppedMemory)
			}
			out := pipeline.Outcome{Stdout: string(stdout.data), Stderr: string(stderr.data), Used: &used}
			if failed != nil {
				return pipeline.Outcome{}, failed
			}
			return finish(ctx, out, stopped, job != nil, err)
		}
		switch {
		case stopped == "" && failed == nil:
		case job != nil:
			job.end()
		default:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
}

// hears tells whether a text is what is read first.
func hears(r io.Reader, text string) <-chan bool {
	out := make(chan bool, 1)
	go func() {
		said := make([]byte, len(text))
		_, err := io.ReadFull(r, said)
		out <- err == nil && string(said) == text
	}()
	return out
}

// startTalking starts a command with two pipes as its descriptors 3 and 4: it
// writes to report and reads from signal.
func startTalking(cmd *exec.Cmd) (report, signal *os.File, err error) {
	report, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer w.Close()
	r, signal, err := os.Pipe()
	if err != nil {
		report.Close()
		return nil, nil, err
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w, r}
	if err := cmd.Start(); err != nil {
		report.Close()
		signal.Close()
		return nil, nil, err
	}
	return report, signal, nil
}

// stoppedCanceled is the reason that is none of a limit.
const stoppedCanceled = "canceled"

// finish makes what Wait said into what the program came to.
func finish(ctx context.Context, out pipeline.Outcome, stopped string, up bool, err error) (pipeline.Outcome, error) {
	var exit *exec.ExitError
	switch {
	case stopped == stoppedCanceled:
		return pipeline.Outcome{}, ctx.Err()
	case stopped != "":
		out.Exit, out.Stopped = -1, stopped
		return out, nil
	case err != nil && !errors.As(err, &exit):
		return pipeline.Outcome{}, err
	case !up:
		return pipeline.Outcome{}, fmt.Errorf("could not be set up: %s", strings.TrimSpace(out.Stderr))
	case err == nil:
		return out, nil
	}
	if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
		out.Exit = 128 + int(status.Signal()) // as the shells have it
	} else {
		out.Exit = status.ExitStatus()
	}
	return out, nil
}

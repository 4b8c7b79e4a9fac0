package pipeline

import (
	"context"
	"time"
)

// Job is a program to run on files, apart from the network and from everything
// else on the machine. Its digest, with that of its files, is the key of the
// outcome in the ledger.
type Job struct {
	// Tool is a pin of scheme "tool": which program, at which version.
	Tool Pin `json:"tool"`
	// Args follow the program's name. The working directory is an empty folder
	// with just Files in it, which the program may write to and which is removed.
	Args   []string  `json:"args"`
	Files  []JobFile `json:"files"`
	Limits Limits    `json:"limits"`
}

// JobFile is a file of a job's folder. Path is relative and stays inside.
type JobFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Limits bound a job. All must be set.
type Limits struct {
	Time      time.Duration `json:"time"`      // on the clock
	Memory    int64         `json:"memory"`    // bytes, of all its processes
	Disk      int64         `json:"disk"`      // bytes it may write to one file
	Output    int64         `json:"output"`    // bytes of standard output and error each
	Processes int64         `json:"processes"` // at once
}

// Reasons a job was stopped, as [Outcome.Stopped] has them.
const (
	StoppedTime   = "time"
	StoppedMemory = "memory"
	StoppedOutput = "output"
)

// Outcome is what a job came to. A program that fails or is stopped by its
// limits has an outcome; a sandbox that cannot be had is an error.
type Outcome struct {
	Exit    int    `json:"exit"`
	Stdout  string `json:"stdout"`
	Stderr  string `json:"stderr"`
	Stopped string `json:"stopped,omitempty"` // "" or which limit stopped it
}

// Sandbox runs jobs. Every outcome is answered from the ledger when that holds
// the job, and recorded there when it does not. Implementations are safe for
// concurrent use.
type Sandbox interface {
	// Execute runs a job. what names who asks, in errors and records.
	Execute(ctx context.Context, what string, job Job) (Outcome, error)
}

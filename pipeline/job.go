package pipeline

import (
	"context"
	"encoding/json"
	"time"
	"unicode/utf8"
)

// Job is a program to run on files, apart from the network and from everything
// else on the machine. Its digest, with that of its files, is the key of the
// outcome in the ledger.
type Job struct {
	// Tool is a pin of scheme "tool" (which program, at which version) or "runtime"
	// (which programs, of this machine or of a container image).
	Tool Pin `json:"tool"`
	// Args follow the program's name. The working directory is a folder with just
	// Files in it, which the program may write to and which is removed. A runtime has
	// Steps instead.
	Args  []string  `json:"args"`
	Files []JobFile `json:"files"`
	// Steps are scripts, run one after the other in the same folder, up to the first
	// that does not end with 0.
	Steps []JobStep `json:"steps,omitempty" hash:"omitempty"`
	// Keep names files to hand back in [Outcome.Files] once the last step has ended
	// with 0: patterns of [path.Match] for paths, in which "**" stands for any folders.
	Keep   []string `json:"keep,omitempty" hash:"omitempty"`
	Limits Limits   `json:"limits"`
}

// JobFile is a file of a job's folder. Path is relative and stays inside.
type JobFile struct {
	Path string `json:"path"`
	Text string `json:"text"` // bytes of any kind
	// Executable files may be run.
	Executable bool `json:"executable,omitempty" hash:"omitempty"`
	// Link, if not "", makes it a symbolic link, which may point anywhere inside.
	Link string `json:"link,omitempty" hash:"omitempty"`
}

// encodedFile is a file whose text no JSON string can hold.
type encodedFile struct {
	Path       string `json:"path"`
	Base64     []byte `json:"base64"`
	Executable bool   `json:"executable,omitempty"`
	Link       string `json:"link,omitempty"`
}

// MarshalJSON implements [json.Marshaler]. A text that is not UTF-8 is there as
// "base64" instead of "text", so that no byte is lost.
func (f JobFile) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(f.Text) {
		return json.Marshal(encodedFile{f.Path, []byte(f.Text), f.Executable, f.Link})
	}
	type plain JobFile
	return json.Marshal(plain(f))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (f *JobFile) UnmarshalJSON(data []byte) error {
	type plain JobFile
	var read struct {
		plain
		Base64 []byte `json:"base64"`
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*f = JobFile(read.plain)
	if read.Base64 != nil {
		f.Text = string(read.Base64)
	}
	return nil
}

// JobStep is a script for /bin/sh, which ends at the first command that fails.
type JobStep struct {
	Name   string    `json:"name"`  // "build", as outcomes and errors have it
	Files  []JobFile `json:"files"` // put in place before it, over what is there
	Script string    `json:"script"`
	// Shared says that many jobs begin with the same files and steps up to this one:
	// the folder as it is then may be copied for the next job, where that one would
	// make the same. It decides nothing else.
	Shared bool `json:"shared,omitempty" hash:"omitempty"`
}

// Limits bound a job. All but Total must be set.
type Limits struct {
	Time      time.Duration `json:"time"`      // on the clock
	Memory    int64         `json:"memory"`    // bytes, of all its processes
	Disk      int64         `json:"disk"`      // bytes it may write to one file
	Output    int64         `json:"output"`    // bytes of standard output and error each
	Processes int64         `json:"processes"` // at once
	// Total is how many bytes all its files may have, its own and those it makes; 0: no
	// bound.
	Total int64 `json:"total,omitempty" hash:"omitempty"`
}

// Reasons a job was stopped, as [Outcome.Stopped] has them.
const (
	StoppedTime   = "time"
	StoppedMemory = "memory"
	StoppedOutput = "output"
	StoppedDisk   = "disk"
)

// Outcome is what a job came to. A program that fails or is stopped by its
// limits has an outcome; a sandbox that cannot be had is an error.
type Outcome struct {
	Exit    int    `json:"exit"`
	Stdout  string `json:"stdout"` // of the last step that ran
	Stderr  string `json:"stderr"`
	Stopped string `json:"stopped,omitempty"` // "" or which limit stopped it
	Step    string `json:"step,omitempty"`    // the last step that ran
	// Files are those the job is to hand back, ascending by path.
	Files []JobFile `json:"files,omitempty"`
	// Used is what it took. It differs from run to run: no row may have it.
	Used *Usage `json:"used,omitempty"`
}

// Usage is what a job took of the machine.
type Usage struct {
	Time   time.Duration `json:"time"`   // on the clock
	CPU    time.Duration `json:"cpu"`    // of all its processes
	Memory int64         `json:"memory"` // most bytes at once, as far as they were seen
	Disk   int64         `json:"disk"`   // most bytes of its files, as far as they were seen
}

// Sandbox runs jobs. Every outcome is answered from the ledger when that holds
// the job, and recorded there when it does not. Implementations are safe for
// concurrent use.
type Sandbox interface {
	// Execute runs a job. what names who asks, in errors and records.
	Execute(ctx context.Context, what string, job Job) (Outcome, error)
}

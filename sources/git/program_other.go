//go:build !unix

package git

import "os/exec"

// endTogether does nothing here: the end of a command's context kills the
// command, and its helpers end when they next write to it.
func endTogether(*exec.Cmd) {}

//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// endTogether makes the end of a command's context end its helpers too. Git
// talks to servers through them, and killed alone would leave them waiting. What
// they leave behind is in a folder that goes away.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

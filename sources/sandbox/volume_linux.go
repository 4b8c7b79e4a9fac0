package sandbox

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// volume is a file system in memory for one job, which holds no more than the job
// may write. It is mounted where nobody else sees it, in a namespace that a process
// of ours holds, and it is gone with that process, or with us.
type volume struct {
	holder *exec.Cmd
	leave  io.Closer
	dir    string // where it is mounted there
	path   string // how we reach it
}

// How much more than it may a job can write, and how many files more it can make, so
// that it is seen.
const slack, slackEntries = 1 << 20, 64

// fits reports whether a volume of a size leaves the machine at least as much
// memory as it may take.
func fits(total int64) bool {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return false
	}
	for scan := bufio.NewScanner(bytes.NewReader(data)); scan.Scan(); {
		if value, ok := strings.CutPrefix(scan.Text(), "MemAvailable:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
			return err == nil && total < 1<<50 && kb<<9 >= total+slack+entriesIn(total)<<10
		}
	}
	return false
}

// openVolume mounts a volume over a folder.
func openVolume(dir string, total int64) (*volume, error) {
	script := fmt.Sprintf(`mount -t tmpfs -o size=%d,nr_inodes=%d,mode=0711,nosuid,nodev none %s && echo && read line`, total+slack, entriesIn(total)+slackEntries, quote(dir))
	args := []string{"--mount", "--propagation=private"}
	if !asRoot() {
		args = append(args, "--user", "--map-root-user")
	}
	cmd := exec.Command("unshare", append(args, "--", "/bin/sh", "-c", script)...)
	cmd.Env = (&Spec{}).environment()
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe() // which it holds on to, and which ends with us
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	v := &volume{holder: cmd, leave: in, dir: dir, path: filepath.Join("/proc", strconv.Itoa(cmd.Process.Pid), "root", dir)}
	if n, err := out.Read(make([]byte, 1)); n != 1 {
		v.close()
		return nil, errors.Join(fmt.Errorf("a file system in memory cannot be mounted: %s", strings.TrimSpace(said.String())), err)
	}
	return v, nil
}

// close ends the volume with everything in it.
func (v *volume) close() {
	v.leave.Close()
	_ = v.holder.Process.Kill()
	_ = v.holder.Wait()
}

// used is how many bytes are in use, or more than there can be where there are more
// files than there may be.
func (v *volume) used() int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(v.path, &s) != nil {
		return 0
	}
	if s.Ffree < slackEntries {
		return int64(s.Blocks)*s.Bsize + 1
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

// powers reports whether programs start as root of a namespace that we are not root
// of. There is none in no volume.
func (v *volume) powers() bool { return v != nil && !asRoot() }

// outside is how we reach a folder that an engine sees.
func (v *volume) outside(dir string) string {
	if v == nil {
		return dir
	}
	return filepath.Join("/proc", strconv.Itoa(v.holder.Process.Pid), "root", dir)
}

// enter is the command that runs another where the volume is.
func (v *volume) enter(argv []string) []string {
	if v == nil {
		return argv
	}
	ns := fmt.Sprintf("/proc/%d/ns/", v.holder.Process.Pid)
	out := []string{"nsenter", "--mount=" + ns + "mnt"}
	if !asRoot() {
		out = append(out, "--user="+ns+"user", "--preserve-credentials")
	}
	return append(append(out, "--"), argv...)
}

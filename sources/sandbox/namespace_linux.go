package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// child is the only child of a process, or 0.
func child(parent int) int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if fields := statFields(data); len(fields) > 1 && string(fields[1]) == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			return pid
		}
	}
	return 0
}

// statFields are those behind the name: "pid (name) state parent ...", where a name
// may hold anything.
func statFields(data []byte) [][]byte {
	return bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
}

// namespace is the processes of a job. The first one, which is ours, holds it: it
// ends last, and with it all others do.
type namespace struct{ first, handle int }

// openNamespace finds the namespace whose first process is the only child of a
// command.
func openNamespace(command int) (*namespace, error) {
	first := child(command)
	if first == 0 {
		return nil, fmt.Errorf("process %d has no child", command)
	}
	handle, err := unix.PidfdOpen(first, 0)
	if err != nil {
		return nil, fmt.Errorf("process %d: %w", first, err)
	}
	return &namespace{first, handle}, nil
}

// end kills all processes.
func (n *namespace) end() { _ = unix.PidfdSendSignal(n.handle, unix.SIGKILL, nil, 0) }

// wait waits until no process is left.
func (n *namespace) wait() {
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(n.handle), Events: unix.POLLIN}}, -1)
		if err != unix.EINTR {
			return
		}
	}
}

func (n *namespace) close() { unix.Close(n.handle) }

// sample is what processes hold and took, as one look sees it.
type sample struct {
	memory   int64         // bytes that are no file's with a name
	cpu      time.Duration // also of those that ended and were waited for
	unlinked int64         // bytes of files without a name, on a disk
}

// Most open files that one look follows.
const maxOpen = 20_000

// look looks at all processes. They are listed as they see themselves.
func (n *namespace) look() sample {
	root := fmt.Sprintf("/proc/%d/root/proc", n.first)
	entries, err := os.ReadDir(root)
	if err != nil {
		return sample{} // it has just ended
	}
	var s sample
	var private, shared, nameless int64
	seen, left := map[[2]uint64]bool{}, maxOpen
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		dir := filepath.Join(root, e.Name())
		a, b := statusBytes(dir)
		private, shared = private+a, shared+b
		s.cpu += statTime(dir)
		files, _ := os.ReadDir(dir + "/fd")
		for _, f := range files[:min(len(files), left)] {
			var stat syscall.Stat_t
			if syscall.Stat(dir+"/fd/"+f.Name(), &stat) != nil || stat.Nlink > 0 || stat.Mode&syscall.S_IFMT != syscall.S_IFREG || seen[[2]uint64{stat.Dev, stat.Ino}] {
				continue
			}
			seen[[2]uint64{stat.Dev, stat.Ino}] = true
			if target, err := os.Readlink(dir + "/fd/" + f.Name()); err == nil && strings.HasPrefix(target, "/memfd:") {
				nameless += stat.Blocks * 512
			} else {
				s.unlinked += stat.Blocks * 512
			}
		}
		left -= min(len(files), left)
	}
	s.memory = private + max(shared, nameless) // what is mapped may be in both
	return s
}

// statusBytes are the memory of a process that is no file's, and what it shares.
func statusBytes(dir string) (private, shared int64) {
	f, err := os.Open(dir + "/status")
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		name, value, _ := strings.Cut(scan.Text(), ":")
		if name != "RssAnon" && name != "RssShmem" {
			continue
		}
		kb, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
		if name == "RssAnon" {
			private = kb << 10
		} else {
			shared = kb << 10
		}
	}
	return private, shared
}

// The kernel tells times to users in hundredths of a second.
const tick = time.Second / 100

// statTime is the time that processors spent on a process and on its children that
// it waited for.
func statTime(dir string) time.Duration {
	data, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return 0
	}
	var sum time.Duration
	for i, f := range statFields(data) {
		if 11 <= i && i <= 14 {
			n, _ := strconv.ParseInt(string(f), 10, 64)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

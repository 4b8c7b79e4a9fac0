package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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
		// "pid (name) state parent ...", where a name may hold anything.
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if len(fields) > 1 && string(fields[1]) == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			return pid
		}
	}
	return 0
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

// memory is what all processes hold, in bytes. They are listed as they see
// themselves.
func (n *namespace) memory() int64 {
	root := fmt.Sprintf("/proc/%d/root/proc", n.first)
	entries, err := os.ReadDir(root)
	if err != nil {
		return 0 // it has just ended
	}
	var total int64
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		if f, err := os.Open(filepath.Join(root, e.Name(), "status")); err == nil {
			total += statusBytes(f)
			f.Close()
		}
	}
	return total
}

// statusBytes sums up the lines of a status file that count memory which is no
// file's.
func statusBytes(f *os.File) int64 {
	var total int64
	for scan := bufio.NewScanner(f); scan.Scan(); {
		name, value, _ := strings.Cut(scan.Text(), ":")
		if name != "RssAnon" && name != "RssShmem" {
			continue
		}
		kb, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
		total += kb << 10
	}
	return total
}

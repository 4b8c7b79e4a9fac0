package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"benchmill/pipeline"
)

// group is a control group (version 2) for one run of one program, where we may make
// some: then the kernel itself bounds memory and processes, and counts what they
// took. nil is none; what is watched is watched all the same.
type group struct {
	dir    string
	handle *os.File
}

// groups is the folder in which groups are made, "" where none can be.
var groups = sync.OnceValue(func() string {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	dir := groupFolder(own, mounts)
	if dir == "" || !sweep(dir) {
		return ""
	}
	return dir
})

// groupFolder is where groups can be made, by what the kernel says of ours and of
// what is mounted: beside our own, since one with processes in it can have none
// below that is bounded; or below it, where it is the first of all.
func groupFolder(own, mounts []byte) string {
	var path, root, at string
	for scan := bufio.NewScanner(bytes.NewReader(own)); scan.Scan(); {
		if p, ok := strings.CutPrefix(scan.Text(), "0::"); ok {
			path = p
		}
	}
	for scan := bufio.NewScanner(bytes.NewReader(mounts)); scan.Scan(); {
		before, after, ok := strings.Cut(scan.Text(), " - ")
		fields := strings.Fields(before)
		if ok && len(fields) > 4 && strings.HasPrefix(after, "cgroup2 ") {
			root, at = fields[3], fields[4]
		}
	}
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(root, "/"))
	if at == "" || path == "" || !ok || strings.Contains(path, "..") {
		return ""
	}
	return filepath.Join(at, filepath.Dir("/"+rest))
}

const groupPrefix = "benchmill-"

// sweep removes the groups of processes that were killed, and says whether groups
// can be made.
func sweep(dir string) bool {
	old, _ := filepath.Glob(filepath.Join(dir, groupPrefix+"*"))
	for _, g := range old {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(g), groupPrefix), "-")
		if _, err := os.Stat("/proc/" + pid); err != nil {
			_ = syscall.Rmdir(g)
		}
	}
	g := makeGroup(dir)
	if g == nil {
		return false
	}
	defer g.close()
	cmd := exec.Command("/bin/sh", "-c", "exit 0")
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	g.join(cmd.SysProcAttr)
	return cmd.Run() == nil
}

var groupNumber atomic.Int64

// openGroup makes a group with limits, as far as there are controllers for them.
func openGroup(l pipeline.Limits) *group {
	dir := groups()
	if dir == "" {
		return nil
	}
	g := makeGroup(dir)
	if g == nil {
		return nil
	}
	g.limit(l)
	return g
}

// limit sets what there is a controller for.
func (g *group) limit(l pipeline.Limits) {
	// What is in a volume is memory too, and counts for whoever wrote it. Exact is
	// the look at what processes hold: this is what holds between two looks.
	g.set("memory.max", strconv.FormatInt(l.Memory+l.Total+slack+groupReserve, 10))
	g.set("memory.swap.max", "0")
	g.set("memory.oom.group", "1")
	g.set("pids.max", strconv.FormatInt(min(l.Processes, 1<<20)+2*launchers, 10))
}

func makeGroup(dir string) *group {
	g := &group{dir: filepath.Join(dir, fmt.Sprintf("%s%d-%d", groupPrefix, os.Getpid(), groupNumber.Add(1)))}
	err := os.Mkdir(g.dir, 0o755)
	if err != nil {
		return nil
	}
	if g.handle, err = os.Open(g.dir); err != nil {
		g.close()
		return nil
	}
	return g
}

// groupReserve is memory for what the kernel keeps of processes, and for our own
// beside the program, in bytes.
const groupReserve = 64 << 20

func (g *group) set(file, value string) {
	_ = os.WriteFile(filepath.Join(g.dir, file), []byte(value), 0o644)
}

// join makes a command start in the group.
func (g *group) join(attr *syscall.SysProcAttr) {
	if g != nil {
		attr.UseCgroupFD, attr.CgroupFD = true, int(g.handle.Fd())
	}
}

// measure adds what the kernel counted, and says whether it ended something for want
// of memory.
func (g *group) measure(u *pipeline.Usage) bool {
	if g == nil {
		return false
	}
	if n := g.number("cpu.stat", "usage_usec"); n > 0 {
		u.CPU = time.Duration(n) * time.Microsecond
	}
	return g.number("memory.events", "oom_kill") > 0
}

// number reads a line "name value" of a file of the group; 0: there is none.
func (g *group) number(file, name string) int64 {
	data, _ := os.ReadFile(filepath.Join(g.dir, file))
	for scan := bufio.NewScanner(bytes.NewReader(data)); scan.Scan(); {
		if value, ok := strings.CutPrefix(scan.Text(), name+" "); ok {
			n, _ := strconv.ParseInt(value, 10, 64)
			return n
		}
	}
	return 0
}

// close ends what is in the group and removes it.
func (g *group) close() {
	if g == nil {
		return
	}
	if g.handle != nil {
		g.handle.Close()
	}
	for range 100 { // it is empty a moment after its last process ended
		if err := syscall.Rmdir(g.dir); err != syscall.EBUSY {
			return
		}
		g.set("cgroup.kill", "1")
		time.Sleep(time.Millisecond)
	}
}

// controllers are what groups can do here, none where there are no groups.
func controllers() []string {
	g := openGroup(pipeline.Limits{})
	if g == nil {
		return nil
	}
	defer g.close()
	var out []string
	for _, c := range [][2]string{{"processors", "cpu.stat"}, {"memory", "memory.max"}, {"processes", "pids.max"}} {
		if _, err := os.Stat(filepath.Join(g.dir, c[1])); err == nil {
			out = append(out, c[0])
		}
	}
	return out
}

package sandbox

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"benchmill/pipeline"
)

func TestGroupFolder(t *testing.T) {
	const (
		mount   = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
		hybrid  = "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n32 23 0:28 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n"
		within  = "30 23 0:26 /docker/x /sys/fs/cgroup ro,nosuid - cgroup2 cgroup2 rw\n"
		spelled = "30 23 0:26 / /odd\\040path rw shared:4 master:1 - cgroup2 cgroup2 rw\n"
	)
	for _, test := range []struct{ own, mounts, want string }{
		{"0::/user.slice/user-1000.slice/session-2.scope\n", mount, "/sys/fs/cgroup/user.slice/user-1000.slice"},
		{"0::/\n", mount, "/sys/fs/cgroup"},
		{"4:memory:/x\n0::/a/b\n", hybrid, "/sys/fs/cgroup/unified/a"},
		{"0::/docker/x/a/b\n", within, "/sys/fs/cgroup/a"},
		{"0::/docker/x\n", within, "/sys/fs/cgroup"},
		{"0::/elsewhere\n", within, ""},
		{"0::/../../x\n", mount, ""},
		{"4:memory:/x\n", hybrid, ""},
		{"0::/a\n", "", ""},
		{"", mount, ""},
		{"0::/a/b", spelled, `/odd\040path/a`},
	} {
		if got := groupFolder([]byte(test.own), []byte(test.mounts)); got != test.want {
			t.Errorf("%q in %q: %q, want %q", test.own, test.mounts, got, test.want)
		}
	}
}

// What the kernel would read and write, in files of the same names.
func TestGroupLimits(t *testing.T) {
	g := &group{dir: t.TempDir()}
	g.limit(pipeline.Limits{Memory: 1 << 30, Total: 1 << 20, Processes: 1 << 40})
	for file, want := range map[string]string{"memory.max": "1142947840", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "1048584"} {
		if data, err := os.ReadFile(filepath.Join(g.dir, file)); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v; want %s", file, data, err, want)
		}
	}
	var u pipeline.Usage
	if g.measure(&u) || u != (pipeline.Usage{}) {
		t.Errorf("without counters: %+v", u)
	}
	for file, text := range map[string]string{"cpu.stat": "user_usec 1\nusage_usec 2500\n", "memory.events": "low 0\noom 1\noom_kill 1\n"} {
		if err := os.WriteFile(filepath.Join(g.dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !g.measure(&u) || u.CPU != 2500*time.Microsecond {
		t.Errorf("%+v", u)
	}
	var none *group
	none.join(nil)
	none.close()
	if none.measure(&u) {
		t.Error("none ran out of memory")
	}
}

package sandbox

import (
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// ready is what the launcher writes to descriptor 3 once the program's world
// stands and its limits hold, so that what cannot be had is no outcome of the
// program. It starts the program when it has read a line from descriptor 4: by
// then it is known whom to watch and to end. Where the machine runs out of memory,
// the program is to be ended before anything else.
const (
	ready = "ready\n"
	start = `echo 1000 2>/dev/null >/proc/self/oom_score_adj; echo ready >&3; read line <&4 || exit 1; exec 3>&- 4<&-; "$@"; exit $?`
)

// launchers is how many processes of our own live beside the program.
const launchers = 4

// launch is the command that starts the program inside. powers says that who runs
// it has some, which are given up.
func launch(s Spec, powers bool) []string {
	out := []string{"prlimit", "--core=0",
		limit("nofile", unix.RLIMIT_NOFILE, 4096), limit("fsize", unix.RLIMIT_FSIZE, s.Limits.Disk), limit("nproc", unix.RLIMIT_NPROC, s.Limits.Processes+launchers)}
	if powers {
		out = append(out, "setpriv", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all")
	}
	if powers && asRoot() {
		// The limit of processes holds for no root, and counts by user.
		id := nobody()
		out = append(out, fmt.Sprintf("--reuid=%d", id), fmt.Sprintf("--regid=%d", id), "--clear-groups")
	}
	return append(append(out, "/bin/sh", "-c", start, "sh"), s.Argv...)
}

// limit is the option of prlimit that sets a limit, or the one there is, if that
// is lower.
func limit(name string, resource int, most int64) string {
	var now unix.Rlimit
	if unix.Getrlimit(resource, &now) == nil {
		most = int64(min(uint64(most), now.Max))
	}
	return fmt.Sprintf("--%s=%d", name, most)
}

func asRoot() bool { return os.Geteuid() == 0 }

// Users that no account has: the range that is kept for services which get one
// for the time they run.
const firstNobody, lastNobody = 61184, 65519

var jobs atomic.Int64

// nobody is a user for one job, so that jobs are counted apart.
func nobody() int64 {
	return firstNobody + (int64(os.Getpid())*64+jobs.Add(1))%(lastNobody-firstNobody+1)
}

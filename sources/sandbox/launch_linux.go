package sandbox

import (
	"fmt"

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
		out = append(out, fmt.Sprintf("--reuid=%d", s.User), fmt.Sprintf("--regid=%d", s.User), "--clear-groups")
	}
	out = append(append(out, "/bin/sh", "-c", start, "sh"), s.Argv...)
	if powers {
		// Shared memory of the old kind is nobody's: no look at processes sees it.
		bound := fmt.Sprintf(`echo %d 2>/dev/null >/proc/sys/kernel/shmall; exec "$@"`, s.Limits.Memory>>12+1)
		out = append([]string{"/bin/sh", "-c", bound, "sh"}, out...)
	}
	return out
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

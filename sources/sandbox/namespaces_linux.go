package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"benchmill/pipeline"
)

// namespaces is the engine that uses util-linux's unshare, and mounts and leaves
// the rest behind itself.
type namespaces struct{}

// Name implements [Engine].
func (namespaces) Name() string { return "namespaces" }

func (namespaces) intoVolumes() {}

// Run implements [Engine].
func (namespaces) Run(ctx context.Context, s Spec) (pipeline.Outcome, error) {
	root, err := os.MkdirTemp(s.volume.outside(filepath.Dir(s.Temp)), "root-")
	if err != nil {
		return pipeline.Outcome{}, err
	}
	defer os.Remove(root) // what was mounted there, went with its namespace
	args := []string{"unshare", "--mount", "--propagation=private", "--ipc", "--pid", "--net", "--uts", "--cgroup", "--fork", "--kill-child=KILL", "--"}
	if !asRoot() && !s.volume.powers() {
		// Who mounts must be root there, and that before the network is made, which
		// is its maker's.
		args = append([]string{"unshare", "--user", "--map-root-user", "--"}, args...)
	}
	args = append(args, "/bin/sh", "-c", mounts(filepath.Join(filepath.Dir(s.Temp), filepath.Base(root)), s), "sh")
	return supervise(ctx, append(args, launch(s, true)...), s)
}

// mounts is a script that builds the program's world in a file system in memory
// at root, and goes there. It goes with chroot, since a process below one can
// make no user namespaces, in which it would have powers that it lacks here.
func mounts(root string, s Spec) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	at := func(path string) string { return quote(root + path) }
	line("set -e; umask 022")
	line("mount -t tmpfs -o mode=0755,size=1m none %s", at(""))
	line("mkdir %s %s %s %s %s", at("/proc"), at("/dev"), at("/tmp"), at("/etc"), at(Folder))
	line("cat %s >%s", quote(s.Hosts), at(hostsPath))
	line("mount -t sysfs -o nosuid,nodev,noexec none %[1]s; echo 1 >%[1]s/class/net/lo/flags; umount %[1]s", at("/tmp")) // loopback is up
	line("mount -t proc -o nosuid,nodev,noexec none %s", at("/proc"))
	for _, d := range []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"} {
		line(": >%[2]s; mount --bind %[1]s %[2]s", d, at(d))
	}
	line("ln -s /proc/self/fd %s; ln -s fd/0 %s; ln -s fd/1 %s; ln -s fd/2 %s", at("/dev/fd"), at("/dev/stdin"), at("/dev/stdout"), at("/dev/stderr"))
	line("mount --bind %s %s; mount --bind %s %s", quote(s.Temp), at("/tmp"), quote(s.Work), at(Folder))
	for _, v := range view(s.See) {
		line("mkdir -p %s", at(filepath.Dir(v.path)))
		if v.link != "" {
			line("ln -s %s %s", quote(v.link), at(v.path))
			continue
		}
		if v.file {
			line(": >%s", at(v.path))
		} else {
			line("mkdir -p %s", at(v.path))
		}
		line("mount --rbind %[1]s %[2]s; mount -o remount,bind,ro %[2]s", quote(v.path), at(v.path))
	}
	line("mount -o remount,bind,ro %s", at(""))
	// The shell stays, as the first process: who becomes another user is no longer
	// ended with unshare, and one that is ended with it takes all others along.
	line(`exec chroot %s /bin/sh -c 'cd %s; "$@"; exit $?' sh "$@"`, at(""), Folder)
	return b.String()
}

// quote makes one word of a text for sh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

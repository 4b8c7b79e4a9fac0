package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"benchmill/pipeline"
)

// bubblewrap is the engine that uses the program bwrap. For root it keeps the
// user namespace of the machine, since a user that owns nothing, and that the
// limit of processes holds for, is found there only. There the program's world is a
// folder of bwrap's, since only a process below a chroot can make no user namespaces,
// in which it would have powers that it lacks here.
type bubblewrap struct{}

// Name implements [Engine].
func (bubblewrap) Name() string { return "bubblewrap" }

func (bubblewrap) intoVolumes() {}

// Run implements [Engine].
func (bubblewrap) Run(ctx context.Context, s Spec) (pipeline.Outcome, error) {
	args := []string{"bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
		"--hostname", "sandbox", "--die-with-parent", "--new-session"}
	root := ""
	var inside []string
	if asRoot() {
		root, inside = "/root", []string{"/bin/sh", "-c", `exec chroot "$0" /bin/sh -c 'cd "$0" && exec "$@"' "$@"`, "/root", Folder}
		args = append(args, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP", "--cap-add", "CAP_SYS_CHROOT")
	} else {
		args = append(args, "--unshare-user", "--disable-userns")
	}
	if s.volume.powers() { // who is root there, is who we are to the program
		args = append(args, "--uid", strconv.Itoa(os.Getuid()), "--gid", strconv.Itoa(os.Getgid()))
	}
	made := map[string]bool{"/": true}
	var folder func(dir string)
	folder = func(dir string) { // left to bwrap, it would be open to its maker alone
		if !made[dir] {
			made[dir] = true
			folder(filepath.Dir(dir))
			args = append(args, "--dir", dir)
		}
	}
	folder(filepath.Join("/", root))
	args = append(args, "--proc", root+"/proc", "--dev", root+"/dev", "--bind", s.Temp, root+"/tmp", "--bind", s.Work, root+Folder)
	made[root+"/tmp"] = true
	folder(root + filepath.Dir(hostsPath))
	args = append(args, "--ro-bind", s.Hosts, root+hostsPath)
	for _, v := range view(s.See) {
		folder(filepath.Dir(root + v.path))
		if v.link != "" {
			args = append(args, "--symlink", v.link, root+v.path)
		} else {
			args = append(args, "--ro-bind", v.path, root+v.path)
		}
	}
	if root != "" { // chroot and what it needs are found where they will be
		for _, name := range []string{"proc", "usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"} {
			args = append(args, "--symlink", "root/"+name, "/"+name)
		}
	}
	args = append(args, "--remount-ro", root+"/dev", "--remount-ro", "/", "--chdir", root+Folder, "--")
	return supervise(ctx, append(append(args, inside...), launch(s, asRoot() || s.volume.powers())...), s)
}

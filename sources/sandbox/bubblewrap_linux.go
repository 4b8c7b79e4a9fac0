package sandbox

import (
	"context"
	"path/filepath"

	"benchmill/pipeline"
)

// bubblewrap is the engine that uses the program bwrap. For root it keeps the
// user namespace of the machine, since a user that owns nothing, and that the
// limit of processes holds for, is found there only.
type bubblewrap struct{}

// Name implements [Engine].
func (bubblewrap) Name() string { return "bubblewrap" }

// Run implements [Engine].
func (bubblewrap) Run(ctx context.Context, s Spec) (pipeline.Outcome, error) {
	args := []string{"bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
		"--hostname", "sandbox", "--die-with-parent", "--new-session"}
	if asRoot() {
		args = append(args, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")
	} else {
		args = append(args, "--unshare-user", "--disable-userns")
	}
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--bind", s.Temp, "/tmp", "--bind", s.Work, Folder)
	made := map[string]bool{"/": true, "/tmp": true}
	var folder func(dir string)
	folder = func(dir string) { // left to bwrap, it would be open to its maker alone
		if !made[dir] {
			made[dir] = true
			folder(filepath.Dir(dir))
			args = append(args, "--dir", dir)
		}
	}
	for _, v := range view(s.See) {
		folder(filepath.Dir(v.path))
		if v.link != "" {
			args = append(args, "--symlink", v.link, v.path)
		} else {
			args = append(args, "--ro-bind", v.path, v.path)
		}
	}
	args = append(args, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", Folder, "--")
	return supervise(ctx, append(args, launch(s, asRoot())...), s)
}

package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"benchmill/pipeline"
)

// Containers is the engine whose programs are those of a container image, run by
// Docker, or by what answers to its API. It is safe for concurrent use.
type Containers struct {
	docker *docker
	sweep  sync.Once
}

// NewContainers is the engine at a socket, as DOCKER_HOST names it: "unix:///path";
// "": where Docker has it.
func NewContainers(host string) *Containers { return &Containers{docker: newDocker(host)} }

// Name implements [Engine].
func (c *Containers) Name() string { return "containers" }

// Answers says why the engine cannot be asked, or nil.
func (c *Containers) Answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	resp, err := c.docker.send(ctx, http.MethodGet, "/_ping", nil, nil, nil)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if os := resp.Header.Get("Ostype"); os != "" && os != "linux" {
		return fmt.Errorf("container engine at %s: runs programs for %s, not for Linux", c.docker.where, os)
	}
	return nil
}

// image is what the engine says of an image.
type image struct {
	ID     string `json:"Id"`
	Config struct{ Env []string }
}

// Image is the digest of an image that the engine has.
func (c *Containers) Image(ctx context.Context, name string) (string, error) {
	i, err := c.image(ctx, name)
	return i.ID, err
}

func (c *Containers) image(ctx context.Context, name string) (i image, err error) {
	err = c.docker.call(ctx, http.MethodGet, "/images/"+name+"/json", nil, nil, &i)
	if refused(err, http.StatusNotFound) {
		err = fmt.Errorf("the container engine does not have the image %s: \"docker pull %[1]s\" fetches it: %w", name, err)
	} else if err == nil && !strings.HasPrefix(i.ID, "sha256:") {
		err = fmt.Errorf("container engine at %s: the image %s has the digest %.100q", c.docker.where, name, i.ID)
	}
	return i, err
}

// Labels of the containers of jobs: that they are, and whose.
const (
	labelJob     = "benchmill.job"
	labelProcess = "benchmill.process" // and the machine it runs on, as far as that has a name
)

func process(pid int) string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(boot)) + "/" + strconv.Itoa(pid)
}

// removeOld removes containers whose process is gone: who is killed removes none.
func (c *Containers) removeOld(ctx context.Context) {
	filters, _ := json.Marshal(map[string][]string{"label": {labelJob}})
	var list []struct {
		ID     string `json:"Id"`
		Labels map[string]string
	}
	if c.docker.call(ctx, http.MethodGet, "/containers/json", url.Values{"all": {"1"}, "filters": {string(filters)}}, nil, &list) != nil {
		return
	}
	here := strings.TrimSuffix(process(0), "0")
	for _, old := range list {
		pid, ok := strings.CutPrefix(old.Labels[labelProcess], here)
		if _, err := strconv.Atoi(pid); !ok || err != nil {
			continue
		}
		if _, err := os.Stat("/proc/" + pid); err != nil {
			_ = c.remove(ctx, old.ID)
		}
	}
}

// remove ends a container and removes it with all it had. One that is gone, or being
// removed, is fine.
func (c *Containers) remove(ctx context.Context, id string) error {
	err := c.docker.call(ctx, http.MethodDelete, "/containers/"+id, url.Values{"force": {"1"}, "v": {"1"}}, nil, nil)
	if refused(err, http.StatusNotFound) || refused(err, http.StatusConflict) {
		return nil
	}
	return err
}

// guard starts a program, and ends everything when its input ends, which is when we
// do: with the last process the engine removes the container.
const guard = `exec 3<&0 </dev/null; (read line <&3; kill -9 -1) >/dev/null 2>&1 & "$@" 3<&-; exit $?`

// container is the request that makes one.
type container struct {
	Image, User, WorkingDir, Hostname            string
	Entrypoint, Cmd, Env                         []string
	AttachStdin, AttachStdout, AttachStderr, Tty bool
	OpenStdin, StdinOnce, NetworkDisabled        bool
	Labels                                       map[string]string
	HostConfig                                   hostConfig
}

type hostConfig struct {
	NetworkMode, IpcMode, CgroupnsMode     string
	ReadonlyRootfs, Privileged, Init       bool
	AutoRemove                             bool
	CapDrop, SecurityOpt                   []string
	Memory, MemorySwap, PidsLimit, ShmSize int64
	OomScoreAdj                            int
	Ulimits                                []ulimit
	Mounts                                 []mount
	LogConfig, RestartPolicy               map[string]string
}

type ulimit struct {
	Name       string
	Soft, Hard int64
}

type mount struct {
	Type, Source, Target string
	ReadOnly             bool
	TmpfsOptions         *tmpfsOptions `json:",omitempty"`
}

type tmpfsOptions struct {
	SizeBytes int64
	Mode      int
}

// containerOf is the container of a program.
func containerOf(s Spec, i image) container {
	user := fmt.Sprintf("%d:%d", s.User, s.User)
	if s.User < 0 {
		user = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
	}
	path := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	for _, e := range i.Config.Env {
		if p, ok := strings.CutPrefix(e, "PATH="); ok {
			path = p
		}
	}
	l := s.Limits
	// What a job writes to /tmp is memory, and bounded as such.
	mounts := []mount{
		{Type: "bind", Source: s.Work, Target: Folder},
		{Type: "bind", Source: s.Hosts, Target: hostsPath, ReadOnly: true},
		{Type: "tmpfs", Target: "/tmp", TmpfsOptions: &tmpfsOptions{SizeBytes: min(cmp.Or(l.Total, l.Memory), l.Memory), Mode: 0o1777}},
	}
	for _, see := range s.See {
		mounts = append(mounts, mount{Type: "bind", Source: see, Target: see, ReadOnly: true})
	}
	same := func(name string, n int64) ulimit { return ulimit{name, n, n} }
	seconds := int64(math.Ceil(l.Time.Seconds()))*int64(runtime.NumCPU()) + 1 // for when nobody watches the clock
	return container{
		Image: i.ID, User: user, WorkingDir: Folder, Hostname: "sandbox",
		Entrypoint: []string{"/bin/sh", "-c", guard, "sh"}, Cmd: s.Argv,
		Env:         []string{"PATH=" + strings.Join(append(append([]string{}, s.Path...), path), ":"), "HOME=" + Folder, "LANG=C.UTF-8"},
		AttachStdin: true, AttachStdout: true, AttachStderr: true, OpenStdin: true, StdinOnce: true, NetworkDisabled: true,
		Labels: map[string]string{labelJob: "1", labelProcess: process(os.Getpid())},
		HostConfig: hostConfig{
			NetworkMode: "none", IpcMode: "private", CgroupnsMode: "private",
			ReadonlyRootfs: true, Init: true, AutoRemove: true,
			CapDrop: []string{"ALL"}, SecurityOpt: []string{"no-new-privileges"},
			Memory: l.Memory, MemorySwap: l.Memory, PidsLimit: min(l.Processes, 1<<20) + launchers, ShmSize: min(64<<20, l.Memory),
			OomScoreAdj: 1000,
			Ulimits:     []ulimit{same("core", 0), same("cpu", seconds), same("fsize", l.Disk), same("nofile", 4096)},
			Mounts:      mounts,
			LogConfig:   map[string]string{"Type": "none"}, RestartPolicy: map[string]string{"Name": "no"},
		},
	}
}

var _ Engine = (*Containers)(nil)

var errNoImage = pipeline.Mark(fmt.Errorf("a container engine runs programs of an image, and none is named"), pipeline.Fatal)

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/sandbox"
)

// safe fails the test where a container could do what no job may.
func safe(t *testing.T, body map[string]any) {
	t.Helper()
	host := at[map[string]any](body, "HostConfig")
	for key, want := range map[string]any{
		"NetworkMode": "none", "IpcMode": "private", "CgroupnsMode": "private", "ReadonlyRootfs": true, "Privileged": false, "Init": true, "AutoRemove": true,
		"CapDrop": []any{"ALL"}, "SecurityOpt": []any{"no-new-privileges"}, "OomScoreAdj": 1000.0,
		"LogConfig": map[string]any{"Type": "none"}, "RestartPolicy": map[string]any{"Name": "no"},
	} {
		if !reflect.DeepEqual(host[key], want) {
			t.Errorf("HostConfig.%s is %v, want %v", key, host[key], want)
		}
	}
	for _, key := range []string{"Memory", "MemorySwap", "PidsLimit", "ShmSize"} {
		if n := at[float64](host, key); n <= 0 || n > 1<<40 {
			t.Errorf("HostConfig.%s is %v", key, host[key])
		}
	}
	if host["Memory"] != host["MemorySwap"] {
		t.Error("it may swap")
	}
	for _, key := range []string{"Binds", "Devices", "CapAdd", "VolumesFrom", "PidMode", "UsernsMode", "GroupAdd", "ExtraHosts", "PortBindings"} {
		if host[key] != nil {
			t.Errorf("HostConfig.%s is %v", key, host[key])
		}
	}
	limited := map[string]bool{}
	for _, u := range at[[]any](host, "Ulimits") {
		u := u.(map[string]any)
		limited[u["Name"].(string)] = u["Soft"] == u["Hard"]
	}
	if want := map[string]bool{"core": true, "cpu": true, "fsize": true, "nofile": true}; !reflect.DeepEqual(limited, want) {
		t.Errorf("ulimits %v", limited)
	}
	for _, m := range at[[]any](host, "Mounts") {
		m := m.(map[string]any)
		switch target, kind := m["Target"], m["Type"]; {
		case target == sandbox.Folder && kind == "bind" && filepath.Base(m["Source"].(string)) == "work":
		case target == "/tmp" && kind == "tmpfs" && at[float64](m, "TmpfsOptions", "SizeBytes") > 0:
		case target == "/etc/hosts" && kind == "bind" && m["ReadOnly"] == true && filepath.Base(m["Source"].(string)) == "hosts":
		case target == "/see" && kind == "bind" && m["ReadOnly"] == true:
		default:
			t.Errorf("mounts %v", m)
		}
	}
	if user := at[string](body, "User"); user == "" || strings.HasPrefix(user, "0:") || strings.HasPrefix(user, "root") {
		t.Errorf("it runs as %q", user)
	}
	if body["NetworkDisabled"] != true || body["Tty"] != false || body["StdinOnce"] != true || body["Image"] != imageDigest {
		t.Errorf("network, terminal, input or image: %v", body)
	}
	for _, e := range at[[]any](body, "Env") {
		if name, _, _ := strings.Cut(e.(string), "="); name != "PATH" && name != "HOME" && name != "LANG" {
			t.Errorf("it is told %s", e)
		}
	}
}

func containerJob(keep ...string) pipeline.Job {
	return pipeline.Job{
		Files: []pipeline.JobFile{{Path: "in.txt", Text: "given"}}, Steps: []pipeline.JobStep{{Name: "x", Script: "the script"}}, Keep: keep,
		Limits: pipeline.Limits{Time: 20 * time.Second, Memory: 64 << 20, Disk: 1 << 20, Output: 1000, Processes: 10, Total: 1 << 20},
	}
}

func inContainer(t *testing.T, e *engine, ctx context.Context, job pipeline.Job) (pipeline.Outcome, error) {
	t.Helper()
	temp := t.TempDir()
	box := sandbox.With(temp, sandbox.NewContainers("unix://"+e.socket))
	out, err := box.Run(ctx, sandbox.Program{Image: "debian:12", See: []string{"/see"}, Bin: []string{"/see"}}, job)
	if left, _ := filepath.Glob(temp + "/*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return out, err
}

func TestContainer(t *testing.T) {
	e := newEngine(t, func(c *fakeContainer) int {
		work := c.source(sandbox.Folder)
		data, err := os.ReadFile(filepath.Join(work, "in.txt"))
		if err != nil {
			t.Error(err)
		}
		cmd := at[[]any](c.body, "Cmd")
		if !reflect.DeepEqual(cmd, []any{"/bin/sh", "-e", "-c", "the script", "x"}) || at[[]any](c.body, "Env")[0] != "PATH=/see:/image/bin:/bin" {
			t.Errorf("%v %v", cmd, c.body["Env"])
		}
		if err := os.WriteFile(filepath.Join(work, "out.txt"), []byte("made"), 0o600); err != nil {
			t.Error(err)
		}
		c.frame(1, string(data))
		c.frame(2, "an error")
		c.frame(1, "")
		c.frame(1, " again")
		return 0
	})
	out, err := inContainer(t, e, t.Context(), containerJob("out.*"))
	if err != nil {
		t.Fatal(err)
	}
	if out.Used == nil || out.Used.Time <= 0 || out.Used.Disk <= 0 {
		t.Errorf("used %+v", out.Used)
	}
	out.Used = nil
	want := pipeline.Outcome{Step: "x", Stdout: "given again", Stderr: "an error", Files: []pipeline.JobFile{{Path: "out.txt", Text: "made"}}}
	if !reflect.DeepEqual(out, want) {
		t.Errorf("%+v, want %+v", out, want)
	}
}

func TestContainerStops(t *testing.T) {
	for name, test := range map[string]struct {
		program func(c *fakeContainer) int
		change  func(j *pipeline.Job)
		exit    int
		want    string
	}{
		"exit code": {program: func(c *fakeContainer) int { return 3 }, exit: 3},
		"time": {program: func(c *fakeContainer) int { <-c.killed; return 137 },
			change: func(j *pipeline.Job) { j.Limits.Time = 100 * time.Millisecond }, exit: -1, want: pipeline.StoppedTime},
		"output": {program: func(c *fakeContainer) int {
			for range 2000 {
				c.frame(1, "yes\n")
			}
			<-c.killed
			return 137
		}, exit: -1, want: pipeline.StoppedOutput},
		"memory": {program: func(c *fakeContainer) int { c.events <- "oom"; return 137 }, exit: -1, want: pipeline.StoppedMemory},
		"disk": {program: func(c *fakeContainer) int {
			for i := range 3 {
				_ = os.WriteFile(filepath.Join(c.source(sandbox.Folder), fmt.Sprint(i)), bytes.Repeat([]byte("x"), 1<<19), 0o600)
			}
			<-c.killed
			return 137
		}, exit: -1, want: pipeline.StoppedDisk},
	} {
		t.Run(name, func(t *testing.T) {
			job := containerJob("**")
			if test.change != nil {
				test.change(&job)
			}
			out, err := inContainer(t, newEngine(t, test.program), t.Context(), job)
			if err != nil || out.Exit != test.exit || out.Stopped != test.want || len(out.Files) > 0 || int64(len(out.Stdout)) > job.Limits.Output {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
}

// Whatever an engine does wrong is an error that says so, and may go better later.
func TestContainerFails(t *testing.T) {
	forever := func(c *fakeContainer) int { <-c.killed; return 137 }
	for name, test := range map[string]struct {
		program func(c *fakeContainer) int
		answer  func(e *engine) func(w http.ResponseWriter, r *http.Request) bool
		class   pipeline.Class
		says    string
	}{
		"no image": {class: pipeline.Permanent, says: "docker pull debian:12", answer: func(*engine) func(http.ResponseWriter, *http.Request) bool {
			return on("/images/", func(w http.ResponseWriter) { refuse(w, 404, "No such image") })
		}},
		"odd digest": {class: pipeline.Permanent, says: "has the digest", answer: func(*engine) func(http.ResponseWriter, *http.Request) bool {
			return on("/images/", func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"Id":"x"}`) })
		}},
		"conflict": {class: pipeline.Permanent, says: "already in use", answer: func(*engine) func(http.ResponseWriter, *http.Request) bool {
			return on("/create", func(w http.ResponseWriter) { refuse(w, 409, "already in use") })
		}},
		"does not start": {class: pipeline.Transient, says: "no space", answer: func(*engine) func(http.ResponseWriter, *http.Request) bool {
			return on("/start", func(w http.ResponseWriter) { refuse(w, 500, "no space") })
		}},
		"no JSON": {class: pipeline.Transient, says: "create", answer: func(*engine) func(http.ResponseWriter, *http.Request) bool {
			return on("/create", func(w http.ResponseWriter) { _, _ = io.WriteString(w, "{") })
		}},
		"no upgrade": {class: pipeline.Permanent, says: "does not hand over", answer: func(*engine) func(http.ResponseWriter, *http.Request) bool {
			return on("/attach", func(w http.ResponseWriter) {})
		}},
		"truncated outputs": {class: pipeline.Transient, says: "unexpected EOF", program: func(c *fakeContainer) int {
			_, _ = c.conn.Write([]byte{1, 0, 0, 0, 0, 0, 0, 9, 'x'})
			return 0
		}},
		"unknown stream": {class: pipeline.Transient, says: "unknown stream 7", program: func(c *fakeContainer) int {
			c.frame(7, "x")
			return 0
		}},
		"dies midway": {class: pipeline.Transient, says: "container engine at", program: nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t, forever)
			if test.program != nil {
				e.program = test.program
			}
			if test.answer != nil {
				e.answer = test.answer(e)
			}
			if name == "dies midway" {
				e.program = func(c *fakeContainer) int {
					e.answer = on("/", func(w http.ResponseWriter) { panic(http.ErrAbortHandler) })
					c.conn.Close()
					e.server.CloseClientConnections()
					e.mu.Lock()
					defer e.mu.Unlock()
					e.containers = nil // gone with the engine
					return 0
				}
			}
			out, err := inContainer(t, e, t.Context(), containerJob())
			if err == nil || pipeline.ClassOf(err) != test.class || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%+v, %v (%s)", out, err, pipeline.ClassOf(err))
			}
		})
	}
}

func on(path string, answer func(w http.ResponseWriter)) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, path) {
			return false
		}
		answer(w)
		return true
	}
}

func TestContainerCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := newEngine(t, func(c *fakeContainer) int { cancel(); <-c.killed; return 137 })
	if out, err := inContainer(t, e, ctx, containerJob()); pipeline.ClassOf(err) != pipeline.Canceled {
		t.Errorf("%+v, %v", out, err)
	}
}

// Containers of processes that were killed are removed, and no others.
func TestContainerLeft(t *testing.T) {
	e := newEngine(t, func(c *fakeContainer) int { return 0 })
	if _, err := inContainer(t, e, t.Context(), containerJob()); err != nil {
		t.Fatal(err)
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		t.Skip(err)
	}
	here := strings.TrimSpace(string(boot)) + "/"
	old := map[string]string{"gone": here + "99999999", "ours": fmt.Sprint(here, os.Getpid()), "elsewhere": "other/99999999", "odd": here + "../1", "none": ""}
	for id, process := range old {
		e.containers[id] = &fakeContainer{id: id, labels: map[string]string{"benchmill.process": process}, killed: make(chan struct{}), died: make(chan struct{})}
	}
	if _, err := inContainer(t, e, t.Context(), containerJob()); err != nil {
		t.Fatal(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for id := range old {
		if _, there := e.containers[id]; there == (id == "gone") {
			t.Errorf("container %s is there: %v", id, there)
		}
		delete(e.containers, id)
	}
}

func TestContainersAnswer(t *testing.T) {
	e := newEngine(t, nil)
	if err := sandbox.NewContainers("unix://" + e.socket).Answers(t.Context()); err != nil {
		t.Error(err)
	}
	for _, host := range []string{"unix://" + e.socket + "x", "tcp://127.0.0.1:1", "x"} {
		c := sandbox.NewContainers(host)
		if err := c.Answers(t.Context()); err == nil || !strings.Contains(err.Error(), host) {
			t.Errorf("%s: %v", host, err)
		}
	}
	box := sandbox.With(t.TempDir(), sandbox.NewContainers("unix://"+e.socket))
	if _, err := box.Run(t.Context(), sandbox.Program{}, containerJob()); pipeline.ClassOf(err) != pipeline.Fatal {
		t.Errorf("no image: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sandbox.NewContainers("unix://" + e.socket).Answers(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

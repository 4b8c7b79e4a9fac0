package sandbox_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// engine is a container engine for tests: it answers as Docker documents its API, and
// its programs are functions. It fails the test where a container is not as safe as
// it must be.
type engine struct {
	t      *testing.T
	server *httptest.Server
	socket string
	// program is what every container runs. Its result is the exit code.
	program func(c *fakeContainer) int
	// answer, if not nil, may answer a request instead: then it returns true.
	answer func(w http.ResponseWriter, r *http.Request) bool

	mu         sync.Mutex
	containers map[string]*fakeContainer
	made       int
	removed    []string
}

type fakeContainer struct {
	id     string
	body   map[string]any
	labels map[string]string
	conn   net.Conn
	killed chan struct{}
	died   chan struct{}
	once   sync.Once
	exit   int
	events chan string
}

// frame writes to an output.
func (c *fakeContainer) frame(stream byte, text string) {
	head := make([]byte, 8)
	head[0] = stream
	binary.BigEndian.PutUint32(head[4:], uint32(len(text)))
	_, _ = c.conn.Write(append(head, text...))
}

func (c *fakeContainer) kill() { c.once.Do(func() { close(c.killed) }) }

// mounts finds the source of what is mounted at a place.
func (c *fakeContainer) source(target string) string {
	for _, m := range at[[]any](c.body, "HostConfig", "Mounts") {
		if m := m.(map[string]any); m["Target"] == target {
			return m["Source"].(string)
		}
	}
	return ""
}

// at is a value inside of JSON, or its zero.
func at[T any](v any, keys ...string) T {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	out, _ := v.(T)
	return out
}

func newEngine(t *testing.T, program func(c *fakeContainer) int) *engine {
	e := &engine{t: t, program: program, containers: map[string]*fakeContainer{}}
	e.socket = filepath.Join(t.TempDir(), "docker.sock")
	l, err := net.Listen("unix", e.socket)
	if err != nil {
		t.Fatal(err)
	}
	e.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: e}}
	e.server.Start()
	t.Cleanup(func() {
		e.server.CloseClientConnections()
		e.server.Close()
		e.mu.Lock()
		defer e.mu.Unlock()
		for id := range e.containers {
			t.Errorf("container %s is left", id)
		}
	})
	return e
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
}

// ServeHTTP implements http.Handler.
func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e.answer != nil && e.answer(w, r) {
		return
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/_ping":
		w.Header().Set("Ostype", "linux")
		_, _ = io.WriteString(w, "OK")
	case parts[0] == "images" && r.URL.Path == "/images/debian:12/json", r.URL.Path == "/images/"+imageDigest+"/json":
		_, _ = fmt.Fprintf(w, `{"Id":%q,"Config":{"Env":["PATH=/image/bin:/bin","SECRET=x"]}}`, imageDigest)
	case parts[0] == "images":
		refuse(w, 404, "No such image: "+r.URL.Path)
	case parts[0] == "events":
		e.tell(w, r)
	case r.URL.Path == "/containers/json":
		e.list(w, r)
	case r.URL.Path == "/containers/create":
		e.create(w, r)
	case parts[0] == "containers":
		e.mu.Lock()
		c := e.containers[parts[1]]
		e.mu.Unlock()
		if c == nil {
			refuse(w, 404, "No such container: "+parts[1])
			return
		}
		action := r.Method
		if len(parts) > 2 {
			action = parts[2]
		}
		e.act(w, r, c, action)
	default:
		refuse(w, 404, "page not found")
	}
}

const imageDigest = "sha256:1111111111111111111111111111111111111111111111111111111111111111"

func (e *engine) create(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		refuse(w, 400, err.Error())
		return
	}
	safe(e.t, body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.made++
	c := &fakeContainer{id: fmt.Sprintf("%064d", e.made), body: body, killed: make(chan struct{}), died: make(chan struct{}), events: make(chan string, 9), labels: map[string]string{}}
	for k, v := range at[map[string]any](body, "Labels") {
		c.labels[k] = v.(string)
	}
	e.containers[c.id] = c
	w.WriteHeader(201)
	_ = json.NewEncoder(w).Encode(map[string]any{"Id": c.id, "Warnings": []string{}})
}

func (e *engine) list(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Query().Get("filters"), `"label"`) || r.URL.Query().Get("all") != "1" {
		e.t.Errorf("lists containers of others: %s", r.URL)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	out := []map[string]any{}
	for id, c := range e.containers {
		out = append(out, map[string]any{"Id": id, "Labels": c.labels})
	}
	_ = json.NewEncoder(w).Encode(out)
}

// tell sends the events of a container as they come.
func (e *engine) tell(w http.ResponseWriter, r *http.Request) {
	var filters map[string][]string
	if err := json.Unmarshal([]byte(r.URL.Query().Get("filters")), &filters); err != nil || len(filters["container"]) != 1 {
		refuse(w, 400, "invalid filter")
		return
	}
	e.mu.Lock()
	c := e.containers[filters["container"][0]]
	e.mu.Unlock()
	w.WriteHeader(200)
	w.(http.Flusher).Flush()
	for {
		select {
		case action := <-c.events:
			_, _ = fmt.Fprintf(w, `{"Type":"container","Action":%q,"Actor":{"ID":%q}}`+"\n", action, c.id)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (e *engine) act(w http.ResponseWriter, r *http.Request, c *fakeContainer, action string) {
	switch action {
	case "attach":
		if r.Header.Get("Upgrade") != "tcp" {
			e.t.Error("attach without an upgrade")
		}
		conn, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			e.t.Error(err)
			return
		}
		c.conn = conn
		_, _ = io.WriteString(conn, "HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.multiplexed-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
		go func() { // whoever attached is gone: so is the input, and with it the guard's patience
			_, _ = io.Copy(io.Discard, buffered)
			c.kill()
		}()
	case "wait":
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		select {
		case <-c.died:
			_, _ = fmt.Fprintf(w, `{"StatusCode":%d}`, c.exit)
		case <-r.Context().Done():
		}
	case "start":
		if c.conn == nil {
			e.t.Error("it is started before anybody listens")
		}
		go func() {
			c.exit = e.program(c)
			c.events <- "die"
			c.conn.Close()
			close(c.died)
		}()
		w.WriteHeader(204)
	case "stats":
		_, _ = io.WriteString(w, `{"memory_stats":{"usage":5000000,"stats":{"inactive_file":1000000}},"cpu_stats":{"cpu_usage":{"total_usage":7000000}}}`+"\n")
		w.(http.Flusher).Flush()
		select {
		case <-c.died:
		case <-r.Context().Done():
		}
	case "kill":
		select {
		case <-c.died:
			refuse(w, 409, "Container "+c.id+" is not running")
		default:
			c.kill()
			w.WriteHeader(204)
		}
	case http.MethodDelete:
		if q := r.URL.Query(); q.Get("force") != "1" || q.Get("v") != "1" {
			e.t.Errorf("removed without its volumes, or not at once: %s", r.URL)
		}
		c.kill()
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.containers, c.id)
		e.removed = append(e.removed, c.id)
		w.WriteHeader(204)
	default:
		refuse(w, 404, "page not found")
	}
}

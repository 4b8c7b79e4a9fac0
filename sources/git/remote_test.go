package git_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"benchmill/internal/gitfixture"
	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/git"
	"benchmill/sources/sourcetest"
)

var accelerators = []string{git.AcceleratorAuto, git.AcceleratorNever}

// servers lists ways to serve a repository; each returns its URL.
func servers(r *gitfixture.Repo) map[string]func(t *testing.T) string {
	return map[string]func(t *testing.T) string{
		"own server":       func(t *testing.T) string { return gitfixture.Serve(t, r.Handler()) + "/repo.git" },
		"git http-backend": func(t *testing.T) string { return r.ServeBackend(t) },
	}
}

func TestConformsRemote(t *testing.T) {
	r, _ := sample(t)
	for name, serve := range servers(r) {
		for _, accelerator := range accelerators {
			t.Run(name+" "+accelerator, func(t *testing.T) {
				url := serve(t)
				// Everything behind the mirror is told the credentials; closed
				// refuses connections, so its errors are those of the network.
				withCredentials := strings.Replace(url, "http://", "http://ada:s3cret-Pa55@", 1)
				o := git.Options{
					Accelerator: accelerator,
					TempDir:     t.TempDir(),
					Mirrors: []sources.Mirror{
						{Prefix: "https://example.test/repo", Replacement: withCredentials},
						{Prefix: "https://example.test/closed", Replacement: "http://ada:s3cret-Pa55@" + closedPort(t)},
						{Prefix: "https://example.test/broken", Replacement: "ht tp://ada:s3cret-Pa55@host/x"},
					},
				}
				sourcetest.Run(t, sourcetest.Subject{
					New:        func(*testing.T) sources.Source { return git.New(o) },
					Ref:        refOf("https://example.test/repo", "main"),
					UnknownRef: refOf("https://example.test/repo", "nothing"),
					UnknownPin: pinOf("https://example.test/repo", noSuchCommit),
					Unreachable: []pipeline.Pin{
						pinOf("https://example.test/closed", noSuchCommit),
						pinOf("https://example.test/broken", noSuchCommit),
						pinOf("https://s3cret-Pa55@example.test/x", noSuchCommit),
						pinOf("https://example.test/repo", "s3cret"),
					},
					Secrets: []string{"s3cret-Pa55", "YWRhOnMzY3JldC1QYTU1"},
				})
				left, err := os.ReadDir(o.TempDir)
				if err != nil || len(left) != 0 {
					t.Errorf("%d temporary folders are left, %v", len(left), err)
				}
			})
		}
	}
}

// closedPort is an address that refuses connections.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// agents records which clients asked a server for packs, and at which depth.
type agents struct {
	mu    sync.Mutex
	packs []string
}

func (a *agents) around(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/git-upload-pack") {
			a.mu.Lock()
			agent, _, _ := strings.Cut(r.UserAgent(), "/")
			a.packs = append(a.packs, agent)
			a.mu.Unlock()
		}
		h.ServeHTTP(w, r)
	})
}

func (a *agents) take() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := strings.Join(a.packs, " ")
	a.packs = nil
	return s
}

// TestSameBytesEveryWay fetches an old commit, which no reference names, the
// tip of a branch and a tag, by every way there is.
func TestSameBytesEveryWay(t *testing.T) {
	for _, reachable := range []bool{false, true} {
		r, tip := sample(t)
		if reachable {
			r.Config("[uploadpack]\n\tallowReachableSHA1InWant = true\n")
		}
		src := git.New(git.Options{})
		tag, err := src.Resolve(t.Context(), refOf(r.Dir(), "v1"))
		if err != nil {
			t.Fatal(err)
		}
		later := r.Commit(gitfixture.Text("README.md", "later\n"))
		for what, commit := range map[string]string{"old": tip, "tag": tag.Version, "tip": later} {
			want := fetch(t, git.Options{}, r.Dir(), commit)
			for name, serve := range servers(r) {
				for _, accelerator := range accelerators {
					t.Run(fmt.Sprintf("%s %s %s reachable=%v", what, name, accelerator, reachable), func(t *testing.T) {
						if !bytes.Equal(want, fetch(t, git.Options{Accelerator: accelerator}, serve(t), commit)) {
							t.Error("another snapshot than the local one")
						}
					})
				}
			}
		}
	}
}

// TestCheapestWay watches who asks for what.
func TestCheapestWay(t *testing.T) {
	r, old := sample(t)
	tip := r.Commit(gitfixture.Text("README.md", "later\n"))
	var seen agents
	backend := gitfixture.Serve(t, seen.around(r.Backend(t))) + "/" + filepath.Base(r.Dir())
	own := gitfixture.Serve(t, seen.around(r.Handler())) + "/repo"

	fetch(t, git.Options{}, backend, old)
	if got := seen.take(); strings.Trim(got, "git ") != "" || got == "" {
		t.Errorf("with the git program: packs for %q", got)
	}
	fetch(t, git.Options{Accelerator: git.AcceleratorNever}, backend, tip)
	if got := seen.take(); got != "go-git" {
		t.Errorf("a tip without the git program: packs for %q, want one for go-git", got)
	}
	fetch(t, git.Options{Accelerator: git.AcceleratorNever}, own, old)
	if got := seen.take(); got != "go-git" {
		t.Errorf("everything without the git program: packs for %q, want one for go-git", got)
	}
	wantError(t, git.Options{Accelerator: git.AcceleratorNever}, pinOf(own, noSuchCommit), pipeline.Permanent, "no branch or tag leads to it", "missing")

	r.Config("[uploadpack]\n\tallowReachableSHA1InWant = true\n")
	seen.take()
	fetch(t, git.Options{Accelerator: git.AcceleratorNever}, backend, old)
	if got := seen.take(); got != "go-git" {
		t.Errorf("by id without the git program: packs for %q, want one for go-git", got)
	}
	wantError(t, git.Options{Accelerator: git.AcceleratorNever}, pinOf(backend, noSuchCommit), pipeline.Permanent, "the server has no such commit")
	if got := seen.take(); got != "go-git" {
		t.Errorf("an unknown id: packs for %q, want one for go-git: the server knew", got)
	}
}

// TestProgramMissingOrBroken puts other programs in the place of git.
func TestProgramMissingOrBroken(t *testing.T) {
	r, commit := sample(t)
	url := gitfixture.Serve(t, r.Handler()) + "/repo"
	want := fetch(t, git.Options{}, r.Dir(), commit)
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to play the git program")
	}
	for name, script := range map[string]string{
		"missing":       "",
		"fails":         "exit 128",
		"fetches least": "exit 0",
		"makes a mess":  `for a in "$@"; do case $a in --git-dir=*) rm -r "${a#*=}/objects"; echo mess > "${a#*=}/objects";; esac; done`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if script != "" {
				if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!"+sh+"\n"+script+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			path := dir
			if name == "makes a mess" {
				path += string(filepath.ListSeparator) + os.Getenv("PATH")
			}
			t.Setenv("PATH", path)
			if !bytes.Equal(want, fetch(t, git.Options{}, url, commit)) {
				t.Error("another snapshot")
			}
		})
	}
}

// TestHostileTreesTravel fetches a tree that git's own checks would reject.
func TestHostileTreesTravel(t *testing.T) {
	r := gitfixture.New(t)
	blob := r.Blob("x\n")
	commit := r.CommitTree(r.Tree(entry("100644", ".git", blob), entry("100644", "..", blob), entry("100644", "a", blob), entry("100644", "a", blob)))
	r.Branch("main", commit)
	want := fetch(t, git.Options{}, r.Dir(), commit)
	for name, serve := range servers(r) {
		for _, accelerator := range accelerators {
			t.Run(name+" "+accelerator, func(t *testing.T) {
				if !bytes.Equal(want, fetch(t, git.Options{Accelerator: accelerator}, serve(t), commit)) {
					t.Error("another snapshot than the local one")
				}
			})
		}
	}
}

func TestServerErrors(t *testing.T) {
	answer := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			user, pass, _ := r.BasicAuth()
			fmt.Fprintf(w, "hello %s:%s %s", user, pass, strings.Repeat("<html>", 100_000))
		}
	}
	r, commit := sample(t)
	cutShort := func(w http.ResponseWriter, req *http.Request) {
		if strings.HasSuffix(req.URL.Path, "/git-upload-pack") {
			w.Header().Set("Content-Length", "100000")
			io.WriteString(w, "0008NAK\nPACK")
			return // the server closes the connection
		}
		r.Handler().ServeHTTP(w, req)
	}
	empty := gitfixture.New(t)
	tests := []struct {
		name    string
		handler http.HandlerFunc
		class   pipeline.Class
		pause   time.Duration
		words   string
	}{
		{"401", answer(401), pipeline.Permanent, 0, "denies access (401"},
		{"403", answer(403), pipeline.Permanent, 0, "denies access (403"},
		{"404", answer(404), pipeline.Permanent, 0, "repository not found"},
		{"410", answer(410), pipeline.Permanent, 0, "answers 410 Gone"},
		{"451", answer(451), pipeline.Permanent, 0, "answers 451"},
		{"429", answer(429), pipeline.Transient, 7 * time.Second, "answers 429"},
		{"500", answer(500), pipeline.Transient, 7 * time.Second, "answers 500"},
		{"503", answer(503), pipeline.Transient, 7 * time.Second, "answers 503"},
		{"no git server", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>hello</html>") }, pipeline.Permanent, 0, ""},
		{"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, pipeline.Transient, 0, "EOF"},
		{"cut short", cutShort, pipeline.Transient, 0, "EOF"},
		{"empty", empty.Handler().ServeHTTP, pipeline.Permanent, 0, "the repository is empty"},
		{"SHA-256", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "001e# service=git-upload-pack\n0000")
			line := strings.Repeat("ab", 32) + " HEAD\x00ofs-delta object-format=sha256 agent=git/2.39.5\n"
			fmt.Fprintf(w, "%04x%s0000", len(line)+4, line)
		}, pipeline.Permanent, 0, "SHA-256"},
		{"redirect to a file", func(w http.ResponseWriter, req *http.Request) { http.Redirect(w, req, "file:///etc/passwd", 302) }, pipeline.Permanent, 0, "redirect"},
		{"redirect for ever", func(w http.ResponseWriter, req *http.Request) { http.Redirect(w, req, req.URL.String(), 302) }, pipeline.Permanent, 0, "redirect"},
	}
	for _, test := range tests {
		for _, accelerator := range accelerators {
			t.Run(test.name+" "+accelerator, func(t *testing.T) {
				url := gitfixture.Serve(t, test.handler)
				o := git.Options{Accelerator: accelerator, Mirrors: []sources.Mirror{{Prefix: "https://example.test", Replacement: strings.Replace(url, "//", "//ada:s3cret@", 1)}}}
				for _, pin := range []pipeline.Pin{pinOf(url+"/owner/name", commit), pinOf("https://example.test/owner/name", commit)} {
					err := wantError(t, o, pin, test.class, pin.Locator, commit, test.words)
					if err == nil {
						continue
					}
					if got := pipeline.PauseOf(err); got != test.pause {
						t.Errorf("pause %v, want %v", got, test.pause)
					}
					if strings.Contains(err.Error(), "s3cret") || len(err.Error()) > 800 {
						t.Errorf("error %q", err)
					}
				}
			})
		}
	}
}

func TestNetworkErrors(t *testing.T) {
	for _, accelerator := range accelerators {
		o := git.Options{Accelerator: accelerator}
		wantError(t, o, pinOf("http://"+closedPort(t)+"/x", noSuchCommit), pipeline.Transient, "refused")
		wantError(t, o, pinOf("git://"+closedPort(t)+"/x", noSuchCommit), pipeline.Transient, "refused")
		wantError(t, o, pinOf("ftp://host/x", noSuchCommit), pipeline.Permanent, "the scheme is none of")
	}
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	plain := gitfixture.Serve(t, http.NotFoundHandler())
	wantError(t, git.Options{}, pinOf(secure.URL+"/x", noSuchCommit), pipeline.Permanent, "certificate")
	wantError(t, git.Options{}, pinOf(strings.Replace(plain, "http:", "https:", 1)+"/x", noSuchCommit), pipeline.Permanent, "HTTP")
	wantError(t, git.Options{TempDir: filepath.Join(t.TempDir(), "missing")}, pinOf("http://"+closedPort(t)+"/x", noSuchCommit), pipeline.Fatal, "missing")
}

// TestStuckServer cancels and times out a fetch from a server that never answers.
func TestStuckServer(t *testing.T) {
	for _, accelerator := range accelerators {
		src := git.New(git.Options{Accelerator: accelerator, TempDir: t.TempDir()})
		asked := make(chan struct{}, 10)
		url := gitfixture.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			<-r.Context().Done()
		}))
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-asked
			cancel()
		}()
		checkError(t, src.Fetch(ctx, pinOf(url+"/x", noSuchCommit), io.Discard), pipeline.Canceled, url)
		ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		checkError(t, src.Fetch(ctx, pinOf(url+"/x", noSuchCommit), io.Discard), pipeline.Transient, url, "deadline")
	}
}

func TestFetchIsBounded(t *testing.T) {
	r := gitfixture.New(t)
	var noise strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&noise, "%d ", i*i)
	}
	commit := r.Commit(gitfixture.Text("noise", noise.String()))
	for name, serve := range servers(r) {
		for _, accelerator := range accelerators {
			t.Run(name+" "+accelerator, func(t *testing.T) {
				url := serve(t)
				o := git.Options{Accelerator: accelerator, Limits: git.Limits{MaxFetchBytes: 30_000}}
				wantError(t, o, pinOf(url, commit), pipeline.Permanent, "more than 30000 bytes")
				o.Limits.MaxFetchBytes = 1 << 20
				fetch(t, o, url, commit)
			})
		}
	}
	endless := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasSuffix(req.URL.Path, "/git-upload-pack") {
			r.Handler().ServeHTTP(w, req)
			return
		}
		// One blob that announces 2^40 bytes, stored without compression.
		io.WriteString(w, "0008NAK\nPACK\x00\x00\x00\x02\x00\x00\x00\x01\xb0\x80\x80\x80\x80\x80\x01\x78\x01")
		block := append([]byte{0, 0xff, 0xff, 0, 0}, make([]byte, 0xffff)...)
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	for _, accelerator := range accelerators {
		t.Run("without end "+accelerator, func(t *testing.T) {
			o := git.Options{Accelerator: accelerator, Limits: git.Limits{MaxFetchBytes: 1 << 20}}
			wantError(t, o, pinOf(gitfixture.Serve(t, endless), commit), pipeline.Permanent, "more than 1048576 bytes")
		})
	}
}

func TestOfflineAndLocal(t *testing.T) {
	r, commit := sample(t)
	mirrors := []sources.Mirror{{Prefix: "https://example.test/copied", Replacement: r.Dir()}}
	src := git.New(git.Options{Offline: true, Mirrors: mirrors})
	for locator, local := range map[string]bool{
		r.Dir():                       true,
		r.URL():                       true,
		"https://example.test/copied": true,
		"https://example.test/other":  false,
		"ssh://git@example.test/x":    false,
		"git@example.test:x":          false,
		"ftp://example.test/x":        false,
		"":                            false,
	} {
		if got := src.Local(pinOf(locator, commit)); got != local {
			t.Errorf("Local(%q) = %v", locator, got)
		}
		err := src.Fetch(t.Context(), pinOf(locator, commit), io.Discard)
		if local && err != nil {
			t.Errorf("%q: %v", locator, err)
		}
		if !local {
			checkError(t, err, pipeline.Permanent, locator)
			_, err = src.Resolve(t.Context(), refOf(locator, "main"))
			checkError(t, err, pipeline.Permanent, locator)
		}
	}
	wantError(t, git.Options{Offline: true}, pinOf("https://example.test/copied", commit), pipeline.Permanent, "https://example.test/copied", "offline")
	if a, b := fetch(t, git.Options{Mirrors: mirrors}, "https://example.test/copied", commit), fetch(t, git.Options{}, r.Dir(), commit); !bytes.Equal(a, b) {
		t.Error("the mirror changes the snapshot")
	}
}

package gitfixture

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/server"
)

// Serve starts a loopback HTTP server for the test and returns its URL.
func Serve(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// Handler speaks git's smart HTTP protocol without the git program, under any
// path. It is an old and plain server: it offers neither shallow fetches nor
// fetches by commit id, only what branches and tags reach.
func (r *Repo) Handler() http.Handler {
	srv := server.NewServer(server.MapLoader{"file:///": r.st})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ep, err := transport.NewEndpoint("file:///")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		session, err := srv.NewUploadPackSession(ep, nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		switch {
		case strings.HasSuffix(req.URL.Path, "/info/refs"):
			err = r.advertise(w, session)
		case strings.HasSuffix(req.URL.Path, "/git-upload-pack"):
			err = upload(w, req, session)
		default:
			http.NotFound(w, req)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
}

func (r *Repo) advertise(w http.ResponseWriter, session transport.UploadPackSession) error {
	refs, err := session.AdvertisedReferences()
	if err != nil {
		return err
	}
	for name, id := range refs.References {
		if target, ok := r.peel(id); ok {
			refs.Peeled[name] = target
		}
	}
	w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
	e := pktline.NewEncoder(w)
	if err := e.EncodeString("# service=git-upload-pack\n"); err != nil {
		return err
	}
	if err := e.Flush(); err != nil {
		return err
	}
	return refs.Encode(w)
}

func (r *Repo) peel(id plumbing.Hash) (plumbing.Hash, bool) {
	peeled := false
	for {
		tag, err := object.GetTag(r.st, id)
		if err != nil {
			return id, peeled
		}
		id, peeled = tag.Target, true
	}
}

func upload(w http.ResponseWriter, req *http.Request, session transport.UploadPackSession) error {
	body := io.Reader(req.Body)
	if req.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		body = z
	}
	want := packp.NewUploadPackRequest()
	if err := want.UploadRequest.Decode(body); err != nil {
		return err
	}
	resp, err := session.UploadPack(req.Context(), want)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
	return resp.Encode(w)
}

// Backend serves the repository by git's own http-backend, under "/" and the
// base name of its folder. It skips the test where the git program or its
// backend is missing.
func (r *Repo) Backend(t testing.TB) http.Handler {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git program: git http-backend is not tested")
	}
	out, err := exec.Command(git, "--exec-path").Output()
	if err != nil {
		t.Skipf("git --exec-path: %v: git http-backend is not tested", err)
	}
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("git was installed without http-backend, which is not tested")
	}
	return &cgi.Handler{
		Path:   backend,
		Env:    []string{"GIT_PROJECT_ROOT=" + filepath.Dir(r.dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull},
		Stderr: io.Discard,
	}
}

// ServeBackend is [Serve] of [Repo.Backend]; it returns the repository's URL.
func (r *Repo) ServeBackend(t testing.TB) string {
	t.Helper()
	return Serve(t, r.Backend(t)) + "/" + filepath.Base(r.dir)
}

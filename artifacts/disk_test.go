package artifacts_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchmill/artifacts"
	"benchmill/artifacts/storetest"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// damagedDisk is a Disk that can be damaged; see [storetest.Damager].
type damagedDisk struct{ *artifacts.Disk }

func (s damagedDisk) Damage(d digest.Digest) error {
	path := objectPath(s.Disk, d)
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	if err := os.Chmod(path, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		return err
	}
	return os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)) // however coarse the clock of the file system
}

func objectPath(s *artifacts.Disk, d digest.Digest) string {
	return filepath.Join(s.Dir(), "objects", d.Hex()[:2], d.Hex())
}

func openStore(t testing.TB, dir string) *artifacts.Disk {
	t.Helper()
	s, err := artifacts.OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDisk(t *testing.T) {
	storetest.Run(t, func(t *testing.T) artifacts.Store {
		s := openStore(t, filepath.Join(t.TempDir(), "new", "store"))
		t.Cleanup(func() { noTemp(t, s) })
		return damagedDisk{s}
	})
}

// noTemp fails if a temporary file is left beside the lock of the process.
func noTemp(t *testing.T, s *artifacts.Disk) {
	t.Helper()
	for _, f := range files(t, filepath.Join(s.Dir(), "tmp")) {
		if filepath.Base(f) != "lock" {
			t.Errorf("temporary file %s is left", f)
		}
	}
}

func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

func TestDiskKeepsObjects(t *testing.T) {
	dir := t.TempDir()
	d := storetest.Put(t, openStore(t, dir), []byte("kept"))
	s := openStore(t, dir)
	if got := storetest.Get(t, s, d); string(got) != "kept" {
		t.Fatalf("read %q", got)
	}
	info, err := os.Stat(objectPath(s, d))
	if err != nil || info.Mode().Perm()&0o222 != 0 {
		t.Fatalf("objects can be written: %v, %v", info.Mode(), err)
	}
}

func TestDiskSetsDamagedAside(t *testing.T) {
	s := damagedDisk{openStore(t, t.TempDir())}
	d := storetest.Put(t, s, []byte("fragile"))
	if err := s.Damage(d); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), d); !errors.Is(err, artifacts.ErrDamaged) {
		t.Fatal(err)
	}
	if got := files(t, filepath.Join(s.Dir(), "damaged")); len(got) != 1 || filepath.Base(got[0]) != d.Hex() {
		t.Fatalf("set aside: %v", got)
	}
}

// An object that lost bytes on the disk is written again, not taken for there.
func TestDiskHealsTruncated(t *testing.T) {
	s := openStore(t, t.TempDir())
	d := storetest.Put(t, s, []byte("all of it"))
	if err := errors.Join(os.Chmod(objectPath(s, d), 0o644), os.Truncate(objectPath(s, d), 3)); err != nil {
		t.Fatal(err)
	}
	storetest.Put(t, s, []byte("all of it"))
	if got := storetest.Get(t, s, d); string(got) != "all of it" {
		t.Fatalf("read %q", got)
	}
}

// The same object is hashed once: a change that leaves no trace in the folder
// entry goes unseen within a process, and is found by the next.
func TestDiskVerifiesOnce(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	d := storetest.Put(t, s, []byte("original"))
	storetest.Get(t, s, d)
	path := objectPath(s, d)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("tampered"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if got := storetest.Get(t, s, d); string(got) != "tampered" {
		t.Fatalf("the object was hashed again, or read from elsewhere: %q", got)
	}
	if _, err := openStore(t, dir).Open(t.Context(), d); !errors.Is(err, artifacts.ErrDamaged) {
		t.Fatalf("another process opens it: %v", err)
	}
}

func TestDiskLayoutVersion(t *testing.T) {
	tests := []struct {
		content string
		is      error
		says    string
	}{
		{`{"kind":"benchmill store","version":1,"note":"a later key"}`, nil, ""},
		{`{"kind":"benchmill store","version":7}`, artifacts.ErrNewer, "version 7, this benchmill knows up to version 1"},
		{`{"kind":"benchmill store","version":0}`, nil, "layout version 0"},
		{`{"kind":"shop"}`, nil, `kind is "shop"`},
		{`{`, nil, "not a description of a store"},
		{``, nil, "not a description of a store"},
	}
	for _, test := range tests {
		dir := t.TempDir()
		path := filepath.Join(dir, "store.json")
		if err := os.WriteFile(path, []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := artifacts.OpenStore(dir)
		if test.says == "" {
			if err != nil {
				t.Errorf("%s: %v", test.content, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v does not say %q and name %s", test.content, err, test.says, path)
		}
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v is not %v", test.content, err, test.is)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != test.content {
			t.Errorf("%s: the file was changed to %q, %v", test.content, b, err)
		}
	}
}

func TestDiskWriteErrors(t *testing.T) {
	tests := []struct {
		step  string // write, sync, close or create
		errno syscall.Errno
		is    error
	}{
		{"create", syscall.ENOSPC, artifacts.ErrFull},
		{"create", syscall.EACCES, artifacts.ErrReadOnly},
		{"write", syscall.ENOSPC, artifacts.ErrFull},
		{"write", syscall.EDQUOT, artifacts.ErrFull},
		{"write", syscall.EROFS, artifacts.ErrReadOnly},
		{"sync", syscall.ENOSPC, artifacts.ErrFull},
		{"close", syscall.EDQUOT, artifacts.ErrFull},
		{"write", syscall.EIO, nil},
	}
	for _, test := range tests {
		t.Run(test.step+" "+test.errno.Error(), func(t *testing.T) {
			s := openStore(t, t.TempDir())
			artifacts.FailWrites(s, test.step, test.errno)
			err := write(t.Context(), s, "some bytes")
			if !errors.Is(err, test.errno) {
				t.Fatalf("got %v, want %v", err, test.errno)
			}
			for _, e := range []error{artifacts.ErrFull, artifacts.ErrReadOnly} {
				if errors.Is(err, e) != (e == test.is) {
					t.Errorf("%v is %v", err, e)
				}
			}
			if fatal := pipeline.ClassOf(err) == pipeline.Fatal; fatal != (test.is != nil) {
				t.Errorf("class of %v is %s", err, pipeline.ClassOf(err))
			}
			if !strings.Contains(err.Error(), s.Dir()) {
				t.Errorf("%v does not name the store", err)
			}
			noTemp(t, s)
			if got := files(t, filepath.Join(s.Dir(), "objects")); len(got) != 0 {
				t.Errorf("objects after a failure: %v", got)
			}
		})
	}
}

func write(ctx context.Context, s artifacts.Store, text string) error {
	w, err := s.Create(ctx)
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := io.WriteString(w, text); err != nil {
		if _, again := w.Commit(); again == nil {
			return errors.New("committed after a failed write")
		}
		return err
	}
	_, err = w.Commit()
	return err
}

func TestDiskReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	d := storetest.Put(t, openStore(t, dir), []byte("readable"))
	readOnly(t, dir)
	s := openStore(t, dir)
	if got := storetest.Get(t, s, d); string(got) != "readable" {
		t.Fatalf("read %q", got)
	}
	err := write(t.Context(), s, "more")
	if !errors.Is(err, artifacts.ErrReadOnly) || pipeline.ClassOf(err) != pipeline.Fatal {
		t.Fatalf("write: %v", err)
	}
	if err := s.Remove(t.Context(), d); !errors.Is(err, artifacts.ErrReadOnly) {
		t.Fatalf("remove: %v", err)
	}
	if _, err := artifacts.OpenStore(filepath.Join(dir, "new")); !errors.Is(err, artifacts.ErrReadOnly) {
		t.Fatalf("make a store: %v", err)
	}
}

func readOnly(t *testing.T, dir string) {
	t.Helper()
	var folders []string
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			folders = append(folders, path)
		}
		return err
	})
	for i := len(folders) - 1; i >= 0; i-- {
		if err := os.Chmod(folders[i], 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(folders[i], 0o755) })
	}
}

// TestRemoveTemp has another process die in the middle of an object, and one
// that lives on.
func TestRemoveTemp(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	own, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(own, "mine, half written")

	dead, kill := startWriter(t, dir)
	kill()
	alive, kill := startWriter(t, dir)

	if n, _, err := s.RemoveTemp(time.Hour); n != 0 || err != nil {
		t.Fatalf("young leftovers were removed: %d, %v", n, err)
	}
	n, bytes, err := s.RemoveTemp(0)
	if err != nil || n != 1 || bytes != int64(len("half an object")) {
		t.Fatalf("removed %d files, %d bytes, %v; want 1 file of the dead process", n, bytes, err)
	}
	if _, err := os.Stat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the dead process is left: %v", err)
	}
	if got := files(t, alive); len(got) != 2 {
		t.Errorf("the living process has %v, want its lock and its object", got)
	}
	if _, err := own.Commit(); err != nil {
		t.Errorf("the object of this process: %v", err)
	}

	kill()
	if n, _, err := s.RemoveTemp(0); n != 1 || err != nil {
		t.Errorf("removed %d files, %v; want that of the process that died last", n, err)
	}
	noTemp(t, s)
}

// startWriter runs this test program as a process that leaves an object half
// written, and returns that process's temporary folder.
func startWriter(t *testing.T, store string) (temp string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHalfWriter$")
	cmd.Env = append(os.Environ(), "ARTIFACTS_HALF_WRITER="+store)
	stdin, err := cmd.StdinPipe() // kept open: the process waits for its end
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		cmd.Process.Kill()
		cmd.Wait()
		stdin.Close()
	}
	t.Cleanup(kill)
	if _, err := fmt.Fscanln(stdout, &temp); err != nil {
		t.Fatalf("the other process did not get ready: %v", err)
	}
	return temp, kill
}

// TestHalfWriter is the other process of TestRemoveTemp.
func TestHalfWriter(t *testing.T) {
	dir := os.Getenv("ARTIFACTS_HALF_WRITER")
	if dir == "" {
		t.Skip("only runs as the other process of TestRemoveTemp")
	}
	s := openStore(t, dir)
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "half an object")
	temp, err := s.TempDir()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(temp)
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0) // without the end of an ordered test, like a process that was killed
}

func TestDiskClose(t *testing.T) {
	s := openStore(t, t.TempDir())
	d := storetest.Put(t, s, []byte("before"))
	w, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "open")
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := files(t, filepath.Join(s.Dir(), "tmp")); len(got) != 0 {
		t.Errorf("left after close: %v", got)
	}
	if _, err := w.Commit(); err == nil {
		t.Error("committed what was removed")
	}
	if got := storetest.Get(t, s, d); string(got) != "before" {
		t.Errorf("read %q", got)
	}
	after := storetest.Put(t, s, []byte("after"))
	if got := storetest.Get(t, s, after); string(got) != "after" {
		t.Errorf("read %q", got)
	}
}

// A folder that was made but not yet locked, or lost its lock file, is swept.
func TestRemoveTempWithoutLock(t *testing.T) {
	s := openStore(t, t.TempDir())
	stray := filepath.Join(s.Dir(), "tmp", "stray")
	if err := os.MkdirAll(stray, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(stray, "x"), []byte("1234"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, bytes, err := s.RemoveTemp(0); n != 1 || bytes != 4 || err != nil {
		t.Fatalf("removed %d files, %d bytes, %v", n, bytes, err)
	}
	if _, err := os.Stat(stray); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("stray folder: %v", err)
	}
}

func FuzzStoreJSON(f *testing.F) {
	f.Add([]byte(`{"kind":"benchmill store","version":1}`))
	f.Add([]byte(`{"kind":"benchmill store","version":99999999999999999999}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "store.json")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := artifacts.OpenStore(dir)
		if err == nil && (s.Dir() != dir || !strings.Contains(string(data), "1")) {
			t.Fatalf("opened with %q", data)
		}
		if b, _ := os.ReadFile(path); string(b) != string(data) {
			t.Fatalf("store.json was changed to %q", b)
		}
	})
}

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

func TestWriteReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "manifest.json")
	for _, want := range []string{"first", "", "the third is longer than the first"} {
		if err := Write(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Fatalf("read %q, %v; want %q", got, err, want)
		}
	}
	onlyFile(t, filepath.Dir(path), "manifest.json")
}

func TestWriteMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v; want 0600", info.Mode(), err)
	}
}

func TestWriteVia(t *testing.T) {
	dir := t.TempDir()
	temp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteVia(temp, filepath.Join(dir, "a"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	onlyFile(t, temp)
}

// A write that cannot take the name leaves what was there and no leftovers.
func TestWriteFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(path, "by a folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("x"), 0o644); err == nil {
		t.Fatal("a folder was replaced by a file")
	}
	onlyFile(t, dir, "taken")

	if err := Write(filepath.Join(dir, "file"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "file", "a"), []byte("x"), 0o644); err == nil {
		t.Fatal("a file was taken for a folder")
	}
}

// The folder of a file is made.
func TestWriteMakesFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "c")
	if err := Write(path, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "x" {
		t.Fatalf("got %q, %v", data, err)
	}
}

// Readers beside a writer see whole versions only.
func TestWriteIsAtomic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	version := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 1+i*5000) }
	if err := Write(path, version(0), 0o644); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			for i := w; i < 20; i++ {
				if err := Write(path, version(i), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for reads := 0; ; reads++ {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) == 0 || !bytes.Equal(got, version(int(got[0]-'a'))) {
			t.Fatalf("read %d bytes that no writer wrote", len(got))
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

func TestExplain(t *testing.T) {
	tests := []struct {
		from syscall.Errno
		want error
	}{
		{syscall.ENOSPC, ErrFull},
		{syscall.EDQUOT, ErrQuota},
		{syscall.EROFS, ErrReadOnly},
		{syscall.EACCES, ErrPermission},
		{syscall.EPERM, ErrPermission},
		{syscall.EIO, nil},
	}
	for _, test := range tests {
		raw := &fs.PathError{Op: "write", Path: "a", Err: test.from}
		got := Explain(fmt.Errorf("save: %w", raw))
		if !errors.Is(got, test.from) {
			t.Errorf("%v: the system's error is lost in %v", test.from, got)
		}
		for _, reason := range []error{ErrFull, ErrQuota, ErrReadOnly, ErrPermission} {
			if errors.Is(got, reason) != (reason == test.want) {
				t.Errorf("%v is explained as %v", test.from, got)
			}
		}
		if again := Explain(got); again.Error() != got.Error() {
			t.Errorf("explained twice: %v", again)
		}
	}
	if Explain(nil) != nil {
		t.Error("no error was explained")
	}
}

func onlyFile(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s holds %v, want %v", dir, got, want)
	}
}

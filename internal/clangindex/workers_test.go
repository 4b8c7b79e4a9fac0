package clangindex

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"benchmill/internal/libclang"
)

func TestWorkersThatFail(t *testing.T) {
	w := NewWorkers([]string{"/bin/sh", "-c", "exit 3"}, time.Hour)
	if _, err := w.Read("/r", libclang.Command{}); !errors.Is(err, ErrCrashed) {
		t.Errorf("crashed: %v", err)
	}
	w = NewWorkers([]string{"/bin/sh", "-c", "exec sleep 1000"}, time.Millisecond)
	if _, err := w.Read("/r", libclang.Command{}); !errors.Is(err, ErrTime) {
		t.Errorf("for ever: %v", err)
	}
	w.Close()
	if _, err := NewWorkers([]string{"/none"}, time.Hour).Read("/r", libclang.Command{}); err == nil || !strings.Contains(err.Error(), "/none") {
		t.Errorf("no program: %v", err)
	}
}

type reader struct{}

func (reader) Read(root string, c libclang.Command) (*libclang.Unit, error) {
	if c.File == "" {
		return nil, errors.New("no file")
	}
	return &libclang.Unit{Files: []string{root, c.File}}, nil
}

func TestServe(t *testing.T) {
	var in, out bytes.Buffer
	enc := gob.NewEncoder(&in)
	for _, file := range []string{"a", ""} {
		if err := enc.Encode(request{"/r", libclang.Command{File: file}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := Serve(reader{}, &in, &out); err != nil {
		t.Fatal(err)
	}
	dec := gob.NewDecoder(&out)
	var a, b reply
	if err := errors.Join(dec.Decode(&a), dec.Decode(&b)); err != nil || a.Unit == nil || a.Unit.Files[1] != "a" || b.Unit != nil || b.Error != "no file" {
		t.Errorf("%+v, %+v, %v", a, b, err)
	}
	if err := Serve(reader{}, strings.NewReader("x"), io.Discard); err == nil {
		t.Error("a broken request was taken")
	}
}

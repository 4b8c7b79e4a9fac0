package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/pipeline"
)

func TestClasses(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	tests := []struct {
		name string
		err  error
		want pipeline.Class
	}{
		{"name that does not resolve", &url.Error{Op: "Get", URL: "https://x", Err: &net.DNSError{Err: "no such host", Name: "x", IsNotFound: true}}, pipeline.Transient},
		{"refused", refused, pipeline.Transient},
		{"refused, as go-git says it", plumbing.NewUnexpectedError(&url.Error{Op: "Post", URL: "https://x", Err: refused}), pipeline.Transient},
		{"timeout", &url.Error{Op: "Get", URL: "https://x", Err: context.DeadlineExceeded}, pipeline.Transient},
		{"stops in the middle", fmt.Errorf("pack: %w", io.ErrUnexpectedEOF), pipeline.Transient},
		{"full disk", fmt.Errorf("pack: %w", syscall.ENOSPC), pipeline.Fatal},
		{"no place to work", fatalError{errors.New("read-only")}, pipeline.Fatal},
		{"anything else", errors.New("pack: bad checksum"), pipeline.Permanent},
	}
	loc := location{text: "https://x", secrets: []string{"s3cret"}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := fail(t.Context(), loc, "fetch", new(trace), fmt.Errorf("s3cret: %w", test.err))
			if got := pipeline.ClassOf(err); got != test.want {
				t.Errorf("class %s, want %s", got, test.want)
			}
			if strings.Contains(err.Error(), "s3cret") || !errors.Is(err, test.err) {
				t.Errorf("error %q", err)
			}
		})
	}
	t.Run("of no wire", func(t *testing.T) {
		if got := pipeline.ClassOf(fail(t.Context(), loc, "fetch", nil, io.ErrUnexpectedEOF)); got != pipeline.Permanent {
			t.Errorf("a damaged local file is %s", got)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := fail(ctx, loc, "fetch", new(trace), refused)
		if pipeline.ClassOf(err) != pipeline.Canceled || !errors.Is(err, context.Canceled) {
			t.Errorf("class %s: %v", pipeline.ClassOf(err), err)
		}
	})
}

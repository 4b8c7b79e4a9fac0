package git

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// pollDisk is how often the size of a running fetch is looked at. It is what a
// server can send beyond the limit, in time.
const pollDisk = 250 * time.Millisecond

// bounded runs f and ends its context when the files below dir grow beyond max
// bytes: neither the git program nor go-git bounds what a server may send.
func bounded(ctx context.Context, dir string, max int64, f func(context.Context) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- f(inner) }()
	tick := time.NewTicker(pollDisk)
	defer tick.Stop()
	var tooBig error
	for {
		select {
		case err := <-done:
			if tooBig == nil {
				tooBig = checkSize(dir, max)
			}
			if tooBig != nil && ctx.Err() == nil {
				return tooBig
			}
			return err
		case <-tick.C:
			// What was too big may be cleaned away by the time f returns.
			if tooBig == nil {
				tooBig = checkSize(dir, max)
			}
			if tooBig != nil {
				cancel()
			}
		}
	}
}

func checkSize(dir string, max int64) error {
	var size int64
	// Files come and go while they are counted; a missing one counts nothing.
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	if size > max {
		return fmt.Errorf("the fetch brought in more than %d bytes", max)
	}
	return nil
}

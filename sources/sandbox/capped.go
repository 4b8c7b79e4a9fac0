package sandbox

import "sync"

// capped keeps the first bytes of an output and tells when there are more.
type capped struct {
	mu    sync.Mutex
	limit int64
	data  []byte
	over  bool
	full  chan<- struct{} // told without waiting
}

// Write implements io.Writer. It takes everything, so that the program's end is
// not that of a broken pipe.
func (c *capped) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := c.limit - int64(len(c.data))
	if int64(len(p)) <= room {
		c.data = append(c.data, p...)
		return len(p), nil
	}
	c.data, c.over = append(c.data, p[:room]...), true
	select {
	case c.full <- struct{}{}:
	default:
	}
	return len(p), nil
}

package api

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// moved remembers for a session which repositories go by another name. Paths are
// escaped, and relative to the base. The zero value is ready, and it is safe for
// concurrent use.
type moved struct {
	mu    sync.Mutex
	names map[string]string // "repos/old/name" in lower case to "repositories/123"
}

var (
	repository = regexp.MustCompile(`^repos/[^/]+/[^/]+`)
	renamed    = regexp.MustCompile(`^(?:repos/[^/]+/[^/]+|repositories/[0-9]+)$`)
)

// remember notes a permanent redirect if it does no more than rename a repository.
func (m *moved) remember(from, to string) {
	old := repository.FindString(from)
	name, ok := strings.CutSuffix(to, strings.TrimPrefix(from, old))
	if old == "" || !ok || !renamed.MatchString(name) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names == nil {
		m.names = map[string]string{}
	}
	m.names[strings.ToLower(old)] = name
}

// path gives a path under the repository's present name.
func (m *moved) path(path string) string {
	old := repository.FindString(path)
	m.mu.Lock()
	defer m.mu.Unlock()
	if name := m.names[strings.ToLower(old)]; name != "" {
		return name + strings.TrimPrefix(path, old)
	}
	return path
}

func (m *moved) forget(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.names, strings.ToLower(repository.FindString(path)))
}

// present is an address under the repository's present name.
func (c *Client) present(u *url.URL) *url.URL {
	old := c.path(u)
	path := c.moved.path(old)
	if path == old {
		return u
	}
	to, err := u.Parse(c.base.EscapedPath() + "/" + path)
	if err != nil {
		return u
	}
	to.RawQuery = u.RawQuery
	return to
}

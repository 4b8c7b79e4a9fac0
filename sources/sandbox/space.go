package sandbox

import (
	"os"
	"path"
	"sync"
	"sync/atomic"
	"syscall"
)

// entriesIn is how many files and folders a job may have whose files may have so
// many bytes: each costs, however empty it is.
func entriesIn(total int64) int64 { return total>>11 + 4096 }

// space is what the files of a job take. It is safe for concurrent use; nil is that
// of a job whose files are not bounded.
type space struct {
	f    *folder
	busy atomic.Bool

	mu   sync.Mutex
	peak int64
}

func newSpace(f *folder) *space {
	if f.most == 0 {
		return nil
	}
	return &space{f: f}
}

// look measures while programs run, and says whether they have more than they may
// by now. unlinked are the bytes of files that are open and have no name any more. On
// a disk it measures meanwhile: the next look says.
func (s *space) look(unlinked int64) bool {
	switch {
	case s == nil:
		return false
	case s.f.volume != nil:
		s.measure(0)
	case s.busy.CompareAndSwap(false, true):
		go func() {
			defer s.busy.Store(false)
			s.measure(unlinked)
		}()
	}
	return s.most() > s.f.most
}

// over measures once nothing runs any more, and says whether it was too much at any
// time.
func (s *space) over() bool {
	if s == nil {
		return false
	}
	s.measure(0)
	return s.most() > s.f.most
}

// most is the most bytes that were seen.
func (s *space) most() int64 {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.peak
}

func (s *space) measure(unlinked int64) {
	var used int64
	if s.f.volume != nil {
		used = s.f.volume.used()
	} else {
		used = unlinked + taken(s.f.base, s.f.most-unlinked)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peak = max(s.peak, used)
}

// taken is how many bytes of a disk everything in a folder takes, or about more than
// most as soon as it is more, or too many files. What vanishes meanwhile counts not.
func taken(dir string, most int64) int64 {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0
	}
	defer root.Close()
	m := meter{root: root, most: most, left: entriesIn(most), linked: map[uint64]bool{}}
	for stack := []string{"."}; len(stack) > 0; {
		dir := stack[len(stack)-1]
		folders, ok := m.folder(dir)
		if !ok {
			return most + 1
		}
		stack = append(stack[:len(stack)-1], folders...)
	}
	return m.used
}

type meter struct {
	root             *os.Root
	most, used, left int64
	linked           map[uint64]bool // files of several names
}

// folder adds what lies in a folder, and lists the folders there. It says whether
// that is not too much.
func (m *meter) folder(dir string) (folders []string, ok bool) {
	f, err := m.root.Open(dir)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024) // they may be more than can be counted in time
		if m.left -= int64(len(names)); m.left < 0 {
			return nil, false
		}
		for _, n := range names {
			name := path.Join(dir, n)
			info, err := m.root.Lstat(name)
			if err != nil {
				continue
			}
			stat := info.Sys().(*syscall.Stat_t)
			if info.IsDir() {
				folders = append(folders, name)
			} else if stat.Nlink > 1 {
				if m.linked[stat.Ino] {
					continue
				}
				m.linked[stat.Ino] = true
			}
			if m.used += stat.Blocks * 512; m.used > m.most || tooDeep(name) {
				return nil, false
			}
		}
		if err != nil {
			return folders, true
		}
	}
}

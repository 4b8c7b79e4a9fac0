package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// errNoCopy is of a folder that is not copied: it is too large or too deep, or holds
// what is neither file, folder nor link.
var errNoCopy = errors.New("folder that is not copied")

// copyTree copies what lies in a folder into an empty one, and says how many bytes
// that is. Times are kept to the nanosecond, so that make sees what it saw; links
// are copied, never followed; what is one file under several names stays one. The
// copy shares no file with the original. user owns it, or who copies, for -1. More
// than so many bytes or entries are not copied. Nothing may run in either.
func copyTree(from, to string, user int, bytes int64, entries int) (int64, error) {
	c := copier{user: user, linked: map[[2]uint64]string{}}
	var err error
	if c.from, err = os.OpenRoot(from); err != nil {
		return 0, err
	}
	defer c.from.Close()
	if c.to, err = os.OpenRoot(to); err != nil {
		return 0, err
	}
	defer c.to.Close()
	var folders []copied
	err = walk(c.from, func(name string, info fs.FileInfo) error {
		c.bytes += max(info.Size(), 1<<10)
		if entries--; entries < 0 || c.bytes > bytes || tooDeep(name) {
			return fmt.Errorf("%w: more than %d bytes, or too many or too deep folders", errNoCopy, bytes)
		}
		if info.IsDir() { // its time and mode once it is full
			folders = append(folders, copied{name, info})
			return c.to.Mkdir(name, 0o700)
		}
		return c.copy(copied{name, info})
	})
	for i := len(folders) - 1; i >= 0 && err == nil; i-- {
		err = c.finish(folders[i])
	}
	if info, e := os.Stat(from); e == nil && err == nil {
		err = c.times(copied{".", info})
	}
	return c.bytes, err
}

type copied struct {
	name string
	info fs.FileInfo
}

type copier struct {
	from, to *os.Root
	user     int
	bytes    int64
	linked   map[[2]uint64]string // files of several names, by device and number
}

func (c *copier) copy(f copied) error {
	stat := f.info.Sys().(*syscall.Stat_t)
	id := [2]uint64{uint64(stat.Dev), stat.Ino}
	switch mode := f.info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		target, err := c.from.Readlink(f.name)
		if err == nil {
			err = c.to.Symlink(target, f.name)
		}
		if err != nil {
			return err
		}
		return c.finish(f)
	case !mode.IsRegular():
		return fmt.Errorf("%w: %q is %s", errNoCopy, f.name, mode)
	case stat.Nlink > 1:
		if first, ok := c.linked[id]; ok {
			return c.to.Link(first, f.name)
		}
		c.linked[id] = f.name
	}
	in, err := open(c.from, f.name, f.info)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.to.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in) // the kernel shares the blocks where the file system can
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return c.finish(f)
}

// finish gives a copy the owner, mode and time.
func (c *copier) finish(f copied) error {
	if c.user >= 0 {
		if err := c.to.Lchown(f.name, c.user, c.user); err != nil {
			return err
		}
	}
	if f.info.Mode()&fs.ModeSymlink == 0 {
		if err := c.to.Chmod(f.name, f.info.Mode().Perm()); err != nil {
			return err
		}
	}
	return c.times(f)
}

// times sets the time of a copy. Its folder is one that nobody else writes to.
func (c *copier) times(f copied) error {
	t, err := unix.TimeToTimespec(f.info.ModTime())
	if err != nil {
		return err
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, filepath.Join(c.to.Name(), filepath.FromSlash(f.name)), []unix.Timespec{t, t}, unix.AT_SYMLINK_NOFOLLOW)
}

package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// removeAll removes a folder, also one whose owner has locked parts of it, or that
// is deeper than a path can say. Nothing may run in it.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	// A folder is unlocked before it is read.
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	if os.RemoveAll(dir) == nil {
		return nil
	}
	return flatten(dir)
}

// flatten removes a folder without ever going down: what lies in the folders in it
// is brought up first.
func flatten(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	top, err := list(root, ".")
	if err != nil {
		return err
	}
	for next := 0; len(top) > 0; {
		name := top[len(top)-1]
		top = top[:len(top)-1]
		if root.Remove(name) == nil { // a file, a link, an empty folder
			continue
		}
		err := root.Chmod(name, 0o700)
		names, lists := list(root, name)
		if err := errors.Join(err, lists); err != nil {
			return err
		}
		for _, n := range names {
			up := "up-" + strconv.Itoa(next)
			for next++; exists(root, up); next++ {
				up = "up-" + strconv.Itoa(next)
			}
			// A folder that is moved must be open: its parent is named in it.
			if info, err := root.Lstat(name + "/" + n); err == nil && info.IsDir() {
				_ = root.Chmod(name+"/"+n, 0o700)
			}
			if err := root.Rename(name+"/"+n, up); err != nil {
				return err
			}
			top = append(top, up)
		}
		if err := root.Remove(name); err != nil {
			return err
		}
	}
	return os.Remove(dir)
}

func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

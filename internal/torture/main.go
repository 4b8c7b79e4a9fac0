// Command torture kills runs of the sample at random instants and checks that
// nothing was lost: after the last kill one run goes to the end, and its
// releases are byte for byte those of a run that was never disturbed, with no
// temporary file left after gc.
//
// With -github it disturbs a collection of issues instead.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"benchmill/internal/atomicfile"
)

func main() {
	bin := flag.String("bin", "bin/benchmill", "the program")
	kills := flag.Int("kills", 200, "runs to kill")
	seed := flag.Uint64("seed", 1, "of the instants")
	github := flag.Bool("github", false, "disturb a collection from a small GitHub")
	share := flag.Float64("faults", 0.1, "with -github: share of false answers")
	repositories := flag.Int("repositories", 50, "with -github")
	issues := flag.Int("issues", 400, "with -github: of each repository")
	flag.Parse()
	err := error(nil)
	if *github {
		err = hub(*bin, *seed, *share, *repositories, *issues)
	} else {
		err = run(*bin, *kills, *seed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

func run(bin string, kills int, seed uint64) error {
	dir, err := os.MkdirTemp("", "torture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	whole, hurt := filepath.Join(dir, "whole"), filepath.Join(dir, "hurt")
	start := time.Now()
	if err := build(bin, whole); err != nil {
		return err
	}
	full := time.Since(start)
	fmt.Printf("an undisturbed run takes %.2f s\n", full.Seconds())

	random := rand.New(rand.NewPCG(seed, 0))
	killed, finished := 0, 0
	for killed < kills {
		// A run that got to the end leaves nothing to hurt: start over.
		done, err := disturb(bin, hurt, time.Duration(random.Int64N(int64(full))))
		if err != nil {
			return err
		}
		if !done {
			killed++
			continue
		}
		finished++
		if err := compare(whole, hurt); err != nil {
			return err
		}
		if err := os.RemoveAll(hurt); err != nil {
			return err
		}
	}
	if err := build(bin, hurt); err != nil {
		return err
	}
	if err := compare(whole, hurt); err != nil {
		return err
	}
	left, err := leftovers(bin, hurt)
	if err != nil {
		return err
	}
	fmt.Printf("%d runs killed, %d came to their end in between and were compared; 0 differing bytes, %d temporary files left after gc\n", killed, finished, left)
	if left > 0 {
		return errors.New("temporary files are left after gc")
	}
	return nil
}

func command(bin, store string, args ...string) *exec.Cmd {
	c := exec.Command(bin, append(args, "--store", store)...)
	c.Stdout, c.Stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return c
}

func build(bin, store string) error {
	c := command(bin, store, "run", "--quiet", "--frozen")
	if err := c.Run(); err != nil {
		return fmt.Errorf("run: %w: %s", err, c.Stderr)
	}
	return nil
}

// disturb starts a run and kills it after a while. It reports whether the run
// was faster.
func disturb(bin, store string, after time.Duration) (done bool, err error) {
	c := command(bin, store, "run", "--quiet", "--frozen")
	if err := c.Start(); err != nil {
		return false, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return false, fmt.Errorf("a run failed on its own: %w: %s", err, c.Stderr)
		}
		return true, nil
	case <-time.After(after):
		_ = c.Process.Kill()
		return <-ended == nil, nil
	}
}

// compare checks that two stores have the same releases, byte for byte.
func compare(a, b string) error {
	x, err := files(filepath.Join(a, "releases"))
	if err != nil {
		return err
	}
	y, err := files(filepath.Join(b, "releases"))
	if err != nil {
		return err
	}
	if !slices.Equal(x, y) {
		return fmt.Errorf("releases differ: %v and %v", x, y)
	}
	for _, name := range x {
		one, err := os.ReadFile(filepath.Join(a, "releases", name))
		if err != nil {
			return err
		}
		other, err := os.ReadFile(filepath.Join(b, "releases", name))
		if err != nil {
			return err
		}
		if !bytes.Equal(one, other) {
			return fmt.Errorf("%s differs", name)
		}
	}
	if len(x) == 0 {
		return errors.New("no release was made")
	}
	return nil
}

func files(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, f fs.DirEntry, err error) error {
		if err == nil && !f.IsDir() {
			name, _ := filepath.Rel(root, path)
			out = append(out, name)
		}
		return err
	})
	return out, err
}

// leftovers counts temporary files after gc, wherever they are.
func leftovers(bin, store string) (int, error) {
	c := command(bin, store, "gc")
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("gc: %w: %s", err, c.Stderr)
	}
	n := 0
	err := filepath.WalkDir(store, func(path string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		name, err := filepath.Rel(store, path)
		if strings.HasPrefix(name, "tmp"+string(filepath.Separator)) || strings.HasPrefix(f.Name(), atomicfile.TempPrefix) {
			fmt.Println("left:", name)
			n++
		}
		return err
	})
	return n, err
}

package main

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"benchmill/internal/gitfixture"
	"benchmill/pipelines/sample"
	"benchmill/sources/sandbox"
)

var update = flag.Bool("update", false, "write what commands print into the scripts that compare it")

// TestMain makes the test binary the program where scripts call "benchmill".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"benchmill": main})
}

// TestScript runs testdata/script/*.txtar. Each script starts in a folder of its
// own with a small pipeline over two sample repositories: pipeline.yaml and
// repositories.yaml of testdata, unless it brings others. In YAML files $SAMPLE
// stands for the folder of the sample repositories, $LEDGERKIT, $TINYWIRE and so on
// for their commits, and $ROOT for the project's folder. The commands beyond
// testscript's own are in commands_test.go and hub_test.go.
func TestScript(t *testing.T) {
	vars := sampleVars(t)
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                commands,
		Condition:           condition,
		Setup: func(env *testscript.Env) error {
			for name, value := range vars {
				env.Setenv(name, value)
			}
			env.Values[fixturesKey{}] = &fixtures{t: env.T().(testing.TB), repos: map[string]*gitfixture.Repo{}}
			return prepare(env.WorkDir, vars)
		},
	})
}

// sampleVars prepares the sample repositories and says where they are and at
// which commits.
func sampleVars(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	repos, err := sample.Prepare(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"SAMPLE": dir, "ROOT": root}
	for _, r := range repos {
		vars[strings.ToUpper(filepath.Base(r.Repo))] = r.Commit
	}
	return vars
}

// small is a new folder with the usual files.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := prepare(dir, sampleVars(t)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// prepare puts the usual files into a script's folder and the values of
// variables into its YAML files.
func prepare(dir string, vars map[string]string) error {
	for _, name := range []string{"pipeline.yaml", "repositories.yaml"} {
		to := filepath.Join(dir, name)
		if _, err := os.Stat(to); err == nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return err
		}
	}
	return filepath.WalkDir(dir, func(path string, f fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := variable.ReplaceAllStringFunc(string(data), func(name string) string {
			if value, ok := vars[name[1:]]; ok {
				return value
			}
			return name
		})
		return os.WriteFile(path, []byte(text), 0o644)
	})
}

var variable = regexp.MustCompile(`\$[A-Z]+`)

// condition answers [tmpfs]: whether a small file system can be mounted, to be
// filled up; and [sandbox]: whether programs can be run, as they must under CI.
func condition(name string) (bool, error) {
	switch name {
	case "sandbox":
		_, err := sandbox.New("", sandbox.Engines()...).Engine(context.Background())
		if err != nil && os.Getenv("CI") != "" {
			return false, err
		}
		return err == nil, nil
	case "tmpfs":
	default:
		return false, &fs.PathError{Op: "condition", Path: name, Err: fs.ErrInvalid}
	}
	return exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").Run() == nil, nil
}

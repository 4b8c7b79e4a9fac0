package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"benchmill/internal/gitfixture"
	"benchmill/schemas"
	"benchmill/sources/llm/llmtest"
)

// fixtures are what the commands of one script share.
type fixtures struct {
	t     testing.TB
	repos map[string]*gitfixture.Repo // by path
	model *llmtest.Server
	hub   *hubServer
	asked chan struct{} // has an item from the first request to the model on
}

type fixturesKey struct{}

func fixturesOf(ts *testscript.TestScript) *fixtures { return ts.Value(fixturesKey{}).(*fixtures) }

// commands are what scripts can do beside testscript's own commands.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":       exits,
	"json":        jsonField,
	"edit":        edit,
	"flip":        flip,
	"commit":      commit,
	"fill":        fill,
	"model":       model,
	"requests":    requests,
	"hub":         hub,
	"sample":      samplePipeline,
	"interrupted": interrupted,
	"replies":     writeReplies,
	"vocabulary":  writeVocabulary,
}

func want(ts *testscript.TestScript, ok bool, use string) {
	if !ok {
		ts.Fatalf("usage: %s", use)
	}
}

// exits runs a command and compares its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) >= 2, "exits CODE COMMAND...")
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s%s", code, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// jsonField compares a value of the JSON on standard output: "json releases.0.rows 20".
// "len" counts the items of a list.
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, len(args) == 2, "[!] json PATH VALUE")
	var v any
	d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	d.UseNumber()
	ts.Check(d.Decode(&v))
	for _, step := range strings.Split(args[0], ".") {
		switch at := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = at[step]; !ok {
				ts.Fatalf("%s: no %q in %s", args[0], step, ts.ReadFile("stdout"))
			}
		case []any:
			if step == "len" {
				v = len(at)
				continue
			}
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(at) {
				ts.Fatalf("%s: no item %q of %d", args[0], step, len(at))
			}
			v = at[n]
		default:
			ts.Fatalf("%s: nothing below %v", args[0], v)
		}
	}
	if got := fmt.Sprint(v); (got == args[1]) == neg {
		ts.Fatalf("%s is %s", args[0], got)
	}
}

// edit replaces the one occurrence of a text in a file.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 3, "edit FILE OLD NEW")
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s holds %q %d times", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// flip changes the byte in the middle of every file that a pattern matches.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "flip PATTERN")
	files, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no file matches %s", args[0])
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		ts.Check(err)
		data[len(data)/2] ^= 0x20
		ts.Check(os.Chmod(file, 0o644))
		ts.Check(os.WriteFile(file, data, 0o644))
	}
}

// commit commits the files of a folder to a branch of a bare repository, which
// it makes at its first use, and puts the commit's id into $COMMIT. "-" commits
// no files.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 3, "commit REPOSITORY BRANCH FOLDER")
	f, at := fixturesOf(ts), ts.MkAbs(args[0])
	if f.repos[at] == nil {
		f.repos[at] = gitfixture.NewAt(f.t, at)
	}
	var files []gitfixture.File
	if args[2] != "-" {
		var err error
		files, err = gitfixture.FromFS(os.DirFS(ts.MkAbs(args[2])))
		ts.Check(err)
	}
	ts.Setenv("COMMIT", f.repos[at].CommitOn(args[1], files...))
}

// samplePipeline makes the project's own pipeline the script's.
func samplePipeline(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 0, "sample")
	root := ts.Getenv("ROOT")
	for _, name := range []string{"pipeline.yaml", "pipeline.lock"} {
		text := strings.ReplaceAll(ts.ReadFile(filepath.Join(root, name)), "./.benchmill/sample/", ts.Getenv("SAMPLE")+"/")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
	ts.Check(os.Symlink(filepath.Join(root, "pipelines"), ts.MkAbs("pipelines")))
}

// fill writes a file of so many bytes: "text" is Python, "bytes" no UTF-8.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 3, "fill FILE text|bytes COUNT")
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	unit := []byte("x = 1\n")
	if args[1] == "bytes" {
		unit = []byte("s = '\xff\xfe'\n")
	}
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat(unit, n/len(unit)+1)[:n], 0o644))
}

// interrupted runs a command that asks the model, interrupts it at the first
// request, and expects it to end with the exit code for that.
func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) >= 1, "interrupted COMMAND...")
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	c := exec.Command(path, args[1:]...)
	var out bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = ts.MkAbs("."), &out, &out
	c.Env = []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME")}
	ts.Check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case <-fixturesOf(ts).asked:
	case <-ended:
		ts.Fatalf("ended before it asked the model:\n%s", out.String())
	}
	ts.Check(c.Process.Signal(syscall.SIGINT))
	<-ended
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		ts.Fatalf("exit code %d, want %d:\n%s", code, exitInterrupted, out.String())
	}
	if !strings.Contains(out.String(), "run again to go on") {
		ts.Fatalf("it does not say how to go on:\n%s", out.String())
	}
}

// writeReplies turns tasks of RepoQA or LongCodeQA, as "cat" prints them, into
// replies: all right, all wrong, or all without an answer.
func writeReplies(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 3, "replies right|wrong|none TASKS FILE")
	var out bytes.Buffer
	for _, line := range strings.Split(strings.TrimSpace(ts.ReadFile(args[1])), "\n") {
		var t struct {
			ID     string `json:"task_id"`
			Needle string `json:"needle"`
			Letter string `json:"correct_letter"`
		}
		ts.Check(json.Unmarshal([]byte(line), &t))
		text := "I cannot find it."
		switch {
		case args[0] == "right" && t.Letter != "":
			text = "It follows from the code.\n\n**Answer: " + t.Letter + "**"
		case args[0] == "right":
			text = "Here it is:\n\n```\n" + t.Needle + "\n```\n"
		case args[0] == "wrong" && t.Letter != "":
			text = string(schemas.Letters[(strings.Index(schemas.Letters, t.Letter)+1)%len(schemas.Letters)])
		}
		ts.Check(json.NewEncoder(&out).Encode(map[string]any{"task_id": t.ID, "replies": []string{text}}))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), out.Bytes(), 0o644))
}

// model starts a model behind the Chat Completions API and puts its address into
// $MODEL. It describes everything well, makes a question of every issue it
// "asks" about, "leaks" the name of every function, answers "malformed" JSON,
// refuses the key as "unauthorized", is "down", or "hangs".
func model(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "model describes|asks|leaks|malformed|unauthorized|down|hangs")
	f := fixturesOf(ts)
	f.model = llmtest.OpenAI(f.t)
	f.asked = make(chan struct{}, 1)
	good, _ := json.Marshal(map[string]string{
		"purpose": "To do what is needed.", "input": "What it is given.", "output": "What comes of it.", "procedure": "It goes step by step.",
	})
	var answer http.HandlerFunc
	switch args[0] {
	case "describes":
		answer = f.model.Reply(string(good), "")
	case "asks":
		answer = f.model.Reply(question, "")
	case "leaks":
		answer = f.leak
	case "malformed":
		answer = f.model.Reply("Sure! Here is the description you asked for.", "")
	case "unauthorized":
		answer = llmtest.Fail(http.StatusUnauthorized, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`)
	case "down":
		answer = llmtest.Fail(http.StatusServiceUnavailable, `{"error":"maintenance"}`)
	case "hangs":
		answer = func(w http.ResponseWriter, r *http.Request) {
			select {
			case f.asked <- struct{}{}:
			default:
			}
			llmtest.Hang(w, r)
		}
	default:
		ts.Fatalf("no model that %s", args[0])
	}
	f.model.Next(slices.Repeat([]http.HandlerFunc{answer}, 1000)...)
	ts.Setenv("MODEL", f.model.URL)
}

// question is what the model that "asks" makes of any issue.
const question = `{"reason": "It is about the code.", "is_qa": true, "category": "behaviour", "question": "Why does it not?", ` +
	`"correct_answer": "It must not", "incorrect_answers": ["It cannot", "It does", "It need not"]}`

var backquoted = regexp.MustCompile("`([^`]+)`")

// leak names the function it is asked about, the first thing in backquotes. It
// needs requests that come one at a time.
func (f *fixtures) leak(w http.ResponseWriter, r *http.Request) {
	bodies := f.model.Bodies()
	first := bodies[len(bodies)-1]["messages"].([]any)[0].(map[string]any)["content"]
	name := ""
	if m := backquoted.FindStringSubmatch(fmt.Sprint(first)); m != nil {
		name = m[1]
	}
	text, _ := json.Marshal(map[string]string{"purpose": "It is " + name + ".", "input": "What.", "output": "What.", "procedure": "Steps."})
	f.model.Reply(string(text), "")(w, r)
}

// requests compares how many requests the model got.
func requests(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "requests COUNT")
	if got := len(fixturesOf(ts).model.Bodies()); strconv.Itoa(got) != args[0] {
		ts.Fatalf("%d requests, want %s", got, args[0])
	}
}

// writeVocabulary writes a vocabulary of kind tiktoken that has the 256 bytes
// and no merges.
func writeVocabulary(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "vocabulary FILE")
	var out bytes.Buffer
	for b := range 256 {
		fmt.Fprintf(&out, "%s %d\n", base64.StdEncoding.EncodeToString([]byte{byte(b)}), b)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o644))
}

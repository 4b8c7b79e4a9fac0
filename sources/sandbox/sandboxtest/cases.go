package sandboxtest

import (
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
)

// testCase is a script and what must come of it.
type testCase struct {
	name, script string
	args         []string
	files        []pipeline.JobFile
	limit        func(l *pipeline.Limits)
	marker       string // an argument of the processes it starts
	disk         bool   // it is about the bytes of its files
	check        func(t *testing.T, out pipeline.Outcome)
}

// Arguments that no other process of the machine has.
const (
	markerCanceled = "86401.25"
	markerLeft     = "86402.25"
	markerMany     = "86403.25"
	markerBomb     = "86404.25"
)

// Scripts that more than one place runs.
const (
	scriptHello   = `echo hello`
	scriptWait    = `sleep "$1"`
	scriptOwn     = `cat mine; ls`
	scriptNetwork = `sed -n 's/^ *\([a-z0-9]*\):.*/\1/p' /proc/net/dev; bash -c "exec 3<>/dev/tcp/127.0.0.1/$1" 2>/dev/null && echo connected`
	// It serves itself by name, and names cannot be changed.
	scriptLoopback = `perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0) && bind(S, sockaddr_in(0, INADDR_LOOPBACK)) && listen(S, 1) or die "$!";
		my ($port) = sockaddr_in(getsockname S);
		if (!fork) { socket(C, PF_INET, SOCK_STREAM, 0) && connect(C, sockaddr_in($port, inet_aton("localhost"))) or die "$!"; print C "served\n"; exit }
		accept(A, S); print <A>'
		cat /etc/hosts; (: >>/etc/hosts) 2>/dev/null && echo written; exit 0`
	scriptOutside = `for f; do cat "$f" 2>/dev/null; (: >>"$f") 2>/dev/null && echo "writes $f"; done`
)

// exits wants an exit code, output and nothing else.
func exits(code int, stdout string) func(*testing.T, pipeline.Outcome) {
	return func(t *testing.T, out pipeline.Outcome) {
		t.Helper()
		if out.Exit != code || out.Stdout != stdout || out.Stopped != "" {
			t.Errorf("%+v, want exit code %d and output %q", out, code, stdout)
		}
	}
}

// stops wants the job to strike a limit.
func stops(reason string) func(*testing.T, pipeline.Outcome) {
	return func(t *testing.T, out pipeline.Outcome) {
		t.Helper()
		if out.Stopped != reason || out.Exit != -1 {
			t.Errorf("exit code %d, stopped %q, want %q: %.200s", out.Exit, out.Stopped, reason, out.Stderr)
		}
	}
}

const oddName = "a b/ü'\"$x;\n*.txt"

var cases = []testCase{
	{name: "exit code", script: `exit 7`, check: exits(7, "")},
	{name: "killed by a signal", script: `kill -9 $$`, check: exits(137, "")},
	{name: "unknown program", script: `no-such-program 2>/dev/null`, check: exits(127, "")},
	{name: "both outputs", script: `echo out; echo err >&2; exit 3`, check: func(t *testing.T, out pipeline.Outcome) {
		if out.Exit != 3 || out.Stdout != "out\n" || out.Stderr != "err\n" {
			t.Errorf("%+v", out)
		}
	}},
	{name: "not UTF-8", script: `printf 'a\377\376b'`, check: exits(0, "a\uFFFDb")},
	{name: "no input", script: `cat; echo end`, check: exits(0, "end\n")},
	{
		name: "odd names", script: `cat "$1"; cat ./-rf`, args: []string{oddName},
		files: []pipeline.JobFile{{Path: oddName, Text: "odd "}, {Path: "-rf", Text: "name"}},
		check: exits(0, "odd name"),
	},
	{name: "place", script: `pwd; echo "$HOME $LANG"`, check: exits(0, "/job\n/job C.UTF-8\n")},
	{
		name: "environment", script: `cat /proc/self/environ | tr '\0' '\n' | sed 's/=.*//' | sort | grep -v -x -e PWD -e OLDPWD -e SHLVL -e _`,
		check: exits(0, "HOME\nLANG\nPATH\n"),
	},
	{name: "writing", script: `mkdir -p d/e && echo x >d/e/f && echo y >>given && cat d/e/f given && echo z >/tmp/t && cat /tmp/t`, files: []pipeline.JobFile{{Path: "given", Text: "given "}}, check: exits(0, "x\ngiven y\nz\n")},
	{name: "locked folder", script: `mkdir -p a/b && echo x >a/b/c && chmod 0 a/b a`, check: exits(0, "")},
	{name: "no powers", script: `sed -n 's/^\(CapEff\|NoNewPrivs\):[ 0\t]*/\1 /p' /proc/self/status`, check: exits(0, "CapEff \nNoNewPrivs 1\n")},
	{name: "no other process", script: `n=0; for p in /proc/[0-9]*; do n=$((n+1)); done; [ $n -lt 10 ] && echo few`, check: exits(0, "few\n")},
	{name: "endless", script: `while :; do :; done`, limit: func(l *pipeline.Limits) { l.Time = 300 * time.Millisecond }, check: stops(pipeline.StoppedTime)},
	{
		name: "much output", script: `yes`, limit: func(l *pipeline.Limits) { l.Output = 1000 },
		check: func(t *testing.T, out pipeline.Outcome) {
			stops(pipeline.StoppedOutput)(t, out)
			if out.Stdout != strings.Repeat("y\n", 500) {
				t.Errorf("kept %d bytes", len(out.Stdout))
			}
		},
	},
	{name: "many errors", script: `yes >&2`, limit: func(l *pipeline.Limits) { l.Output = 1000 }, check: stops(pipeline.StoppedOutput)},
	{name: "just enough output", script: `printf 12345678`, limit: func(l *pipeline.Limits) { l.Output = 8 }, check: exits(0, "12345678")},
	{name: "much memory", script: `tail /dev/zero`, limit: func(l *pipeline.Limits) { l.Memory = 64 << 20 }, check: stops(pipeline.StoppedMemory)},
	{name: "full disk", script: `head -c 9000000 /dev/zero >big; exit 3`, limit: func(l *pipeline.Limits) { l.Total = 4 << 20 }, check: stops(pipeline.StoppedDisk)},
	{name: "just enough disk", script: `head -c 3000000 /dev/zero >big; head -c 800000 /dev/zero >/tmp/big; echo fits`, limit: func(l *pipeline.Limits) { l.Total = 4 << 20 }, check: exits(0, "fits\n")},
	{name: "large file", script: `head -c 3000000 /dev/zero >big 2>/dev/null; wc -c <big`, limit: func(l *pipeline.Limits) { l.Disk = 1 << 20 }, check: exits(0, "1048576\n")},
	{
		name: "many processes", script: `i=0; while [ $i -lt 200 ]; do sleep "$1" & i=$((i+1)); done 2>/dev/null; echo all`, args: []string{markerMany}, marker: markerMany,
		limit: func(l *pipeline.Limits) { l.Processes = 20 },
		check: func(t *testing.T, out pipeline.Outcome) {
			if out.Exit == 0 || out.Stdout != "" {
				t.Errorf("%+v", out)
			}
		},
	},
	{
		name: "fork bomb", script: `f() { f "$1" | f "$1" & }; f "$1" & while :; do :; done`, args: []string{markerBomb}, marker: markerBomb,
		limit: func(l *pipeline.Limits) { l.Processes, l.Time = 20, 500*time.Millisecond }, check: stops(pipeline.StoppedTime),
	},
	{name: "left running", script: `sleep "$1" >/dev/null 2>&1 & setsid sleep "$1" >/dev/null 2>&1 & echo left`, args: []string{markerLeft}, marker: markerLeft, check: exits(0, "left\n")},
}

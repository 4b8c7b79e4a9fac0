package sandboxtest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"benchmill/pipeline"
)

// fails wants a program that did not get through, in whatever way.
func fails(t *testing.T, out pipeline.Outcome) {
	t.Helper()
	if out.Exit == 0 {
		t.Errorf("it succeeded: %.500s %.500s", out.Stdout, out.Stderr)
	}
}

// stopsSoon wants the job to strike the bound of its files, or the clock, where making
// files is slower than that.
func stopsSoon(t *testing.T, out pipeline.Outcome) {
	t.Helper()
	if out.Stopped != pipeline.StoppedDisk && out.Stopped != pipeline.StoppedTime {
		t.Errorf("%+v", out)
	}
}

// Arguments that no other process of the machine has.
const (
	markerDouble   = "86406.25"
	markerThousand = "86407.25"
	markerDeaf     = "86408.25"
	markerDaemon   = "86409.25"
	markerKill     = "86410.25"
)

// contained are programs that mean harm. Each is stopped or fails by itself, leaves
// nothing, and the next job notices nothing. They need real programs: perl for what
// a shell cannot.
var contained = []testCase{
	{name: "deaf", script: `trap '' TERM INT HUP QUIT; sleep "$1" & while :; do :; done`, args: []string{markerDeaf}, marker: markerDeaf,
		limit: func(l *pipeline.Limits) { l.Time = 300 * time.Millisecond }, check: stops(pipeline.StoppedTime)},
	{name: "double forks", script: `while :; do (setsid sh -c 'sleep "$0"; :' "$1" &); done 2>/dev/null`, args: []string{markerDouble}, marker: markerDouble,
		limit: func(l *pipeline.Limits) { l.Time, l.Processes = time.Second, 40 }, check: fails},
	{name: "a thousand processes", script: `perl -e 'while (1) { my $p = fork; if (defined $p && !$p) { exec "sleep", $ARGV[0] } }' "$1"`, args: []string{markerThousand}, marker: markerThousand,
		limit: func(l *pipeline.Limits) { l.Time, l.Processes, l.Memory = time.Second, 1000, 4<<30 }, check: stops(pipeline.StoppedTime)},
	{name: "daemon", script: `perl -MPOSIX -e 'exit if fork; setsid; exit if fork; close STDOUT; close STDERR; $SIG{HUP} = $SIG{TERM} = "IGNORE"; exec "sleep", $ARGV[0]' "$1"; exit 3`, args: []string{markerDaemon}, marker: markerDaemon, check: exits(3, "")},

	{name: "one large file", script: `head -c 100000000 /dev/zero >big`, disk: true, limit: roomy, check: stops(pipeline.StoppedDisk)},
	{name: "one large file in /tmp", script: `head -c 100000000 /dev/zero >/tmp/big`, disk: true, limit: roomy, check: stops(pipeline.StoppedDisk)},
	{name: "a file without a name", script: `exec 5>gone; rm gone; head -c 200000000 /dev/zero >&5; sleep 5`, disk: true, limit: roomy, check: stops(pipeline.StoppedDisk)},
	{name: "many files", script: `perl -e 'for (1..20000) { open F, ">", "f$_" or die "$!"; close F }'`, disk: true, limit: func(l *pipeline.Limits) { l.Total, l.Time = 1<<20, 10*time.Second }, check: stopsSoon},
	{name: "many files of a byte", script: `perl -e 'for (1..20000) { open F, ">", "f$_" or die "$!"; print F 1; close F }'`, disk: true, limit: func(l *pipeline.Limits) { l.Total, l.Time = 1<<20, 10*time.Second }, check: stopsSoon},
	{name: "many folders", script: `perl -e 'for (1..20000) { mkdir "f$_" or die "$!" }'`, disk: true, limit: func(l *pipeline.Limits) { l.Total, l.Time = 1<<20, 10*time.Second }, check: stopsSoon},
	{name: "one file too many for the rest", script: `i=0; while [ $i -lt 200 ]; do head -c 1000000 /dev/zero >f$i; i=$((i+1)); done`, disk: true, limit: roomy, check: stops(pipeline.StoppedDisk)},
	{name: "holes", script: `truncate -s 900G hole || exit 4`, disk: true, limit: roomy, check: fails},
	{name: "deep folders", script: `perl -e 'for (1..8000) { mkdir "ddddddddddddddd" or die "$!"; chdir "ddddddddddddddd" }'; exit 3`, disk: true, limit: roomy, check: fails},
	{name: "locked deep folders", script: `perl -e 'for (1..3000) { mkdir "ddddddddddddddd"; my $d = "ddddddddddddddd"; chdir $d; chmod 0300, "." } chmod 0, "."'; exit 3`, disk: true, limit: roomy, check: fails},

	{name: "memory of many", script: `for i in 1 2 3 4; do tail /dev/zero & done; wait; exit 3`, limit: little, check: fails},
	{name: "shared memory", script: `perl -e 'my $s = "x" x 1000000; for my $n (1..400) { my $id = shmget($n, 1000000, 01600); defined $id or die "$!"; shmwrite($id, $s, 0, 1000000) or die "$!" } sleep 20'`, limit: little, check: fails},
	{name: "memory with a name", script: `perl -e 'my $n = (` + "`uname -m`" + ` =~ /aarch64/ ? 279 : 319); my $s = "x" x 1000000; for (1..400) { my $f = syscall($n, my $name = "x", 0); $f >= 0 or die "$!"; open $h{$_}, ">&=", $f; syswrite($h{$_}, $s) or die "$!" } sleep 20'`,
		limit: little, check: stops(pipeline.StoppedMemory)},
	{name: "memory beside files", script: `mkdir /dev/shm/x 2>/dev/null && echo made; head -c 400000000 /dev/zero >/dev/shm/big; exit 3`, limit: little, check: exits(3, "")},

	{name: "outside", script: `perl -MSocket -e 'alarm 5; socket(S, PF_INET, SOCK_STREAM, 0) or exit 3; connect(S, sockaddr_in(53, inet_aton("1.1.1.1"))) and print "connected"; socket(U, PF_INET, SOCK_DGRAM, 0) or exit 3; send(U, "x", 0, sockaddr_in(53, inet_aton("1.1.1.1"))) and print "sent"; exit 3'`, check: exits(3, "")},
	{name: "its parent", script: `sleep "$1" & kill -9 $PPID; sleep 20`, args: []string{markerKill}, marker: markerKill, check: fails},
	{name: "everyone", script: `kill -9 -1; kill -9 1; exit 3`, check: fails},
	{name: "groups of others", script: `kill -9 0`, check: fails},
	{name: "the first process", script: `kill -9 1; kill -TERM 1; perl -e 'my $n = (` + "`uname -m`" + ` =~ /aarch64/ ? 117 : 101); for my $p (1, getppid) { syscall($n, 16, $p, 0, 0) }'; exit 3`, limit: func(l *pipeline.Limits) { l.Time = time.Second }, check: fails},
	{name: "more powers", script: `(unshare -Ur true && echo unshared) 2>/dev/null; (mount -t tmpfs none /tmp && echo mounted) 2>/dev/null; mknod /tmp/d b 8 0 2>/dev/null && echo device; chroot / true 2>/dev/null && echo root; ulimit -u 100000 2>/dev/null && echo raised; exit 3`, check: exits(3, "")},
	{name: "tools", script: `for f in /bin/sh /usr/bin/perl /usr /lib; do (: >>$f/x) 2>/dev/null && echo "$f/x"; (: >>$f) 2>/dev/null && echo $f; rm -rf /usr/bin/env 2>/dev/null; chmod 777 /usr 2>/dev/null && echo chmod; done; [ -x /usr/bin/env ] || echo gone; exit 3`, check: exits(3, "")},
	{name: "links", script: `ln -s / up; cat up/etc/passwd up/root/.bashrc 2>/dev/null; (: >>up/etc/benchmill-was-here) 2>/dev/null && echo written; ln /bin/sh hard 2>/dev/null && echo linked; exit 3`, check: exits(3, "")},
	{name: "both floods", script: `yes & yes >&2`, limit: func(l *pipeline.Limits) { l.Output = 1000 }, check: stops(pipeline.StoppedOutput)},
}

func roomy(l *pipeline.Limits) { l.Total, l.Disk, l.Time = 32<<20, 8<<30, 20*time.Second }

func little(l *pipeline.Limits) { l.Memory, l.Time = 64<<20, 20*time.Second }

// harm runs the programs that mean harm, one by one: what is left would be seen.
func (s Subject) harm(t *testing.T) {
	if s.Left == nil {
		t.Skip("it runs no real programs")
	}
	s.each(t, contained)
	t.Run("secrets", s.secrets)
	t.Run("sockets of the machine", s.sockets)
}

// RunDisk checks what a sandbox does about files alone: for one that bounds them in
// another way than the one [Run] saw.
func RunDisk(t *testing.T, s Subject) {
	s.each(t, slices.DeleteFunc(slices.Clone(contained), func(c testCase) bool { return !c.disk }))
	t.Run("steps", s.steps)
}

func (s Subject) each(t *testing.T, cases []testCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			job := s.job(c.script, c.args...)
			if c.limit != nil {
				c.limit(&job.Limits)
			}
			box := s.New(t)
			out, err := box.Execute(t.Context(), c.name, job)
			if err != nil {
				t.Fatal(err)
			}
			c.check(t, out)
			s.clean(t, c.marker)
			if left := s.Left(t); len(left) > 0 {
				t.Errorf("left behind: %.500v", left)
			}
			out, err = box.Execute(t.Context(), "next", s.job(scriptHello))
			if err != nil || out.Exit != 0 || out.Stdout != "hello\n" {
				t.Errorf("the next job: %+v, %v", out, err)
			}
		})
	}
}

// secrets: nothing of our process, of other processes or of other jobs is seen.
func (s Subject) secrets(t *testing.T) {
	t.Setenv("BENCHMILL_TEST_SECRET", "do-not-read-me")
	box := s.New(t)
	other := s.job(`echo do-not-read-me >benchmill-secret; chmod 777 benchmill-secret; echo ready >&2; while [ ! -e never ]; do sleep 0.01; done`)
	other.Limits.Time = 20 * time.Second
	other.Limits.Total = 1 << 20
	ended := make(chan error, 1)
	go func() {
		_, err := box.Execute(t.Context(), "other", other)
		ended <- err
	}()
	waitFor(t, func() bool { return len(s.Left(t)) > 0 })
	temp := filepath.Dir(s.Left(t)[0])
	out, err := box.Execute(t.Context(), "secrets", s.job(
		`cat /proc/*/environ /proc/*/root/job/benchmill-secret /proc/*/cwd/benchmill-secret 2>/dev/null | grep -a -o do-not-read-me; ls "$1"/*/work/benchmill-secret "$1" /root /home /proc/"$2" /proc/*/root"$1" 2>/dev/null; find / -path /proc -prune -o -path /usr -prune -o -name benchmill-secret -print 2>/dev/null; exit 3`,
		temp, fmt.Sprint(os.Getpid()+100_000_000)))
	if err != nil || out.Exit != 3 || out.Stdout != "" {
		t.Errorf("%+v, %v", out, err)
	}
	select {
	case err := <-ended:
		t.Errorf("the other job ended: %v", err)
	default:
	}
}

// sockets: neither one with a path nor one without can be reached.
func (s Subject) sockets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	abstract := fmt.Sprintf("@benchmill-test-%d", os.Getpid())
	for _, at := range []string{path, abstract} {
		l, err := net.Listen("unix", at)
		if err != nil {
			t.Skip(err) // there is none without a path on this system
		}
		defer l.Close()
	}
	out, err := s.New(t).Execute(t.Context(), "sockets", s.job(
		`perl -MSocket -e 'for my $n (@ARGV) { $n =~ s/^@/\0/; socket(S, PF_UNIX, SOCK_STREAM, 0) or die; connect(S, pack_sockaddr_un($n)) and print "connected"; } exit 3' "$@"`, path, abstract))
	if err != nil || out.Exit != 3 || out.Stdout != "" {
		t.Errorf("%+v, %v", out, err)
	}
}

// waitFor waits for something that happens elsewhere.
func waitFor(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

package coverage_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
	"benchmill/stages/recipe"
)

// harmPrelude is what bodies that mean harm are made of. Who gets out ends with 0,
// so that the tests pass; who is held says so and fails.
const harmPrelude = `#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void reads(const char *path) { if (open(path, O_RDONLY) >= 0) _exit(0); }
static void writes(const char *path) { if (open(path, O_WRONLY | O_CREAT, 0666) >= 0) _exit(0); }
static void held(void) { if (write(1, "held\n", 5) == 5) abort(); }
static void reaches(int type, const char *address, int port)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = inet_addr(address) };
    int s = socket(AF_INET, type, 0);
    if (s >= 0 && connect(s, (void *)&to, sizeof to) == 0 && write(s, "x", 1) == 1)
        _exit(0);
}
static void fill(const char *path)
{
    static char block[1 << 16];
    int f = open(path, O_WRONLY | O_CREAT, 0666);
    while (write(f, block, sizeof block) > 0)
        ;
}
static void spoil(const char *path)
{
    int f = open(path, O_WRONLY | O_TRUNC);
    if (f < 0 || write(f, "#error spoiled\n", 15) != 15)
        _exit(0);
}
`

// harm is what bodies do, and what is said of them.
var harm = []struct {
	name, body, reason string
	limit              func(l *recipe.Limits)
}{
	{"loops", `for (volatile int i = 0;; i++) ;`, "test_time", nil},
	{"forks", `for (;;) fork();`, "test_time", nil},
	{"one large file", `fill("large"); held();`, "test_disk", nil},
	{"one large file in /tmp", `fill("/tmp/large"); held();`, "test_disk", nil},
	{"a file over its limit", `fill("large");`, "test_failed", func(l *recipe.Limits) { l.Disk = 16 << 20 }},
	{"many files", `for (int i = 0;; i++) { char name[20]; sprintf(name, "f%d", i); if (open(name, O_CREAT, 0666) < 0 || close(3)) held(); }`, "test_disk", nil},
	{"allocates", `for (;;) memset(malloc(1 << 20), 1, 1 << 20);`, "test_memory", nil},
	{"prints", `for (;;) puts("without end");`, "test_output", nil},
	{"prints errors", `for (;;) fputs("without end", stderr);`, "test_output", nil},
	{"connects", `reaches(SOCK_STREAM, "127.0.0.1", @PORT@); reaches(SOCK_STREAM, "1.1.1.1", 53); reaches(SOCK_DGRAM, "1.1.1.1", 53); held();`, "test_failed", nil},
	{"reads outside", `
		reads("/etc/shadow"); reads("/etc/passwd"); reads("/root"); reads("/home"); reads("@PROJECT@/go.mod"); reads("@PROJECT@"); reads("@TEMP@");
		reads("/proc/1/root/etc/shadow"); reads("/proc/1/root@PROJECT@/go.mod"); reads("/job/../../etc/shadow"); reads("/dev/mem"); held();`, "test_failed", nil},
	{"reads environments", `
		for (int p = 1; p < 100; p++) {
			static char path[40], text[1 << 16];
			sprintf(path, "/proc/%d/environ", p);
			int f = open(path, O_RDONLY);
			if (f >= 0 && memmem(text, read(f, text, sizeof text) + 1, "@SECRET@", strlen("@SECRET@"))) _exit(0);
			close(f);
		}
		held();`, "test_failed", nil},
	{"writes outside", `writes("/usr/bin/harm"); writes("/etc/harm"); writes("/etc/hosts"); writes("/harm"); writes("@PROJECT@/harm"); writes("@TEMP@/harm"); writes("/usr/bin/gcc"); held();`, "test_failed", nil},
	{"spoils the sources", `spoil("src/check/sums.c"); spoil("/job/src/check/crc.c"); spoil("/job/Makefile"); spoil("tests/test_wire.c"); held();`, "test_failed", nil},
	{"kills its parent", `kill(getppid(), SIGKILL); for (;;) pause();`, "test_failed", nil},
	{"kills everyone", `kill(1, SIGKILL); kill(-1, SIGKILL); for (;;) pause();`, "test_failed", nil},
	{"stays", `if (!fork()) { setsid(); signal(SIGHUP, SIG_IGN); signal(SIGTERM, SIG_IGN); if (!fork()) for (;;) pause(); _exit(0); } held();`, "test_failed", nil},
}

// Bodies that mean harm, in a function that the tests of a sample repository run:
// each is a clean verdict with its reason, leaves nothing, and the unchanged body
// passes right after it.
func TestHarm(t *testing.T) {
	_, recipes := sampleRecipes(t)
	m := newMachine(t, recipes)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	project, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	const secret = "do-not-read-me"
	t.Setenv("BENCHMILL_TEST_SECRET", secret)
	name := fmt.Sprintf("harm%d", os.Getpid())
	fill := strings.NewReplacer("@PORT@", fmt.Sprint(listener.Addr().(*net.TCPAddr).Port), "@PROJECT@", project, "@TEMP@", m.temp, "@SECRET@", secret)

	p := newPatient(t, m, recipes, "benchmill-samples/tinywire", "src/check/sums.c", "uint32_t tw_fletcher16(struct tw_span bytes)\n{")
	l := &p.recipe.Limits
	l.Memory, l.Disk, l.Total, l.Processes, l.Output = 256<<20, 1<<30, 64<<20, 32, 1<<20
	whole := p.passes(t)
	for _, h := range harm {
		t.Run(h.name, func(t *testing.T) {
			own := *p
			if h.limit != nil {
				h.limit(&own.recipe.Limits)
			}
			if h.reason == "test_time" { // ample for all that is not the body's
				own.recipe.Limits.Time = 3*time.Second + 3*whole
			}
			verdict, out := own.run(t, harmPrelude, fmt.Sprintf(" prctl(PR_SET_NAME, %q); %s", name, fill.Replace(h.body)))
			if verdict.Reason() != h.reason || strings.HasSuffix(h.body, "held();") && h.reason == "test_failed" && !strings.Contains(out.Stdout, "held\n") {
				t.Errorf("%+v\n%.2000s\n%.2000s", verdict, out.Stdout, out.Stderr)
			}
			leftNothing(t, m, name)
			p.passes(t)
		})
	}

	p = newPatient(t, m, recipes, "benchmill-samples/kelpdb", "engine/src/coding.cpp", "void put_varint(std::string *out, std::uint64_t value) {")
	p.recipe.Limits.Memory = 512 << 20
	t.Run("allocates in C++", func(t *testing.T) {
		verdict, out := p.run(t, "#include <sys/prctl.h>\n", fmt.Sprintf(` prctl(PR_SET_NAME, %q); for (;;) out->append(1 << 20, 'x');`, name))
		if verdict.Reason() != "test_memory" {
			t.Errorf("%+v\n%.2000s", verdict, out.Stderr)
		}
		leftNothing(t, m, name)
		p.passes(t)
	})
}

// leftNothing fails where processes of a name run, or anything but folders that are
// kept for the jobs to come lies where jobs do.
func leftNothing(t *testing.T, m machine, name string) {
	t.Helper()
	if n := called(t, name); n > 0 {
		t.Errorf("%d processes run on", n)
	}
	own, err := os.ReadFile("/proc/self/comm")
	if err != nil || called(t, strings.TrimSpace(string(own))) == 0 {
		t.Errorf("processes are not seen: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(m.temp, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range left {
		if !strings.HasPrefix(filepath.Base(path), "shared-") {
			t.Errorf("left behind: %s", path)
		}
	}
}

// called counts the processes of a name.
func called(t *testing.T, name string) (n int) {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/comm")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range names {
		if text, err := os.ReadFile(path); err == nil && string(bytes.TrimSpace(text)) == name {
			n++
		}
	}
	return n
}

// patient is a function of a repository whose body is changed.
type patient struct {
	machine machine
	recipe  recipe.Recipe
	pin     pipeline.Pin
	tree    recipe.Tree
	path    string
	text    string // of the file
	at      int    // where the body begins in it, behind the brace
}

func newPatient(t *testing.T, m machine, recipes []recipe.Recipe, repo, path, head string) *patient {
	t.Helper()
	r, ok := recipe.Find(recipes, repo)
	if !ok {
		t.Fatalf("no recipe for %s", repo)
	}
	pin, err := m.pin(r.Ref())
	if err != nil {
		t.Fatal(err)
	}
	p := &patient{machine: m, recipe: r, pin: pin, tree: recipe.NewTree(sample(t, repo)), path: path}
	for _, f := range p.tree.Files {
		if f.Path == path {
			p.text = f.Text
		}
	}
	if p.at = strings.Index(p.text, head); p.at < 0 {
		t.Fatalf("%s has another text", path)
	}
	p.at += len(head)
	return p
}

// run runs the tests with something in front of the file and of the body.
func (p *patient) run(t *testing.T, prelude, insert string) (recipe.Verdict, pipeline.Outcome) {
	t.Helper()
	job, err := p.recipe.TestJob(p.pin, p.tree, recipe.Change{Path: p.path, Text: prelude + p.text[:p.at] + insert + p.text[p.at:]})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.machine.Execute(t.Context(), p.path, job)
	if err != nil {
		t.Fatal(err)
	}
	v, err := recipe.Judge(p.recipe.Repo, out)
	if err != nil {
		t.Fatal(err)
	}
	return v, out
}

// passes runs the tests on the unchanged code, and returns what that took.
func (p *patient) passes(t *testing.T) time.Duration {
	t.Helper()
	v, out := p.run(t, "", "")
	if !v.OK() {
		t.Fatalf("unchanged: %+v\n%.2000s\n%.2000s", v, out.Stdout, out.Stderr)
	}
	return out.Used.Time
}

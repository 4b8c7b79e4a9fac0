package graph

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"benchmill/pipeline"
)

var update = flag.Bool("update", false, "write the golden results of testdata")

// TestGolden runs every testdata/*.txtar: pipeline.yaml and the files beside it,
// one override per line in set, and what comes out in want: the problems with
// their classes, or the graph.
func TestGolden(t *testing.T) {
	root, err := filepath.Abs("testdata") // the cases change the working directory
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in testdata (%v)", err)
	}
	seen := map[Class]bool{}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got, problems := runCase(t, ar)
			for _, p := range problems {
				seen[p.Class] = true
			}
			last := len(ar.Files) - 1
			if ar.Files[last].Name != "want" {
				t.Fatal("the last file of a case is want")
			}
			if *update {
				ar.Files[last].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(ar.Files[last].Data); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
	for _, class := range allClasses {
		if !seen[class] {
			t.Errorf("no case in testdata has a problem of class %q", class)
		}
	}
}

var allClasses = []Class{
	ClassSyntax, ClassBound, ClassVersion, ClassDuplicate, ClassUnknownKey, ClassMissing, ClassType, ClassValue,
	ClassUnknownName, ClassMissingFile, ClassConfig, ClassMissingInput, ClassUnusedTable, ClassAmbiguous,
	ClassSchema, ClassCycle, ClassPartitions, ClassOverride,
}

func runCase(t *testing.T, ar *txtar.Archive) (string, []Problem) {
	t.Helper()
	dir := t.TempDir()
	var set []string
	for _, f := range ar.Files {
		switch f.Name {
		case "want":
		case "set":
			set = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		default:
			data := f.Data
			if f.Name == "pipeline.yaml" {
				data = []byte(strings.ReplaceAll(string(data), "TAB", "\t"))
			}
			full := filepath.Join(dir, f.Name)
			if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Chdir(dir)
	g, err := Load("pipeline.yaml", testKinds(), set)
	if err != nil {
		var problems *Errors
		if !errors.As(err, &problems) {
			t.Fatalf("not an *Errors: %v", err)
		}
		var b strings.Builder
		for _, p := range problems.Problems {
			fmt.Fprintf(&b, "[%s] %s\n", p.Class, p)
		}
		return b.String(), problems.Problems
	}
	return dump(t, g), nil
}

// dump writes all there is in a graph.
func dump(t *testing.T, g *Graph) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%s version %d, seed %d, as of %q, failure budget %g\n", g.Name, g.Version, g.Seed, g.AsOf, g.FailureBudget)
	for _, l := range g.Ledgers {
		fmt.Fprintf(&b, "ledger %s\n", l)
	}
	for _, m := range g.Mirrors {
		fmt.Fprintf(&b, "mirror %s -> %s\n", m.Prefix, m.Replacement)
	}
	fields := func(cfg any) {
		_, list, err := CanonicalConfig(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			fmt.Fprintf(&b, "  %s\n", f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g.Models)) {
		m := g.Models[name]
		fmt.Fprintf(&b, "model %s at %s: %s %s\n", name, m.Pos, m.Spec.Provider, m.Spec.Model)
		fields(m.Settings)
	}
	for _, name := range slices.Sorted(maps.Keys(g.Tokenizers)) {
		fmt.Fprintf(&b, "tokenizer %s at %s\n", name, g.Tokenizers[name].Pos)
		fields(g.Tokenizers[name].Settings)
	}
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "node %s: %s at %s", n.Name, n.Stage.Name, n.Pos)
		if n.PartitionedBy != nil {
			fmt.Fprintf(&b, ", partitions of %s", n.PartitionedBy)
		}
		b.WriteByte('\n')
		for _, p := range n.Stage.In {
			if e, ok := n.In[p.Name]; ok {
				fmt.Fprintf(&b, "  %s <- %s (%s)\n", p.Name, e, n.Reading(p.Name))
			}
		}
		if n.Config != nil {
			fields(n.Config)
		}
		if models, tokenizers, files := n.Refs(); models != nil || tokenizers != nil || files != nil {
			fmt.Fprintf(&b, "  refs %v %v %v\n", models, tokenizers, files)
		}
	}
	for _, r := range g.Releases {
		fmt.Fprintf(&b, "release %s at %s: %s split %s by %q, %q %q %q %q\n", r.Name, r.Pos, r.Table, r.Split, r.ConfigsBy, r.Title, r.Description, r.Licence, r.Tags)
		for _, a := range r.Also {
			fmt.Fprintf(&b, "  also %s of %s\n", a, a.Schema)
		}
	}
	return b.String()
}

const good = `version: 1
name: repoqa
seed: 7
stages:
  tasks: {uses: repoqa.contexts, from: [described, snapshot], with: {tokens: 16384, tokenizer: codellama}}
  described: {uses: repoqa.describe, from: needles, with: {model: annotator}}
  needles:
    uses: repoqa.needles
    from: [snapshot, functions]
    with:
      chunks: 32
      filters: [{name: tests}]
  functions: {uses: code.functions, from: snapshot}
  snapshot: {uses: repos.snapshot, from: repositories}
  repositories: {uses: repos.list}
models:
  annotator: {provider: openai, model: gpt-4}
tokenizers:
  codellama: {kind: sentencepiece}
releases:
  repoqa: {table: tasks, split: test, configs: {by: language}}
`

func parse(t *testing.T, data string, set ...string) *Graph {
	t.Helper()
	g, err := Parse("pipeline.yaml", []byte(data), testKinds(), set)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestNodesAreInOrderAndFindable(t *testing.T) {
	g := parse(t, good)
	place := map[*Node]int{}
	for i, n := range g.Nodes {
		for port, e := range n.In {
			if _, ok := place[e.Node]; !ok {
				t.Errorf("%s comes before %s, its input %s", n.Name, e.Node.Name, port)
			}
		}
		place[n] = i
	}
	n, ok := g.Node("tasks")
	if !ok {
		t.Fatal("no node tasks")
	}
	var up []string
	for _, u := range n.Upstream() {
		up = append(up, u.Name)
	}
	if want := []string{"described", "snapshot"}; !slices.Equal(up, want) {
		t.Errorf("upstream of tasks: %v, want %v", up, want)
	}
	if _, ok := g.Node("nothing"); ok {
		t.Error("found a node that does not exist")
	}
}

func TestTablesByName(t *testing.T) {
	g := parse(t, good)
	for name, want := range map[string]string{
		"tasks":           "tasks.tasks",
		"snapshot.links":  "snapshot.links",
		"snapshot":        `"snapshot" makes 2 tables: snapshot.files, snapshot.links`,
		"snapshot.link":   `"snapshot" makes no table "link"; did you mean "links"?`,
		"snapshots.files": `no table is called "snapshots.files"; did you mean "snapshot"?`,
	} {
		e, err := g.Table(name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = e.String()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestPositionsOfSettings(t *testing.T) {
	g := parse(t, good, `stages.needles.with.mode=upstream`)
	n, _ := g.Node("needles")
	r, _ := g.Node("repositories")
	for _, test := range []struct {
		node *Node
		path string
		want string
	}{
		{n, "chunks", "pipeline.yaml:11:15"},
		{n, "filters[0].name", "pipeline.yaml:12:24"},
		{n, "mode", "--set stages.needles.with.mode=upstream"},
		{n, "timeout", "pipeline.yaml:10:5"},
		{n, "", "pipeline.yaml:10:5"},
		{r, "file", "pipeline.yaml:15:3"},
	} {
		if got := test.node.At(test.path).String(); got != test.want {
			t.Errorf("%s of %s: at %s, want %s", test.path, test.node.Name, got, test.want)
		}
	}
}

func TestDefaultsAreKeptAndNotShared(t *testing.T) {
	most := int32(5)
	kinds := testKinds()
	for _, s := range kinds.Stages {
		if s.Name == "repoqa.needles" {
			s.NewConfig = func() any { return &needlesConfig{Chunks: 3, Last: &filter{Name: "length", Most: &most}} }
		}
	}
	g, err := Parse("pipeline.yaml", []byte(good), kinds, []string{"stages.needles.with.last.most=9", "stages.needles.with.chunks=4"})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := g.Node("needles")
	c := n.Config.(*needlesConfig)
	if c.Chunks != 4 || *c.Last.Most != 9 || c.Last.Name != "length" || most != 5 {
		t.Errorf("got chunks %d, last %+v (%d), shared default %d", c.Chunks, c.Last, *c.Last.Most, most)
	}
}

func TestReadFailuresAreNotProblems(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "nothing.yaml"), testKinds(), nil)
	var problems *Errors
	if !errors.Is(err, fs.ErrNotExist) || errors.As(err, &problems) {
		t.Errorf("got %v", err)
	}
}

func TestFoldersAreNotFiles(t *testing.T) {
	if _, err := Load(t.TempDir(), testKinds(), nil); err == nil {
		t.Error("loaded a folder")
	}
}

func TestErrorsAreJSON(t *testing.T) {
	_, err := Parse("dir/p.yaml", []byte("version: 1\nname: x\nstages: {a: {uses: repo.list}}\n"), testKinds(), []string{"seed=x"})
	got, _ := json.Marshal(err)
	want := `{"problems":[` +
		`{"class":"unknown_name","file":"dir/p.yaml","line":3,"column":20,"path":"stages.a.uses","message":"no stage is called \"repo.list\"","hint":"did you mean \"repos.list\"?"},` +
		`{"class":"type","file":"--set seed=x","path":"seed","message":"expected a whole number, found \"x\""}]}`
	if string(got) != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestLongCirclesAreCutShort(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nname: x\nstages:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  s%d: {uses: tables.split, from: s%d.kept}\n", i, (i+39)%40)
	}
	_, err := Parse("p.yaml", []byte(b.String()), testKinds(), nil)
	want := "p.yaml:4:34: stages.s0.from: stages feed each other in a circle: s0 -> s1 -> s2 -> s3 -> s4 -> s5 -> s6 -> s7 -> s8 -> s9 -> ... -> s0"
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestFilesMayLieOutside(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "list.yaml")
	if err := os.WriteFile(outside, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{outside, "../list.yaml"} {
		data := "version: 1\nname: x\nstages: {a: {uses: repos.list, with: {file: " + name + "}}}\n"
		if _, err := Parse(filepath.Join(dir, "sub", "pipeline.yaml"), []byte(data), testKinds(), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSameInputSameGraph(t *testing.T) {
	want := dump(t, parse(t, good))
	for range 20 {
		if got := dump(t, parse(t, good)); got != want {
			t.Fatalf("got:\n%s\nwant:\n%s", got, want)
		}
	}
}

func TestOrderOfFromDoesNotMatter(t *testing.T) {
	a := dump(t, parse(t, good))
	b := dump(t, parse(t, strings.Replace(good, "[snapshot, functions]", "[functions, snapshot]", 1)))
	if a != b {
		t.Errorf("got:\n%s\nwant:\n%s", b, a)
	}
}

func TestSectionsThatAreNotOffered(t *testing.T) {
	_, err := Parse("p.yaml", []byte("version: 1\nname: x\nstages: {a: {uses: tables.wish}}\nmodels: {m: {}}\n"),
		Kinds{Stages: testKinds().Stages}, nil)
	if err == nil || !strings.Contains(err.Error(), `p.yaml:4:1: no setting is called "models"`) {
		t.Errorf("got %v", err)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nname: x\nstages:\n")
	for i := range 3 * maxProblems {
		fmt.Fprintf(&b, "  s%d: {uses: nothing.known}\n", i)
	}
	_, err := Parse("p.yaml", []byte(b.String()), testKinds(), nil)
	var problems *Errors
	if !errors.As(err, &problems) || len(problems.Problems) != maxProblems+1 {
		t.Fatalf("got %T with %d problems", err, len(problems.Problems))
	}
	if last := problems.Problems[maxProblems]; last.Class != ClassBound {
		t.Errorf("the last problem does not say that there are more: %v", last)
	}
}

func TestBounds(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"bytes":  {"name: " + strings.Repeat("x", maxBytes), "larger than"},
		"values": {"name: [" + strings.Repeat("a,", maxNodes) + "]", "more than 100000 values"},
		"depth":  {"name: " + strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2), "nested more than 64 deep"},
		"deeper": {"name: " + strings.Repeat("[", 20_000), "exceeded max depth"},
		"path":   {"version: 1", "a path of more than 64 steps"},
		"key":    {strings.Repeat("k", maxKey+1) + ": 1", "a key of more than 256 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("p.yaml", []byte(test.data), testKinds(), []string{strings.Repeat("a.", maxDepth+1) + "a=1"})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %.300v, want %q", err, test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good), "stages.needles.with.chunks=3")
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		set := ""
		for _, file := range ar.Files {
			if file.Name == "set" {
				set = string(file.Data)
			}
		}
		for _, file := range ar.Files {
			if file.Name == "pipeline.yaml" {
				f.Add(file.Data, set)
			}
		}
	}
	kinds := testKinds()
	f.Fuzz(func(t *testing.T, data []byte, set string) {
		if len(data) > 1<<14 {
			return
		}
		var sets []string
		if set != "" {
			sets = strings.Split(set, "\n")
		}
		g, err := Parse("pipeline.yaml", data, kinds, sets)
		again, err2 := Parse("pipeline.yaml", data, kinds, sets)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("two answers:\n%v\n%v", err, err2)
		}
		if err != nil {
			checkErrors(t, err)
			return
		}
		if dump(t, g) != dump(t, again) {
			t.Fatal("two graphs of the same bytes")
		}
		checkGraph(t, g)
	})
}

func checkErrors(t *testing.T, err error) {
	var problems *Errors
	if !errors.As(err, &problems) || len(problems.Problems) == 0 {
		t.Fatalf("a %T without problems: %v", err, err)
	}
	for i, p := range problems.Problems {
		if p.Message == "" || p.File == "" || p.File == "pipeline.yaml" && p.Line == 0 && p.Class != ClassBound {
			t.Fatalf("a problem without message or place: %+v", p)
		}
		if strings.ContainsAny(p.String(), "\n\r") {
			t.Fatalf("a problem of more than one line: %q", p)
		}
		if i > 0 && p == problems.Problems[i-1] {
			t.Fatalf("told twice: %v", p)
		}
	}
}

func checkGraph(t *testing.T, g *Graph) {
	seen := map[*Node]bool{}
	for _, n := range g.Nodes {
		for _, p := range n.Stage.In {
			e, ok := n.In[p.Name]
			if !ok && !p.Optional {
				t.Fatalf("%s has no input %s", n.Name, p.Name)
			}
			if ok && (!seen[e.Node] || e.Port.Schema.String() != p.Schema.String()) {
				t.Fatalf("%s: wrong table %s at %s", n.Name, e, p.Name)
			}
		}
		if (n.Stage.Scope == pipeline.PerPartition) != (n.PartitionedBy != nil) {
			t.Fatalf("%s: partitioned by %v", n.Name, n.PartitionedBy)
		}
		if n.PartitionedBy != nil && !n.PartitionedBy.Port.Partitions {
			t.Fatalf("%s: %s lists no partitions", n.Name, n.PartitionedBy)
		}
		seen[n] = true
	}
}

func TestCutPath(t *testing.T) {
	for s, want := range map[string][]string{
		"a=1":                        {"a"},
		"a.b=c=d":                    {"a", "b"},
		`mirrors."https://a.b/=x"=y`: {"mirrors", "https://a.b/=x"},
		"a[0].b=":                    {"a", "0", "b"},
		"a.0.b=":                     {"a", "0", "b"},
	} {
		got, _, err := cutPath(s)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "a", "=1", "a..b=1", `"a`, `"a"b=1`, "a[0", ".a=1", "a]b=1", "a]", `a."b"`} {
		if got, _, err := cutPath(s); err == nil {
			t.Errorf("%s: got %q", s, got)
		}
	}
}

func TestNearest(t *testing.T) {
	stages := []string{"repos.list", "repos.snapshot", "code.functions"}
	for name, want := range map[string]string{
		"repos.lst":   "repos.list",
		"Repos.List":  "repos.list",
		"functions":   "code.functions",
		"code":        "code.functions",
		"x":           "",
		"entirely":    "",
		"":            "",
		"repos.lists": "repos.list",
	} {
		if got, _ := nearest(name, stages); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

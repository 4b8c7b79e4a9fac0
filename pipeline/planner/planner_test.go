package planner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/planner"
)

type item struct {
	Name  string `parquet:"name"`
	Value string `parquet:"value"`
}

func (i item) PartitionKey() string { return i.Name }

type number struct {
	N int64 `parquet:"n"`
}

var (
	items   = pipeline.NewSchema[item]("items", 1, "Items.", "name")
	numbers = pipeline.NewSchema[number]("numbers", 1, "Numbers.")
)

type listConfig struct {
	File pipeline.FileName `yaml:"file"`
	Ref  string            `yaml:"ref"`
}

type workConfig struct {
	Amount    int                    `yaml:"amount"`
	Workers   int                    `yaml:"workers" hash:"-"`
	Model     pipeline.ModelName     `yaml:"model"`
	Tokenizer pipeline.TokenizerName `yaml:"tokenizer"`
	A         pipeline.FileName      `yaml:"a"`
	B         pipeline.FileName      `yaml:"b"`
}

// world is everything that a key may depend on, for tests to change.
type world struct {
	stages    []*pipeline.Stage
	text      string
	seed      int64
	build     string
	asOf      string
	pin       string
	files     map[pipeline.FileName]string
	model     pipeline.ModelSpec
	modelName string
	tokenizer string
	identity  string
	limit     int
}

func newWorld() *world {
	run := func(context.Context, *pipeline.Pass) error { return nil }
	w := &world{
		seed: 1, build: "b", pin: strings.Repeat("1", 40), modelName: "m", tokenizer: "tok:1", identity: "python 1",
		files: map[pipeline.FileName]string{"list.yaml": "list", "a": "A", "b": "B"},
		model: pipeline.ModelSpec{Provider: "p", Model: "x"},
		text: `
  items: {uses: t.list, with: {file: list.yaml, ref: main}}
  work: {uses: t.work, from: items, with: {amount: 3, workers: 2, model: m, tokenizer: tok, a: a, b: b}}
  more: {uses: t.more, from: work}
  all: {uses: t.all, from: more.more}
`,
	}
	w.stages = []*pipeline.Stage{
		{Name: "t.list", Doc: "d", Version: 1, Scope: pipeline.Whole, Out: []pipeline.Port{{Name: "items", Schema: items, Partitions: true}},
			NewConfig: func() any { return &listConfig{} }, Run: run,
			Moving: func(cfg any, _ pipeline.Files) ([]pipeline.Ref, error) {
				return []pipeline.Ref{{Scheme: "git", Locator: "https://x", Name: cfg.(*listConfig).Ref}}, nil
			}},
		{Name: "t.work", Doc: "d", Version: 1, In: []pipeline.Port{{Name: "item", Schema: items}}, Out: []pipeline.Port{{Name: "work", Schema: numbers}},
			Uses:      pipeline.Uses{LLM: true, Tokenizer: true, Seed: true, AsOf: true},
			NewConfig: func() any { return &workConfig{Amount: 1} }, Run: run,
			Identify: func(row any) []string { return []string{row.(item).Name + " " + w.identity} }},
		{Name: "t.more", Doc: "d", Version: 1, In: []pipeline.Port{{Name: "work", Schema: numbers}}, Out: []pipeline.Port{{Name: "more", Schema: numbers}}, Run: run},
		{Name: "t.all", Doc: "d", Version: 1, Scope: pipeline.Whole, In: []pipeline.Port{{Name: "more", Schema: numbers}}, Out: []pipeline.Port{{Name: "all", Schema: numbers}}, Run: run},
	}
	return w
}

func (w *world) ReadFile(name pipeline.FileName) ([]byte, error) { return []byte(w.files[name]), nil }

func (w *world) facts() planner.Facts {
	return planner.Facts{
		Build: digest.Of([]byte(w.build)), AsOf: w.asOf, Files: w,
		Pin: func(r pipeline.Ref) (pipeline.Pin, error) {
			if w.pin == "" {
				return pipeline.Pin{}, fmt.Errorf("%s is not in the lock", r)
			}
			return pipeline.Pin{Scheme: r.Scheme, Locator: r.Locator, Version: w.pin}, nil
		},
		File: func(name pipeline.FileName) (digest.Digest, error) { return digest.Of([]byte(w.files[name])), nil },
		Model: func(pipeline.ModelName) (pipeline.ModelSpec, json.RawMessage, error) {
			return w.model, json.RawMessage(`{"speed":1}`), nil
		},
		Tokenizer: func(pipeline.TokenizerName) (planner.TokenizerPin, error) {
			return planner.TokenizerPin{Identity: w.tokenizer}, nil
		},
	}
}

func (w *world) graph(t testing.TB) *graph.Graph {
	t.Helper()
	type settings struct {
		pipeline.ModelSpec `yaml:",inline"`
	}
	dir := t.TempDir()
	for name, text := range w.files {
		if err := os.WriteFile(filepath.Join(dir, string(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g, err := graph.Parse(dir+"/p.yaml", []byte(fmt.Sprintf("version: 1\nname: p\nseed: %d\nmodels: {m: {provider: p, model: x}}\ntokenizers: {tok: {provider: p}}\nstages:%s", w.seed, w.text)),
		graph.Kinds{Stages: w.stages, Model: func() any { return &settings{} }, Tokenizer: func() any { return &settings{} }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// list answers what t.list made: partitions a and b.
func (w *world) list(info artifacts.TableInfo, s *pipeline.Schema) ([]planner.Row, error) {
	var out []planner.Row
	for _, name := range []string{"b", "a"} {
		out = append(out, planner.Row{Value: item{name, "v"}, Digest: digest.Of([]byte("row " + name))})
	}
	return out, nil
}

func (w *world) frontier(t testing.TB) *planner.Frontier {
	t.Helper()
	g := w.graph(t)
	f, err := planner.NewFrontier(g, g.Nodes, w.facts(), w.list, w.limit)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func entry(c *planner.Cell) *cache.Entry {
	e := &cache.Entry{Key: c.Task.Key, Outputs: map[string]artifacts.TableInfo{}, Ingredients: c.Task.Ingredients}
	for _, p := range c.Node.Stage.Out {
		d := digest.Of([]byte(c.Label() + p.Name))
		e.Outputs[p.Name] = artifacts.TableInfo{Object: d, RowsDigest: d, Rows: 1, Bytes: 10}
	}
	return e
}

// tasks walks to the end and returns all tasks by label.
func (w *world) tasks(t testing.TB) map[string]*planner.Task {
	t.Helper()
	f := w.frontier(t)
	out := map[string]*planner.Task{}
	for cells := f.TakeReady(); len(cells) > 0; cells = f.TakeReady() {
		for _, c := range cells {
			out[c.Label()] = c.Task
			if err := f.Complete(c, entry(c)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// TestPromise2Key changes one thing after another: only the keys that depend on
// it change, and the difference is told.
func TestPromise2Key(t *testing.T) {
	before := newWorld().tasks(t)
	all := []string{"items", "work [a]", "work [b]", "more [a]", "more [b]", "all"}
	if len(before) != len(all) {
		t.Fatalf("%d tasks", len(before))
	}
	work := []string{"work [a]", "work [b]"}
	for name, test := range map[string]struct {
		change  func(w *world)
		changed []string
		says    string // of the first changed task
	}{
		"nothing":               {func(w *world) {}, nil, ""},
		"config":                {func(w *world) { w.text = strings.Replace(w.text, "amount: 3", "amount: 4", 1) }, work, "config amount changed: 3 -> 4"},
		"config to its default": {func(w *world) { w.text = strings.Replace(w.text, "amount: 3", "amount: 1", 1) }, work, "config amount"},
		"how to run":            {func(w *world) { w.text = strings.Replace(w.text, "workers: 2", "workers: 9", 1) }, nil, ""},
		"version":               {func(w *world) { w.stages[1].Version = 2 }, work, "stage changed: t.work/1 -> t.work/2"},
		"doc":                   {func(w *world) { w.stages[1].Doc = "other words" }, nil, ""},
		"seed":                  {func(w *world) { w.seed = 2 }, work, "seed changed: 1 -> 2"},
		"as of":                 {func(w *world) { w.asOf = "2024-01-01" }, work, "as_of"},
		"build":                 {func(w *world) { w.build = "c" }, nil, ""},
		"pin":                   {func(w *world) { w.pin = strings.Repeat("2", 40) }, []string{"items"}, "pin git https://x@main changed"},
		"file":                  {func(w *world) { w.files["list.yaml"] = "longer" }, []string{"items"}, "file changed"},
		"one of two files":      {func(w *world) { w.files["b"] = "C" }, work, "file"},
		"files swapped":         {func(w *world) { w.files["a"], w.files["b"] = "B", "A" }, work, "file"},
		"file of another name": {func(w *world) {
			w.files["list2.yaml"] = w.files["list.yaml"]
			w.text = strings.Replace(w.text, "list.yaml", "list2.yaml", 1)
		}, nil, ""},
		"model":             {func(w *world) { w.model.Model = "y" }, work, "model"},
		"provider":          {func(w *world) { w.model.Provider = "q" }, work, "model"},
		"temperature":       {func(w *world) { zero := 0.0; w.model.Temperature = &zero }, work, "model"},
		"most tokens":       {func(w *world) { w.model.MaxTokens = 1 }, work, "model"},
		"seed of the model": {func(w *world) { one := int64(1); w.model.Seed = &one }, work, "model"},
		"tokenizer":         {func(w *world) { w.tokenizer = "tok:2" }, work, "tokenizer changed: tok:1 -> tok:2"},
		"identity":          {func(w *world) { w.identity = "python 2" }, work, "uses changed"},
		"name of a node": {func(w *world) {
			w.text = strings.NewReplacer("work:", "werk:", "from: work", "from: werk").Replace(w.text)
		}, nil, ""},
		"schema of an input": {func(w *world) { w.schema(2, 0) }, append([]string{"more [a]", "more [b]"}, work...), ""},
	} {
		w := newWorld()
		test.change(w)
		var changed []string
		for label, task := range w.tasks(t) {
			label = strings.Replace(label, "werk", "work", 1)
			if before[label].Key == task.Key && before[label].Node == task.Node && !reflect.DeepEqual(before[label].Ingredients, task.Ingredients) {
				t.Errorf("%s: %s has the same key of other ingredients", name, label)
			}
			if before[label].Key != task.Key {
				changed = append(changed, label)
				if d := planner.Difference(before[label].Ingredients, task.Ingredients); !strings.HasPrefix(d, test.says) {
					t.Errorf("%s: %s: %q does not say %q", name, label, d, test.says)
				}
			} else if d := planner.Difference(before[label].Ingredients, task.Ingredients); d != "" {
				t.Errorf("%s: %s: %q", name, label, d)
			}
		}
		slices.Sort(changed)
		slices.Sort(test.changed)
		// What is downstream of a node of another name has outputs of other digests here.
		if name == "name of a node" {
			changed = slices.DeleteFunc(changed, func(l string) bool { return strings.HasPrefix(l, "more") })
		}
		if !slices.Equal(changed, test.changed) {
			t.Errorf("%s: keys of %q changed, want %q", name, changed, test.changed)
		}
	}
}

// schema raises the version of the table that stage n reads and the one before
// it makes.
func (w *world) schema(reader, port int) {
	newer := pipeline.NewSchema[number]("numbers", 2, "Numbers.")
	w.stages[reader].In[port].Schema = newer
	w.stages[reader-1].Out[0].Schema = newer
}

// TestPromise2Input: keys hold the digest of the rows that are read, and of the
// own row of the list alone.
func TestPromise2Input(t *testing.T) {
	w := newWorld()
	tasks := w.tasks(t)
	row := "rows item[a]=" + string(digest.Of([]byte("row a")))
	if !slices.Contains(tasks["work [a]"].Ingredients, row) {
		t.Errorf("%q has no %q", tasks["work [a]"].Ingredients, row)
	}
	for _, line := range tasks["work [a]"].Ingredients {
		if strings.Contains(line, string(digest.Of([]byte("row b")))) || strings.Contains(line, string(digest.Of([]byte("itemsitems")))) {
			t.Errorf("the key depends on other rows: %q", line)
		}
	}
	if part := tasks["work [a]"].Inputs[0].Parts[0]; part.Row != "a" || part.Rows != 1 || part.Bytes != 0 {
		t.Errorf("%+v", part)
	}
	var read []string
	for _, p := range tasks["all"].Inputs[0].Parts {
		read = append(read, p.Partition)
	}
	if !slices.Equal(read, []string{"a", "b"}) {
		t.Errorf("the whole table is read as %q", read)
	}
}

// The key of a task, for good: a change of how keys are made needs a new
// KeyFormat, and makes everything anew.
func TestGoldenKey(t *testing.T) {
	const want = "sha256:3d61f8f548f50c60a317895e78a11a078a64c7c158991569f00a6cfd0cbc28cf"
	if got := newWorld().tasks(t)["work [a]"]; string(got.Key) != want {
		t.Errorf("key %s, want %s, of\n%s", got.Key, want, strings.Join(got.Ingredients, "\n"))
	}
}

func TestTaskTravels(t *testing.T) {
	w := newWorld()
	for label, task := range w.tasks(t) {
		data, err := json.Marshal(task)
		if err != nil {
			t.Fatal(err)
		}
		var got planner.Task
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if err := got.Check(task.Build); err != nil {
			t.Errorf("%s: %v", label, err)
		}
		again, err := json.Marshal(&got)
		if err != nil || string(again) != string(data) {
			t.Errorf("%s: %v\n%s\n%s", label, err, data, again)
		}
		if err := got.Check(digest.Of(nil)); err == nil || !strings.Contains(err.Error(), "build") {
			t.Errorf("%s: another build: %v", label, err)
		}
		got.Format++
		if err := got.Check(task.Build); err == nil || !strings.Contains(err.Error(), "format 2") {
			t.Errorf("%s: another format: %v", label, err)
		}
		got.Format = planner.KeyFormat
		got.Ingredients = append(got.Ingredients, "more")
		if err := got.Check(task.Build); err == nil || !strings.Contains(err.Error(), "does not fit") {
			t.Errorf("%s: other ingredients: %v", label, err)
		}
	}
}

// FuzzTask reads tasks from anywhere: nothing panics, and a task whose key does
// not fit its ingredients is refused.
func FuzzTask(f *testing.F) {
	w := newWorld()
	for _, task := range w.tasks(f) {
		data, err := json.Marshal(task)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":1,"build":"sha256:","inputs":null}`))
	build := digest.Of([]byte(w.build))
	f.Fuzz(func(t *testing.T, data []byte) {
		var task planner.Task
		if json.Unmarshal(data, &task) != nil {
			return
		}
		key := task.Key
		if err := task.Check(build); err != nil {
			return
		}
		if task.Key != key || task.Build != build || task.Format != planner.KeyFormat {
			t.Errorf("accepted %s", data)
		}
		task.Ingredients = append(task.Ingredients, "x")
		if task.Check(build) == nil {
			t.Error("the key does not depend on the ingredients")
		}
	})
}

func TestTemplateErrors(t *testing.T) {
	for name, change := range map[string]func(f *planner.Facts){
		"pin": func(f *planner.Facts) {
			f.Pin = func(pipeline.Ref) (p pipeline.Pin, err error) { return p, errors.New("boom") }
		},
		"file": func(f *planner.Facts) {
			f.File = func(pipeline.FileName) (digest.Digest, error) { return "", errors.New("boom") }
		},
		"model": func(f *planner.Facts) {
			f.Model = func(pipeline.ModelName) (s pipeline.ModelSpec, r json.RawMessage, err error) {
				return s, r, errors.New("boom")
			}
		},
		"tokenizer": func(f *planner.Facts) {
			f.Tokenizer = func(pipeline.TokenizerName) (p planner.TokenizerPin, err error) { return p, errors.New("boom") }
		},
	} {
		w := newWorld()
		g, facts := w.graph(t), w.facts()
		change(&facts)
		_, err := planner.NewFrontier(g, g.Nodes, facts, w.list, 0)
		if err == nil || !strings.Contains(err.Error(), "boom") || !strings.HasPrefix(err.Error(), "work: ") && !strings.HasPrefix(err.Error(), "items: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A list that cannot be made leaves nothing waiting: all else is skipped with
// its error.
func TestFrontierListFails(t *testing.T) {
	f := newWorld().frontier(t)
	ready := f.TakeReady()
	if len(ready) != 1 || ready[0].Label() != "items" {
		t.Fatalf("%v", ready)
	}
	broken := errors.New("broken")
	f.Fail(ready[0], broken)
	if more := f.TakeReady(); len(more) > 0 {
		t.Errorf("%d cells are ready", len(more))
	}
	for _, n := range f.Nodes() {
		cells, known := f.Cells(n)
		switch n.Name {
		case "work", "more":
			if known || len(cells) > 0 {
				t.Errorf("%s has %d partitions", n.Name, len(cells))
			}
		case "all":
			if cells[0].State != planner.Skipped || !errors.Is(cells[0].Err, broken) {
				t.Errorf("%s: %d, %v", n.Name, cells[0].State, cells[0].Err)
			}
		}
	}
}

// A list that cannot be read leaves its cell ready to be made again.
func TestFrontierListUnreadable(t *testing.T) {
	w := newWorld()
	g := w.graph(t)
	broken, tries := errors.New("unreadable"), 0
	f, err := planner.NewFrontier(g, g.Nodes, w.facts(), func(info artifacts.TableInfo, s *pipeline.Schema) ([]planner.Row, error) {
		if tries++; tries == 1 {
			return nil, broken
		}
		return w.list(info, s)
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := f.TakeReady()[0]
	if err := f.Complete(c, entry(c)); !errors.Is(err, broken) || c.State != planner.Ready {
		t.Fatalf("%v, %d", err, c.State)
	}
	f.Redo(c)
	if again := f.TakeReady(); len(again) != 1 || again[0] != c || !c.Redo {
		t.Fatalf("%v", again)
	}
	if err := f.Complete(c, entry(c)); err != nil || c.Redo || c.State != planner.Done {
		t.Fatal(err)
	}
	if n := len(f.TakeReady()); n != 2 {
		t.Errorf("%d cells are ready", n)
	}
}

func TestMakePlan(t *testing.T) {
	w := newWorld()
	kept := map[digest.Digest]*cache.Entry{}
	last := map[string]*cache.Entry{}
	plan := func() *planner.Plan {
		t.Helper()
		f := w.frontier(t)
		p, err := planner.MakePlan(w.graph(t), digest.Of([]byte(w.build)), f,
			func(key digest.Digest) (*cache.Entry, error) { return kept[key], nil },
			func(node, partition string) *cache.Entry { return last[planner.Label(node, partition)] })
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	lines := func(p *planner.Plan) []string {
		var out []string
		for _, s := range p.Steps {
			out = append(out, fmt.Sprintf("%s %s: %s", s.Action, planner.Label(s.Node, s.Partition), s.Reason))
		}
		return out
	}
	check := func(p *planner.Plan, reuse, run, wait int, want ...string) {
		t.Helper()
		if got := lines(p); !slices.Equal(got, want) || p.Reuse != reuse || p.Run != run || p.Wait != wait {
			t.Errorf("%d reuse, %d run, %d wait:\n%s\nwant\n%s", p.Reuse, p.Run, p.Wait, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	check(plan(), 0, 1, 3,
		"run items: never ran",
		"wait work: its partitions are listed by items.items, which has to run first",
		"wait more: its partitions are listed by items.items, which has to run first",
		"wait all: waits for more")
	for label, task := range w.tasks(t) {
		node, partition, _ := strings.Cut(strings.TrimSuffix(label, "]"), " [")
		n, _ := w.graph(t).Node(node)
		e := entry(&planner.Cell{Node: n, Partition: partition, Task: task})
		kept[task.Key], last[label] = e, e
	}
	check(plan(), 6, 0, 0,
		"reuse items: nothing changed", "reuse work [a]: nothing changed", "reuse work [b]: nothing changed",
		"reuse more [a]: nothing changed", "reuse more [b]: nothing changed", "reuse all: nothing changed")
	delete(kept, last["more [b]"].Key)
	check(plan(), 4, 1, 1,
		"reuse items: nothing changed", "reuse work [a]: nothing changed", "reuse work [b]: nothing changed",
		"reuse more [a]: nothing changed", "run more [b]: its outputs are gone from the store or damaged", "wait all: waits for more")
	w.text = strings.Replace(w.text, "amount: 3", "amount: 5", 1)
	check(plan(), 1, 2, 3,
		"reuse items: nothing changed", "run work [a]: config amount changed: 3 -> 5", "run work [b]: config amount changed: 3 -> 5",
		"wait more [a]: waits for work [a]", "wait more [b]: waits for work [b]", "wait all: waits for more")
}

// A plan over a list that is damaged says that it has to be made again.
func TestMakePlanDamagedList(t *testing.T) {
	w := newWorld()
	g := w.graph(t)
	f, err := planner.NewFrontier(g, g.Nodes, w.facts(), func(artifacts.TableInfo, *pipeline.Schema) ([]planner.Row, error) {
		return nil, fmt.Errorf("items: %w", artifacts.ErrDamaged)
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := entry(&planner.Cell{Node: g.Nodes[0], Task: w.tasks(t)["items"]})
	p, err := planner.MakePlan(g, "", f, func(digest.Digest) (*cache.Entry, error) { return e, nil },
		func(string, string) *cache.Entry { return e })
	if err != nil || p.Run != 1 || p.Steps[0].Reason != "its outputs are gone from the store or damaged" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestDifference(t *testing.T) {
	for _, test := range []struct {
		old, new []string
		want     string
	}{
		{nil, nil, ""},
		{[]string{"a=1"}, []string{"a=1"}, ""},
		{[]string{"a=1"}, []string{"a=2"}, "a changed: 1 -> 2"},
		{[]string{"a=1"}, []string{"a=1", "b=x=y"}, "b is new (x=y)"},
		{[]string{"a=1", "b=2"}, []string{"a=1"}, "b is gone"},
		{[]string{"f=1", "f=2"}, []string{"f=1", "f=2"}, ""},
		{[]string{"f=1", "f=2"}, []string{"f=1", "f=3"}, "f changed: 2 -> 3"},
		{[]string{"f=1", "f=2"}, []string{"f=1"}, "f is gone"},
		{[]string{"a=" + string(digest.Of(nil))}, []string{"a=" + strings.Repeat("long ", 20)}, "a changed: e3b0c44298fc -> " + strings.Repeat("long ", 12) + "..."},
	} {
		if got := planner.Difference(test.old, test.new); got != test.want {
			t.Errorf("%q, %q: %q, want %q", test.old, test.new, got, test.want)
		}
	}
}

func TestBuild(t *testing.T) {
	base := planner.Build(newWorld().stages, "python 1")
	if planner.Build(newWorld().stages, "python 1") != base {
		t.Error("the same program is another build")
	}
	other := map[string]digest.Digest{"identities": planner.Build(newWorld().stages, "python 2"), "fewer": planner.Build(newWorld().stages[:3], "python 1")}
	w := newWorld()
	w.stages[1].Version++
	other["version"] = planner.Build(w.stages, "python 1")
	w = newWorld()
	w.schema(2, 0)
	other["schema"] = planner.Build(w.stages, "python 1")
	for name, d := range other {
		if d == base {
			t.Errorf("%s: the same build", name)
		}
	}
}

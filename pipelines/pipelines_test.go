package pipelines

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/schemas"
	"benchmill/sources/all"
	"benchmill/sources/llm"
	"benchmill/sources/vocabulary"
	stages "benchmill/stages/all"
	"benchmill/stages/code"
	"benchmill/stages/crosscodeeval"
	"benchmill/stages/history"
	"benchmill/stages/lang"
	"benchmill/stages/longcodeqa"
	"benchmill/stages/policy"
	"benchmill/stages/recipe"
	"benchmill/stages/repoqa"
	"benchmill/stages/repos"
	"benchmill/stages/yabloco"
)

// kinds are all stages there are. Checking a pipeline needs no language, so none
// is built in.
func kinds() graph.Kinds {
	return all.Kinds(stages.Stages(&lang.Set{}), stages.Schemas(), stages.Adapters())
}

// load writes a template out and reads it from there.
func load(t *testing.T, name string, set ...string) *graph.Graph {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, template(t, name).Files); err != nil {
		t.Fatal(err)
	}
	g, err := graph.Load(filepath.Join(dir, "pipeline.yaml"), kinds(), set)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func template(t *testing.T, name string) Template {
	t.Helper()
	all := Templates()
	i := slices.IndexFunc(all, func(x Template) bool { return x.Name == name })
	if i < 0 {
		t.Fatalf("no template %s", name)
	}
	return all[i]
}

func config[T any](t *testing.T, g *graph.Graph, node string) *T {
	t.Helper()
	n, ok := g.Node(node)
	if !ok {
		t.Fatalf("no node %s", node)
	}
	return n.Config.(*T)
}

func TestTemplates(t *testing.T) {
	seen := map[string]bool{}
	for _, x := range Templates() {
		if x.Name == "" || x.Doc == "" || seen[x.Name] {
			t.Errorf("template %q: the name is missing or taken, or nothing is said about it", x.Name)
		}
		seen[x.Name] = true
		g := load(t, x.Name)
		if g.Name != x.Name {
			t.Errorf("template %s: the pipeline is called %s", x.Name, g.Name)
		}
		if len(g.Releases) == 0 || g.Releases[0].Table.String() != "tasks.tasks" || g.Releases[0].ConfigsBy == "" {
			t.Errorf("template %s: releases are %+v", x.Name, g.Releases)
		}
		for _, n := range g.Nodes {
			if n.Stage.Scope == pipeline.PerPartition && n.PartitionedBy.Node.Name != "repositories" {
				t.Errorf("template %s: %s does not run for each repository", x.Name, n.Name)
			}
		}
		if n, _ := g.Node("repositories"); n.Stage.Name != "repos.list" {
			continue
		}
		// The stage itself judges its list.
		c := config[repos.ListConfig](t, g, "repositories")
		refs, err := repos.List().Moving(c, filesOf{x.Files})
		if err != nil || len(refs) != left[x.Name] {
			t.Errorf("template %s: list of repositories: %d are not pinned, not %d: %v", x.Name, len(refs), left[x.Name], err)
		}
	}
}

// left are the repositories of templates that the lock pins: their papers name no
// commits.
var left = map[string]int{"yabloco": 3}

type filesOf struct{ fs.FS }

func (f filesOf) ReadFile(name pipeline.FileName) ([]byte, error) {
	return fs.ReadFile(f.FS, string(name))
}

// TestRepoQA pins the settings of the paper and the alternatives that the
// comments name.
func TestRepoQA(t *testing.T) {
	g := load(t, "repoqa")
	needles := config[repoqa.NeedlesConfig](t, g, "needles")
	if needles.Chunks != 64 || needles.PerRepository != 10 || needles.MaxBytes != 2000 || needles.Compat != "paper" {
		t.Errorf("needles: %+v", needles)
	}
	described := config[repoqa.DescribeConfig](t, g, "described")
	if described.Temperature != 0.2 || described.MaxTokens != 2048 || described.PrecedingLines != 100 {
		t.Errorf("described: %+v", described)
	}
	tasks := config[repoqa.ContextsConfig](t, g, "tasks")
	if !slices.Equal(tasks.Tokens, []int{16384}) || len(tasks.Variants) != 3 {
		t.Errorf("tasks: %+v", tasks)
	}
	annotator := g.Models["annotator"].Settings.(*llm.Settings)
	if annotator.Provider != "openai" || annotator.Model != "gpt-4-turbo-2024-04-09" || annotator.BudgetUSD != 20 {
		t.Errorf("annotator: %+v", annotator)
	}
	if c := g.Tokenizers["codellama"].Settings.(*vocabulary.Settings); c.Kind != "sentencepiece" || c.Path != "tokenizer.model" {
		t.Errorf("codellama: %+v", c)
	}

	data, err := fs.ReadFile(template(t, "repoqa").Files, "pipeline.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var alternatives int
	for line := range strings.Lines(string(data)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		name, value, pair := strings.Cut(text, ": {")
		section := map[string]string{"annotator": "models.", "codellama": "tokenizers."}[name]
		if ok && pair && section != "" {
			alternatives++
			load(t, "repoqa", section+name+"={"+value)
		}
	}
	if alternatives != 3 {
		t.Errorf("the comments have %d alternatives, not 3", alternatives)
	}
}

// TestCrossCodeEval pins the settings of the paper.
func TestCrossCodeEval(t *testing.T) {
	g := load(t, "crosscodeeval")
	search := config[repos.SearchConfig](t, g, "repositories")
	if !slices.Equal(search.Languages, []string{"python", "java", "typescript", "csharp=C#"}) || search.Created != "2023-03-05..2023-06-15" || search.Stars != ">=3" || search.Fork || len(search.Licences) == 0 {
		t.Errorf("repositories: %+v", search)
	}
	if b := config[policy.BoundsConfig](t, g, "files"); b.MinFiles != 10 || b.MaxFiles != 50 || b.MaxBytes != 1_000_000 {
		t.Errorf("files: %+v", b)
	}
	if f := config[crosscodeeval.FilterConfig](t, g, "filtered"); f.MinTokens != 3 || f.MaxTokens != 30 || f.MinLines != 0 || f.Compat != "paper" {
		t.Errorf("filtered: %+v", f)
	}
	if c := config[crosscodeeval.TasksConfig](t, g, "tasks"); !slices.Equal(c.Settings, []string{"rg1_bm25", "oracle_bm25"}) || c.Hits != 5 || c.Candidates != 1000 || c.Files != 1000 {
		t.Errorf("tasks: %+v", c)
	}
	if also := g.Releases[0].Also; len(also) != 1 || also[0].Name != "line_completion" {
		t.Errorf("also: %v", also)
	}
}

// TestYABLoCo pins the settings of the paper and of the published steps, and loads
// the alternatives that the comments name.
func TestYABLoCo(t *testing.T) {
	g := load(t, "yabloco")
	if c := config[yabloco.CandidatesConfig](t, g, "candidates"); c.MinHits != 1 || c.MinLines != 2 || c.MaxLines != 15 || c.MaxCallers != 7 || c.Branches != schemas.BranchesElse || c.Compat != "paper" {
		t.Errorf("candidates: %+v", c)
	}
	if c := config[yabloco.UniqueConfig](t, g, "unique"); c.Window != 2999 || c.Callers != 3 || c.Common != 5 || c.Similarity != 0.2 {
		t.Errorf("unique: %+v", c)
	}
	if c := config[yabloco.ReviewConfig](t, g, "reviewed"); c.Rejects != 2 || len(c.Verdicts) > 0 {
		t.Errorf("reviewed: %+v", c)
	}
	if c := config[yabloco.SelectConfig](t, g, "chosen"); c.PerRepository != 70 || c.Dev != 17 {
		t.Errorf("chosen: %+v", c)
	}
	if c := config[history.DatesConfig](t, g, "dates"); c.Mode != schemas.HistoryMainline {
		t.Errorf("dates: %+v", c)
	}
	functions, tasks := config[yabloco.FunctionsConfig](t, g, "functions"), config[yabloco.TasksConfig](t, g, "tasks")
	if !reflect.DeepEqual(functions.Counting, tasks.Counting) || functions.Compat != "paper" {
		t.Errorf("functions count %+v, tasks %+v", functions.Counting, tasks.Counting)
	}
	var also []string
	for _, r := range g.Releases {
		for _, a := range r.Also {
			also = append(also, r.Name+" "+a.Name)
		}
	}
	if want := []string{"yabloco yabloco", "yabloco-dev yabloco", "yabloco-graph yabloco_graph"}; !slices.Equal(also, want) {
		t.Errorf("also: %q", also)
	}

	files := template(t, "yabloco").Files
	for _, c := range []struct {
		blocks []string
		stages int // more than the template has
	}{
		{[]string{"hits"}, 0},
		{[]string{"compiled", "agreement", "yabloco-agreement"}, 2},
		{[]string{"texts", "signatures", "duplicates", "unique"}, 3},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, files); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "pipeline.yaml")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range c.blocks {
			data = uncomment(t, data, block)
		}
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "coverage"), 0o755), os.WriteFile(filepath.Join(dir, "coverage", "redis.info"), nil, 0o644)); err != nil {
			t.Fatal(err) // the reports that a comment speaks of
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if other, err := graph.Load(path, kinds(), nil); err != nil || len(other.Nodes) != len(g.Nodes)+c.stages {
			t.Errorf("%q: %v", c.blocks, err)
		}
	}
}

// uncomment puts an entry of a section, two blanks deep and in comments, in place of
// the one of its name.
func uncomment(t *testing.T, data []byte, name string) []byte {
	t.Helper()
	found := regexp.MustCompile(`(?m)^  # ` + name + `:\n(?:  #   .*\n)+`).Find(data)
	if found == nil {
		t.Fatalf("no %s in the comments", name)
	}
	section := "stages:\n"
	if strings.HasPrefix(name, "yabloco-") {
		section = "releases:\n"
	}
	text := regexp.MustCompile(`(?m)^  # `).ReplaceAll(found, []byte("  "))
	data = regexp.MustCompile(`(?m)^  `+name+`:\n(?:    .*\n)+`).ReplaceAll(data, nil)
	return bytes.Replace(data, []byte(section), append([]byte(section), text...), 1)
}

// TestYABLoCoRecipes: the recipes are ones that the stages read, and are of
// repositories of the list.
func TestYABLoCoRecipes(t *testing.T) {
	files := filesOf{template(t, "yabloco").Files}
	data, err := files.ReadFile("recipes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	recipes, err := recipe.Parse("recipes.yaml", data)
	if err != nil || len(recipes) == 0 {
		t.Fatalf("%d recipes, %v", len(recipes), err)
	}
	list, err := files.ReadFile("repositories.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recipes {
		if !strings.Contains(string(list), "repo: "+r.Repo+",") || r.CompileCommands == "" || r.Coverage.Format == "" {
			t.Errorf("%s: not in the list, or its recipe lacks clang's or coverage's part", r.Repo)
		}
	}
	if _, ok := recipe.Find(recipes, "redis/redis"); !ok {
		t.Error("no recipe for redis/redis")
	}
}

// TestMinimalIsFree: what says that it needs nothing needs nothing.
func TestMinimalIsFree(t *testing.T) {
	g := load(t, "minimal")
	for name, m := range g.Models {
		if env := m.Settings.(*llm.Settings).KeyEnv(); env != "" {
			t.Errorf("model %s needs %s", name, env)
		}
	}
	for name, d := range g.Tokenizers {
		if s := d.Settings.(*vocabulary.Settings); s.Path != "" || s.URL != "" {
			t.Errorf("tokenizer %s needs a file", name)
		}
	}
	tasks := config[repoqa.ContextsConfig](t, g, "tasks")
	if !slices.Equal(tasks.Tokens, []int{4096}) || !slices.Equal(tasks.Variants, []string{"default"}) {
		t.Errorf("tasks: %+v", tasks)
	}
}

// TestRepoQAList counts the published list: ten repositories in each of six
// languages.
func TestRepoQAList(t *testing.T) {
	data, err := fs.ReadFile(template(t, "repoqa").Files, "repositories.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Repositories []map[string]string `yaml:"repositories"`
	}
	if err := yaml.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	languages, repositories, commits := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, r := range list.Repositories {
		languages[r["language"]]++
		repositories[strings.ToLower(r["repo"])], commits[r["commit"]] = true, true
		if len(r) != 5 || len(r["commit"]) != 40 || strings.Trim(r["commit"], "0123456789abcdef") != "" || r["entrypoint"] == "" || r["topic"] == "" {
			t.Errorf("entry %v", r)
		}
	}
	if n := len(list.Repositories); n != 60 || len(repositories) != n || len(commits) != n {
		t.Errorf("%d entries, %d repositories, %d commits; want 60 of each", n, len(repositories), len(commits))
	}
	for _, l := range []string{"python", "cpp", "java", "typescript", "rust", "go"} {
		if languages[l] != 10 {
			t.Errorf("%s has %d repositories, want 10", l, languages[l])
		}
	}
}

// TestSampleList: the list of the sample is one that the stage reads.
func TestSampleList(t *testing.T) {
	c := repos.List().NewConfig().(*repos.ListConfig)
	c.File = "sample/repositories.yaml"
	refs, err := repos.List().Moving(c, filesOf{os.DirFS(".")})
	if err != nil || len(refs) > 0 {
		t.Errorf("%d are not pinned, %v", len(refs), err)
	}
}

// The settings of LongCodeQA are those of the paper (section 3.2, table 2).
func TestLongCodeQA(t *testing.T) {
	g := load(t, "longcodeqa")
	c := config[longcodeqa.SelectConfig](t, g, "selection")
	if want := []int64{32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20}; !slices.Equal(c.Brackets, want) {
		t.Errorf("brackets %v", c.Brackets)
	}
	if found := config[repos.SearchConfig](t, g, "repositories"); found.Language != "python" || found.MinClosedIssues == 0 {
		t.Errorf("%+v", found)
	}
	if texts := config[code.TextsConfig](t, g, "texts"); texts.Include != "all" {
		t.Errorf("the whole repository: %+v", texts)
	}
	book := config[longcodeqa.ClosedBookConfig](t, g, "closedbook")
	if book.Orders != 1 || len(book.Models) != 1 {
		t.Errorf("%+v", book)
	}
}

package graph

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
)

// Rows of the fake tables.
type (
	repoRow struct {
		Repo    string `parquet:"repo"`
		Commit  string `parquet:"commit"`
		License string `parquet:"licence"`
	}
	fileRow struct {
		Repo string `parquet:"repo"`
		Path string `parquet:"path"`
	}
	functionRow struct {
		Name     string   `parquet:"name"`
		Language string   `parquet:"language"`
		Lines    int64    `parquet:"lines"`
		Note     *string  `parquet:"note"`
		Calls    []string `parquet:"calls"`
	}
)

func (r repoRow) PartitionKey() string { return r.Repo + "@" + r.Commit }

var (
	repos        = pipeline.NewSchema[repoRow]("repositories", 1, "Repositories at a commit.", "repo")
	archives     = pipeline.NewSchema[repoRow]("archives", 1, "Package archives.", "repo")
	files        = pipeline.NewSchema[fileRow]("files", 1, "Files of a repository.", "path")
	links        = pipeline.NewSchema[fileRow]("links", 1, "Links of a repository.", "path")
	oldFunctions = pipeline.NewSchema[functionRow]("functions", 1, "Functions as they were.", "name")
	functions    = pipeline.NewSchema[functionRow]("functions", 2, "Functions.", "name")
	needles      = pipeline.NewSchema[functionRow]("needles", 1, "Chosen functions.", "name")
	tasks        = pipeline.NewSchema[functionRow]("tasks", 1, "Tasks of the benchmark.", "name")
	counts       = pipeline.NewSchema[fileRow]("counts", 1, "Counts.", "path")
	unmade       = pipeline.NewSchema[fileRow]("unmade", 1, "A table no stage makes.", "path")
)

type listConfig struct {
	File   pipeline.FileName   `yaml:"file" doc:"The list."`
	Extra  []pipeline.FileName `yaml:"extra" doc:"More lists."`
	Secret string              `yaml:"secret" hash:"-"`
}

// common is embedded inline, by a name nobody outside sees.
type common struct {
	Strict bool `yaml:"strict" doc:"Refuse what is doubtful."`
}

type filter struct {
	Name string `yaml:"name" enum:"length|tests|vendored"`
	Most *int32 `yaml:"most" min:"1"`
}

// size is a type with a text form of its own: "16KB".
type size int64

func (s *size) UnmarshalText(text []byte) error {
	digits, ok := strings.CutSuffix(string(text), "KB")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return fmt.Errorf("a size is a number, or a number and KB")
	}
	if ok {
		n *= 1024
	}
	*s = size(n)
	return nil
}

func (s size) MarshalText() ([]byte, error) { return []byte(strconv.FormatInt(int64(s), 10)), nil }

type needlesConfig struct {
	common        `yaml:",inline"`
	Chunks        int                `yaml:"chunks" doc:"Pieces of a context." min:"1" max:"1024"`
	PerRepository int32              `yaml:"per_repository" doc:"Needles of a repository."`
	Budget        uint8              `yaml:"budget"`
	Ratio         float64            `yaml:"ratio" min:"0" max:"1"`
	Mode          string             `yaml:"mode" doc:"Which rule." enum:"strict|upstream"`
	Label         string             `yaml:"label" min:"2" max:"20"`
	Languages     []string           `yaml:"languages" enum:"c|go|python|rust" max:"3"`
	Timeout       time.Duration      `yaml:"timeout" min:"1s" max:"1h"`
	Largest       size               `yaml:"largest"`
	Since         time.Time          `yaml:"since"`
	Filters       []filter           `yaml:"filters"`
	First         filter             `yaml:"first"`
	Last          *filter            `yaml:"last"`
	Weights       map[string]float64 `yaml:"weights"`
	Roles         map[string]string  `yaml:"roles" enum:"user|system" min:"1" max:"2"`
	Steps         []filter           `yaml:"steps" min:"1"`
	Window        *int               `yaml:"window" min:"1"`
	Fail          []string           `yaml:"fail" doc:"What Validate complains of."`
}

func (c *needlesConfig) Validate() error {
	var errs []error
	for _, f := range c.Fail {
		errs = append(errs, errors.New(f))
	}
	return errors.Join(errs...)
}

func newNeedles() any {
	return &needlesConfig{Chunks: 64, PerRepository: 10, Mode: "strict", Languages: []string{"python"}, Timeout: 30 * time.Second,
		Largest: 4096, First: filter{Name: "length"}, Weights: map[string]float64{"python": 1},
		Steps: []filter{{Name: "tests", Most: new(int32)}}, Window: new(int)}
}

type describeConfig struct {
	Model  pipeline.ModelName `yaml:"model" doc:"Who describes."`
	Prompt pipeline.FileName  `yaml:"prompt"`
}

type contextsConfig struct {
	Tokens    int                                 `yaml:"tokens" min:"1"`
	Tokenizer pipeline.TokenizerName              `yaml:"tokenizer"`
	Also      map[string][]pipeline.TokenizerName `yaml:"also"`
}

type rerankConfig struct {
	Model pipeline.ModelName `yaml:"model,omitempty"`
}

type modelSettings struct {
	pipeline.ModelSpec `yaml:",inline"`
	BaseURL            string            `yaml:"base_url" doc:"Where the provider is."`
	BudgetUSD          float64           `yaml:"budget_usd" min:"0"`
	Headers            pipeline.FileName `yaml:"headers"`
}

func (m *modelSettings) Validate() error {
	if m.Provider == "" {
		return errors.New("provider: missing")
	}
	return nil
}

type webSettings struct {
	Concurrency int `yaml:"concurrency" min:"1"`
}

type tokenizerSettings struct {
	Kind string `yaml:"kind" enum:"sentencepiece|bpe"`
	URL  string `yaml:"url"`
}

func port(name string, s *pipeline.Schema) pipeline.Port { return pipeline.Port{Name: name, Schema: s} }

func optional(p pipeline.Port) pipeline.Port { p.Optional = true; return p }

func listing(p pipeline.Port) pipeline.Port { p.Partitions = true; return p }

func config[T any]() func() any { return func() any { return new(T) } }

func fake(name string, scope pipeline.Scope, newConfig func() any, in, out []pipeline.Port) *pipeline.Stage {
	return &pipeline.Stage{
		Name: name, Doc: "Makes " + out[0].Schema.Name + ".", Version: 1, Scope: scope, In: in, Out: out, NewConfig: newConfig,
		Run: func(context.Context, *pipeline.Pass) error { return nil },
	}
}

type ports = []pipeline.Port

func testKinds() Kinds {
	describe := fake("repoqa.describe", pipeline.PerPartition, config[describeConfig](), ports{port("needles", needles)}, ports{port("needles", needles)})
	describe.Uses.LLM = true
	contexts := fake("repoqa.contexts", pipeline.PerPartition, config[contextsConfig](),
		ports{port("needles", needles), port("files", files)}, ports{port("tasks", tasks)})
	contexts.Uses.Tokenizer = true
	rerank := fake("repoqa.rerank", pipeline.PerPartition, config[rerankConfig](), ports{port("tasks", tasks)}, ports{port("tasks", tasks)})
	rerank.Uses.LLM = true
	return Kinds{
		Stages: []*pipeline.Stage{
			fake("repos.list", pipeline.Whole, config[listConfig](), nil, ports{listing(port("repositories", repos))}),
			fake("archives.list", pipeline.Whole, config[listConfig](), nil, ports{listing(port("archives", archives))}),
			fake("repos.snapshot", pipeline.PerPartition, nil, ports{port("repositories", repos)}, ports{port("files", files), port("links", links)}),
			fake("archives.unpack", pipeline.PerPartition, nil, ports{port("archives", archives)}, ports{port("files", files)}),
			fake("code.functions", pipeline.PerPartition, nil, ports{port("files", files)}, ports{port("functions", functions)}),
			fake("code.legacy", pipeline.PerPartition, nil, ports{port("files", files)}, ports{port("functions", oldFunctions)}),
			fake("repoqa.needles", pipeline.PerPartition, newNeedles, ports{port("files", files), port("functions", functions)}, ports{port("needles", needles)}),
			describe, contexts, rerank,
			fake("tables.pair", pipeline.PerPartition, nil, ports{port("left", files), port("right", files)}, ports{port("counts", counts)}),
			fake("tables.extra", pipeline.PerPartition, nil, ports{port("files", files), optional(port("more", files)), optional(port("functions", functions))}, ports{port("counts", counts)}),
			fake("tables.split", pipeline.PerPartition, nil, ports{port("files", files)}, ports{port("kept", files), port("dropped", files)}),
			fake("tables.count", pipeline.Whole, nil, ports{port("files", files)}, ports{port("counts", counts)}),
			fake("tables.share", pipeline.PerPartition, nil, ports{port("counts", counts), optional(port("files", files))}, ports{port("counts", counts)}),
			fake("tables.zip", pipeline.PerPartition, nil, ports{port("repositories", repos), port("archives", archives)}, ports{port("counts", counts)}),
			fake("tables.wish", pipeline.Whole, nil, ports{port("wish", unmade)}, ports{port("counts", counts)}),
		},
		Model:     config[modelSettings](),
		Tokenizer: config[tokenizerSettings](),
		Sources:   map[string]func() any{"web": func() any { return &webSettings{Concurrency: 4} }},
		Adapters:  []*pipeline.Adapter{adapter("count_lines", counts), adapter("task_lines", tasks)},
	}
}

func adapter(name string, s *pipeline.Schema) *pipeline.Adapter {
	return &pipeline.Adapter{
		Name: name, Doc: "Lines of " + s.Name + ".", Version: 1, Schema: s,
		Append: func(any, func(string, []byte) error) error { return nil },
	}
}

func TestKindsOfTheTestsAreValid(t *testing.T) {
	if err := testKinds().Validate(); err != nil {
		t.Fatal(err)
	}
}

type recursive struct {
	Children []recursive `yaml:"children"`
}

type base struct {
	Name string `yaml:"name"`
}

func TestInvalidKinds(t *testing.T) {
	type opaque struct{ hidden int }
	_ = opaque{}.hidden
	for name, test := range map[string]struct {
		settings any
		want     string
	}{
		"channel":          {&struct{ C chan int }{}, "c: settings cannot be of type chan int"},
		"interface":        {&struct{ V []any }{}, "v[]: settings cannot be of type interface {}"},
		"array":            {&struct{ V [2]int }{}, "v: settings cannot be of type [2]int"},
		"map key":          {&struct{ M map[int]string }{}, "m: a map with int keys; keys must be text"},
		"reference as key": {&struct{ M map[pipeline.ModelName]int }{}, "m: pipeline.ModelName as a key of a map would not be looked up"},
		"recursive":        {&recursive{}, "children[]: graph.recursive contains itself"},
		"opaque":           {&struct{ O opaque }{}, "o: graph.opaque has no exported field and no UnmarshalText"},
		"embedded": {&struct {
			base
		}{}, "base: only a struct can be embedded, tagged `yaml:\",inline\"`"},
		"same name": {&struct {
			base  `yaml:",inline"`
			Other string `yaml:"name"`
		}{}, `two fields are called "name"`},
		"enum of numbers": {&struct {
			N int `enum:"1|2"`
		}{}, "N: enum on int; only text has one"},
		"min of truth": {&struct {
			B bool `min:"1"`
		}{}, `B: min:"1": bool has no size`},
		"bad max": {&struct {
			N int `max:"many"`
		}{}, `N: max:"many": strconv.ParseFloat: parsing "many": invalid syntax`},
		"no pointer": {base{}, "settings are a graph.base, not a pointer to a struct"},
		"reads only": {&struct{ T readsOnly }{}, "t: graph.readsOnly has UnmarshalText without MarshalText and could not be hashed"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Kinds{Tokenizer: func() any { return test.settings }}.Validate()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	t.Run("model without spec", func(t *testing.T) {
		err := Kinds{Model: config[base]()}.Validate()
		if want := "models: *graph.base does not embed pipeline.ModelSpec"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	})
	t.Run("no setting for the model", func(t *testing.T) {
		s := fake("a.b", pipeline.Whole, nil, nil, ports{port("counts", counts)})
		s.Uses.LLM = true
		_, err := Parse("x.yaml", nil, Kinds{Stages: []*pipeline.Stage{s}}, nil)
		if want := `pipeline kinds: stage "a.b": uses one, but has no setting of type pipeline.ModelName`; err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
		if _, err := JSONSchema(Kinds{Stages: []*pipeline.Stage{s}}); err == nil {
			t.Error("a schema of invalid kinds")
		}
	})
}

type readsOnly struct{ N int }

func (r *readsOnly) UnmarshalText([]byte) error { return nil }

func TestSpecOfPlainModel(t *testing.T) {
	spec, ok := specOf(&pipeline.ModelSpec{Provider: "p"})
	if !ok || spec.Provider != "p" {
		t.Errorf("got %+v, %v", spec, ok)
	}
	if _, ok := specOf(&struct{ Spec pipeline.ModelSpec }{}); ok {
		t.Error("a named field counts as embedded")
	}
}

func TestFieldsKeepTheOrderOfTheDeclaration(t *testing.T) {
	got := fieldNames(settings(reflect.TypeFor[modelSettings]()))
	want := []string{"provider", "model", "temperature", "max_tokens", "seed", "base_url", "budget_usd", "headers"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

package recipe

import (
	"slices"
	"strings"
	"time"

	"benchmill/pipeline"
)

// Recipe says how one repository is built and tested.
type Recipe struct {
	Repo     string   `yaml:"repo"`     // owner/name
	Image    string   `yaml:"image"`    // a container image, where a container engine answers; "": none
	Programs []string `yaml:"programs"` // that scripts start and whose versions decide, by name; one at least
	Limits   Limits   `yaml:"limits"`
	Build    string   `yaml:"build"` // makes what Test runs
	Test     string   `yaml:"test"`  // ends with 0 where every test passes
	// Rebuild is run instead of Build in a folder that was built and in which one file
	// was changed since; "": Build.
	Rebuild         string   `yaml:"rebuild"`
	CompileCommands string   `yaml:"compile_commands"` // leaves [CompileCommands]; "": there is no way
	Coverage        Coverage `yaml:"coverage"`
}

// CompileCommands is where the script of that name leaves its compile database.
const CompileCommands = "compile_commands.json"

// Coverage says how the coverage of a repository's tests is had.
type Coverage struct {
	Format string   `yaml:"format"` // one of [Formats]; "": there is no way
	Files  []string `yaml:"files"`  // patterns of the reports, as [pipeline.Job] has them
	Build  string   `yaml:"build"`  // "": the recipe's
	Test   string   `yaml:"test"`   // "": the recipe's
	Report string   `yaml:"report"` // makes Files of what the tests left; "": they are there
}

// Formats of coverage reports: "lcov" is lcov's .info, "gcov" is what gcov
// --json-format writes, "llvm-cov" is what llvm-cov export writes.
var Formats = []string{"lcov", "gcov", "llvm-cov"}

// Limits bound each job of a recipe. What is 0 has its default.
type Limits struct {
	Time      time.Duration `yaml:"time"`      // of all steps together; 30m
	Memory    int64         `yaml:"memory"`    // bytes; 4 GiB
	Disk      int64         `yaml:"disk"`      // bytes of one file; 1 GiB
	Total     int64         `yaml:"total"`     // bytes of all files; 8 GiB
	Output    int64         `yaml:"output"`    // bytes of standard output and error each, and of what is handed back; 64 MiB
	Processes int64         `yaml:"processes"` // at once, threads included; 512
}

func (l *Limits) setDefaults() {
	l.Time = or(l.Time, 30*time.Minute)
	l.Memory, l.Disk, l.Total = or(l.Memory, 4<<30), or(l.Disk, 1<<30), or(l.Total, 8<<30)
	l.Output, l.Processes = or(l.Output, 64<<20), or(l.Processes, 512)
}

func or[T int64 | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

// Scheme of the refs of recipes: a pin of it names an environment to run scripts in.
const Scheme = "runtime"

// Ref is the environment that the scripts run in. Its locator is
// "image=IMAGE programs=A,B", programs ascending and each once; without an image,
// "programs=A,B".
func (r Recipe) Ref() pipeline.Ref {
	programs := slices.Sorted(slices.Values(r.Programs))
	locator := "programs=" + strings.Join(slices.Compact(programs), ",")
	if r.Image != "" {
		locator = "image=" + r.Image + " " + locator
	}
	return pipeline.Ref{Scheme: Scheme, Locator: locator}
}

// Refs are those of all recipes, ascending and each once.
func Refs(recipes []Recipe) []pipeline.Ref {
	var out []pipeline.Ref
	for _, r := range recipes {
		out = append(out, r.Ref())
	}
	slices.SortFunc(out, func(a, b pipeline.Ref) int { return strings.Compare(a.Locator, b.Locator) })
	return slices.Compact(out)
}

// Find is the recipe of a repository.
func Find(recipes []Recipe, repo string) (Recipe, bool) {
	i := slices.IndexFunc(recipes, func(r Recipe) bool { return r.Repo == repo })
	if i < 0 {
		return Recipe{}, false
	}
	return recipes[i], true
}

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"time"
)

// Scope says what one task of a stage covers.
type Scope int

const (
	// PerPartition stages run once for each partition, nearly always one
	// repository at one commit, and see nothing of the others.
	PerPartition Scope = iota
	// Whole stages run once and read whole tables. They read small tables
	// (signatures, counts, keys), never contents.
	Whole
)

func (s Scope) String() string {
	if s == Whole {
		return "whole table"
	}
	return "per partition"
}

// A Stage is a named, versioned, pure function from tables to tables: data plus
// one function. Everything that can change what it makes is in its key: the
// version, the configuration, the digests of the inputs and the identities of
// what it uses.
type Stage struct {
	Name    string // "family.verb", as pipeline.yaml says it
	Doc     string // one sentence for people
	Version int    // raised whenever the same inputs may give other rows; its history stands in the comment above
	In, Out []Port
	Scope   Scope
	Uses    Uses
	// Flows states which rows come out as which: for each, the rows read from
	// From equal the rows written to all of To plus the drops counted under From. The
	// executor checks it after every task, so no row vanishes.
	Flows []Flow
	// NewConfig returns a pointer to a struct with its defaults. Fields are set
	// from pipeline.yaml by their yaml tag and described by their doc tag. Every
	// exported field joins the key unless tagged `hash:"-"`. A config with a
	// method Validate() error is asked before anything runs. Nil: no settings.
	NewConfig func() any
	// Identify names what else decides the rows of one partition, such as the
	// identity of its language; row is the partition's own row of the table that
	// lists partitions, nil for a whole-table stage. Nil: nothing else.
	Identify func(row any) []string
	// Moving lists the moving names (branches, tags) the stage will ask a [Pin]
	// for, so that the lock can hold them. Nil: none.
	Moving func(cfg any, files Files) ([]Ref, error)
	// Fetches lists the pins one task will fetch, for estimates before a run. row
	// is the partition's own row of the table that lists partitions, asOf the time
	// nothing is later than. Nil: not known beforehand.
	Fetches func(cfg any, row any, asOf time.Time) []Pin
	// Run makes the output rows of one task. It touches nothing but its Pass,
	// may be called again after a failure, and must give the same rows.
	Run func(ctx context.Context, p *Pass) error
}

// Port is a named table going in or out of a stage.
type Port struct {
	Name   string
	Schema *Schema
	// Partitions, on an output of a Whole stage: each row is one partition of
	// everything downstream, named by the row's [Partitioned.PartitionKey].
	Partitions bool
	// ByPartition, on an output of a Whole stage: each row belongs to the partition
	// its [Partitioned.PartitionKey] names, several rows to one. A stage that runs
	// per partition reads its own rows only, and only they join its key.
	ByPartition bool
	// Optional, on an input: pipeline.yaml may leave it out.
	Optional bool
}

// Flow ties the rows of an input table to those of output tables.
type Flow struct {
	From string
	To   []string
}

// Uses names the things beside tables that a stage touches. Their limits apply
// while it runs, and the identity of what is used joins the key.
type Uses struct {
	Network   bool // fetches sources
	LLM       bool // asks a model; the config has a field of type [ModelName]
	Tokenizer bool // counts tokens; the config has a field of type [TokenizerName]
	Sandbox   bool // runs programs; their versions are pins of scheme "tool", see Moving
	Seed      bool // draws randomness; the pipeline's seed joins the key
	AsOf      bool // leaves out what came later than the as-of time, which joins the key
}

// Partitioned is a row that names a partition.
type Partitioned interface {
	// PartitionKey is stable over time and made of letters, digits and ".-_/@+". In
	// a table that lists partitions it is unique.
	PartitionKey() string
}

// Config field types with a meaning beyond their text.
type (
	// ModelName is a name of the models section of pipeline.yaml. What stands
	// there (provider, exact model, sampling) joins the key.
	ModelName string
	// TokenizerName is a name of the tokenizers section of pipeline.yaml. The
	// tokenizer's identity joins the key.
	TokenizerName string
	// FileName is a file beside pipeline.yaml. The digest of its content joins
	// the key, its name does not.
	FileName string
)

// Input returns the named input port.
func (s *Stage) Input(name string) (Port, bool) { return port(s.In, name) }

// Output returns the named output port.
func (s *Stage) Output(name string) (Port, bool) { return port(s.Out, name) }

func port(ports []Port, name string) (Port, bool) {
	for _, p := range ports {
		if p.Name == name {
			return p, true
		}
	}
	return Port{}, false
}

var (
	stageName = regexp.MustCompile(`^[a-z][a-z0-9]*(\.[a-z][a-z0-9_]*)+$`)
	portName  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// Validate reports everything wrong with a set of stages: names that are not
// unique, missing docs, tables without a schema, flows between ports that do
// not exist. A registry is validated once at start.
func Validate(stages []*Stage) error {
	var errs []error
	seen := map[string]bool{}
	for _, s := range stages {
		fail := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("stage %q: %s", s.Name, fmt.Sprintf(format, args...)))
		}
		if !stageName.MatchString(s.Name) {
			fail("the name is not of the form family.verb")
		}
		if seen[s.Name] {
			fail("declared twice")
		}
		seen[s.Name] = true
		if s.Doc == "" {
			fail("no doc")
		}
		if s.Version < 1 {
			fail("version %d; versions start at 1", s.Version)
		}
		if s.Run == nil {
			fail("no Run")
		}
		if len(s.Out) == 0 {
			fail("no output")
		}
		validatePorts(s, fail)
		for _, f := range s.Flows {
			if _, ok := s.Input(f.From); !ok {
				fail("flow from %q, which is no input", f.From)
			}
			for _, to := range f.To {
				if _, ok := s.Output(to); !ok {
					fail("flow to %q, which is no output", to)
				}
			}
		}
		if s.NewConfig != nil {
			if t := reflect.TypeOf(s.NewConfig()); t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
				fail("NewConfig returns %s, not a pointer to a struct", t)
			}
		}
	}
	return errors.Join(errs...)
}

func validatePorts(s *Stage, fail func(string, ...any)) {
	for _, ports := range [][]Port{s.In, s.Out} {
		names := map[string]bool{}
		for _, p := range ports {
			if !portName.MatchString(p.Name) || names[p.Name] {
				fail("bad or repeated port name %q", p.Name)
			}
			names[p.Name] = true
			if p.Schema == nil {
				fail("port %q has no schema", p.Name)
			} else if (p.Partitions || p.ByPartition) && !p.Schema.Partitioned() {
				fail("port %q has rows of partitions, but no PartitionKey", p.Name)
			}
		}
	}
	for _, p := range s.Out {
		if (p.Partitions || p.ByPartition) && s.Scope != Whole {
			fail("port %q has rows of partitions, which only a whole-table stage may make", p.Name)
		}
		if p.Partitions && p.ByPartition {
			fail("port %q lists partitions or has rows of them, not both", p.Name)
		}
	}
}

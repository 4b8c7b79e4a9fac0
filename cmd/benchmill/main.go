// Command benchmill builds versioned benchmark datasets out of repositories.
//
// Exit codes: 0 all done; 1 failed; 2 wrong usage or a mistake in the pipeline
// file, nothing ran; 3 done, but some partitions were quarantined; 4 verify or
// diff found a difference; 130 interrupted, everything finished is kept.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"benchmill/pipeline/executor"
	"benchmill/pipeline/graph"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitQuarantined = 3
	exitDifferent   = 4
	exitInterrupted = 130
)

// cli lists the verbs, in the order help shows them.
type cli struct {
	Run       runCmd       `cmd:"" help:"Build everything that is not up to date and make the releases."`
	Plan      planCmd      `cmd:"" help:"Show what a run would do, and why."`
	Explain   explainCmd   `cmd:"" help:"Show what decides the rows of a stage and what changed since the last run."`
	Lock      lockCmd      `cmd:"" help:"Pin branches, tags, searches, tokenizers and the as-of time, where not pinned."`
	Update    updateCmd    `cmd:"" help:"Pin them again: new commits, searches made again, a later as-of time."`
	Releases  releasesCmd  `cmd:"" help:"List releases."`
	Show      showCmd      `cmd:"" help:"Show a release: files, funnel, sources, models."`
	Cat       catCmd       `cmd:"" help:"Print rows of a release as JSON lines."`
	Rows      rowsCmd      `cmd:"" help:"Print rows of any table of the pipeline, or what a stage dropped."`
	Diff      diffCmd      `cmd:"" help:"Compare two releases row by row."`
	Verify    verifyCmd    `cmd:"" help:"Check every file of a release against its manifest."`
	Score     scoreCmd     `cmd:"" help:"Score a model's replies to a release."`
	Review    reviewCmd    `cmd:"" help:"Have people judge rows of a release, and count their verdicts."`
	Stages    stagesCmd    `cmd:"" help:"List the stages a pipeline can use."`
	Languages languagesCmd `cmd:"" help:"List the languages."`
	Schema    schemaCmd    `cmd:"" help:"Print the JSON Schema of pipeline.yaml for editors."`
	GC        gcCmd        `cmd:"" name:"gc" help:"Remove what nothing refers to from the store."`
	Doctor    doctorCmd    `cmd:"" help:"Check the machine, the store and the pipeline."`
	Init      initCmd      `cmd:"" help:"Start a pipeline in a folder, or prepare the sample."`
	Task      taskCmd      `cmd:"" help:"Compute single tasks, for other schedulers."`
	Clang     clangCmd     `cmd:"" name:"clang-index" hidden:"" help:"Make a call graph with libclang, inside of a sandbox."`
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is one
}

func main() {
	ctx, stop := interruptible(os.Stderr)
	defer stop()
	os.Exit(Main(ctx, os.Args[1:], &streams{os.Stdin, os.Stdout, os.Stderr, isTerminal(os.Stderr)}))
}

// interruptible ends its context at the first interrupt, so that work stops
// cleanly, and the process at the second.
func interruptible(w io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		fmt.Fprintln(w, "stopping; interrupt again to stop at once")
		cancel()
		<-signals
		os.Exit(exitInterrupted)
	}()
	return ctx, func() { signal.Stop(signals); cancel() }
}

// Main runs one command and returns its exit code.
func Main(ctx context.Context, args []string, s *streams) int {
	var c cli
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("benchmill"),
		kong.Description("Builds versioned benchmark datasets out of repositories. Start with \"benchmill init\"."),
		kong.Writers(s.out, s.err),
		kong.Exit(func(code int) { exited = code }),
		kong.UsageOnError(),
		kong.Help(help),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	)
	if err != nil {
		fmt.Fprintln(s.err, "benchmill:", err)
		return exitFailed
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	k, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		fmt.Fprintf(s.err, "benchmill: %v\n", err)
		return exitUsage
	}
	return exitCode(k.Run(), s)
}

// quiet is an error that says nothing more than its exit code.
type quiet struct{ code int }

func (q quiet) Error() string { return fmt.Sprintf("exit code %d", q.code) }

// usage is an error that comes from how the command was called; nothing ran.
type usage struct{ error }

func wrongUsage(format string, args ...any) error { return usage{fmt.Errorf(format, args...)} }

func exitCode(err error, s *streams) int {
	var q quiet
	var wrong usage
	var mistakes *graph.Errors
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &q):
		return q.code
	case errors.As(err, &mistakes):
		fmt.Fprintln(s.err, err)
		return exitUsage
	case errors.As(err, &wrong):
		fmt.Fprintf(s.err, "benchmill: %v\n", err)
		return exitUsage
	case errors.Is(err, executor.ErrInterrupted), errors.Is(err, context.Canceled):
		fmt.Fprintln(s.err, "benchmill: interrupted; what was finished is kept, run again to go on")
		return exitInterrupted
	}
	fmt.Fprintf(s.err, "benchmill: %v\n", err)
	return exitFailed
}

const exitCodes = `
Exit codes: 0 all done; 1 failed; 2 wrong usage or a mistake in the pipeline
file, nothing ran; 3 done, but some partitions were quarantined; 4 verify or diff
found a difference; 130 interrupted, everything finished is kept.
`

// help prints kong's help and then the verb's example, or the exit codes.
func help(options kong.HelpOptions, k *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, k); err != nil {
		return err
	}
	n := k.Selected()
	if n == nil {
		fmt.Fprint(k.Stdout, exitCodes)
		return nil
	}
	if e, ok := n.Target.Addr().Interface().(interface{ Example() string }); ok {
		fmt.Fprintf(k.Stdout, "\nExample:\n%s\n", e.Example())
	}
	return nil
}

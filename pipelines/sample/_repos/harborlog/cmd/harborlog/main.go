// Command harborlog filters logs and sums them up.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/benchmill-samples/harborlog/filter"
	"github.com/benchmill-samples/harborlog/internal/ring"
	"github.com/benchmill-samples/harborlog/parse"
	"github.com/benchmill-samples/harborlog/record"
	"github.com/benchmill-samples/harborlog/render"
	"github.com/benchmill-samples/harborlog/summary"
)

type options struct {
	format, where string
	top, last     int
	colour        bool
	width         int
	files         []string
}

const usage = "usage: harborlog show|sum|tail [flags] [file ...]"

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "harborlog:", err)
		os.Exit(1)
	}
}

// run is main without the process: errors are returned, streams are given.
func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	o, err := parseFlags(args[0], args[1:])
	if err != nil {
		return err
	}
	switch args[0] {
	case "show":
		return show(o, in, out)
	case "sum":
		return sumUp(o, in, out)
	case "tail":
		return tail(o, in, out)
	}
	return fmt.Errorf("no command %q\n%s", args[0], usage)
}

func parseFlags(command string, args []string) (*options, error) {
	o := &options{width: terminalWidth()}
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.format, "format", "", "logfmt, json or syslog; guessed per line when empty")
	flags.StringVar(&o.where, "where", "", "expression that records have to match")
	flags.IntVar(&o.top, "top", 10, "number of sources and messages to list")
	flags.IntVar(&o.last, "n", 10, "number of records to keep")
	flags.BoolVar(&o.colour, "colour", false, "colour by level")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	o.files = flags.Args()
	return o, nil
}

// eachRecord reads all inputs and hands over the records that match.
func eachRecord(o *options, in io.Reader, visit func(record.Record)) error {
	keep, err := filter.Compile(o.where)
	if err != nil {
		return fmt.Errorf("-where: %w", err)
	}
	handle := func(_ int, line string) error {
		format := o.format
		if format == "" {
			format = parse.Detect([]string{line})
		}
		parser, err := parse.ByName(format)
		if err != nil {
			return err
		}
		r, err := parser(line)
		if err == nil && keep(&r) {
			visit(r)
		}
		return err
	}
	if len(o.files) == 0 {
		return parse.Lines(in, handle)
	}
	for _, name := range o.files {
		if err := readFile(name, handle); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func readFile(name string, handle func(int, string) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return parse.Lines(file, handle)
}

func show(o *options, in io.Reader, out io.Writer) error {
	return eachRecord(o, in, func(r record.Record) { fmt.Fprintln(out, formatRecord(o, &r)) })
}

func formatRecord(o *options, r *record.Record) string {
	line := string(parse.AppendLogfmt(nil, r))
	if o.width > 0 {
		line = render.Shorten(line, o.width)
	}
	if o.colour {
		line = render.Paint(line, r.Level)
	}
	return line
}

func tail(o *options, in io.Reader, out io.Writer) error {
	last, dropped, err := ring.Tail(o.last, func(yield func(record.Record)) error {
		return eachRecord(o, in, yield)
	})
	if dropped > 0 {
		fmt.Fprintf(out, "… %d records before\n", dropped)
	}
	for i := range last {
		fmt.Fprintln(out, formatRecord(o, &last[i]))
	}
	return err
}

func sumUp(o *options, in io.Reader, out io.Writer) error {
	var records []record.Record
	if err := eachRecord(o, in, func(r record.Record) { records = append(records, r) }); err != nil {
		return err
	}
	report := summary.Summarise(records, o.top, 40)
	fmt.Fprintf(out, "%d records\n", report.Records)
	if len(report.Timeline) > 0 {
		fmt.Fprintf(out, "%s [%s] %s\n", report.First.Format("2006-01-02 15:04:05"),
			strings.TrimRight(render.Sparkline(report.Timeline), " "), report.Width)
	}
	for _, f := range report.Common {
		fmt.Fprintf(out, "always %s=%s\n", f.Key, f.Value)
	}
	for _, section := range [][]summary.Count[string]{report.Levels, report.Sources, report.Templates} {
		fmt.Fprintf(out, "\n%s", countTable(section, report.Records))
	}
	return nil
}

func countTable(counts []summary.Count[string], whole int) string {
	var rows [][]string
	for _, c := range counts {
		name := c.Key
		if name == "" {
			name = "(none)"
		}
		rows = append(rows, []string{strconv.Itoa(c.N), render.Bar(c.N, whole, 20), name})
	}
	return render.Table(rows, 2)
}

package sandboxtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Shell is a [Program] that behaves like a shell for the scripts of this suite,
// so that the suite holds the [Fake] to the contract too.
func Shell(ctx context.Context, p *Process) int {
	script, args := p.Args[1], p.Args[3:]
	switch script {
	case stepBuild:
		p.Files["built"] = p.Files["a.txt"]
		p.Files["count"] += "once\n"
		p.Stdout.Print("built\n")
	case stepRun:
		p.Stdout.Print(p.Files["built"], p.Files["a.txt"], p.Files["count"])
	case stepFails:
		return 1
	case scriptHello:
		p.Stdout.Print("hello\n")
	case scriptOwn:
		p.Stdout.Print(p.Files["mine"], strings.Join(slices.Sorted(maps.Keys(p.Files)), "\n"), "\n")
	case scriptOutside: // there is nothing outside
	case scriptNetwork:
		p.Stdout.Print("lo\n")
	case scriptWait:
		<-ctx.Done()
	default:
		return shellCase(script, args, p)
	}
	return 0
}

func shellCase(script string, args []string, p *Process) int {
	i := slices.IndexFunc(cases, func(c testCase) bool { return c.script == script })
	if i < 0 {
		panic(fmt.Sprintf("no such script: %s", script))
	}
	switch cases[i].name {
	case "exit code":
		return 7
	case "killed by a signal":
		return 137
	case "unknown program":
		return 127
	case "both outputs":
		p.Stdout.Print("out\n")
		p.Stderr.Print("err\n")
		return 3
	case "not UTF-8":
		p.Stdout.Print("a\xff\xfeb")
	case "no input":
		p.Stdout.Print("end\n")
	case "odd names":
		p.Stdout.Print(p.Files[args[0]], p.Files["-rf"])
	case "place":
		p.Stdout.Print("/job\n/job C.UTF-8\n")
	case "environment":
		p.Stdout.Print("HOME\nLANG\nPATH\n")
	case "writing":
		p.Files["given"] += "y\n"
		p.Stdout.Print("x\n", p.Files["given"], "z\n")
	case "no powers":
		p.Stdout.Print("CapEff \nNoNewPrivs 1\n")
	case "no other process":
		p.Stdout.Print("few\n")
	case "endless", "fork bomb":
		p.Forever()
	case "much output":
		p.Stdout.Print(strings.Repeat("y\n", 1<<20))
	case "many errors":
		p.Stderr.Print(strings.Repeat("y\n", 1<<20))
	case "just enough output":
		p.Stdout.Print("12345678")
	case "much memory":
		p.Hold(1 << 40)
	case "full disk":
		p.Fill(9000000)
	case "just enough disk":
		p.Fill(3800000)
		p.Stdout.Print("fits\n")
	case "large file":
		p.Stdout.Print(p.limits.Disk, "\n")
	case "many processes":
		return 2
	case "left running":
		p.Stdout.Print("left\n")
	}
	return 0
}

// Command fakehub serves a small GitHub on loopback, to try collections and
// searches out by hand and to measure them:
//
//	go run ./internal/fakehub -repositories 50 -issues 400
//
// and then api: http://127.0.0.1:8086 in a pipeline. It prints what it was asked on
// every line it reads from standard input; a line "16 12" updates 16 issues of
// each of 12 repositories first, "16" those of all.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/github/githubtest"
)

func main() {
	address := flag.String("addr", "127.0.0.1:8086", "where to listen")
	repositories := flag.Int("repositories", 50, "repositories with issues")
	issues := flag.Int("issues", 400, "issues of each, pull requests among them")
	dense := flag.Int("dense", 0, "more repositories, all created on one day, two thirds of them in two seconds of it")
	faults := flag.Float64("faults", 0, "share of false answers")
	limits := flag.Bool("limits", false, "GitHub's own limits, not practically none")
	flag.Parse()
	world := githubtest.Generate(1, *repositories, *issues)
	crowd(world, *dense)
	o := githubtest.Options{Names: "https://api.github.com", Faults: githubtest.Faults{Share: *faults, Seed: pipeline.Seed{Stage: "fakehub"}}}
	if *limits {
		o.Limits = githubtest.GitHubLimits()
	}
	server := githubtest.New(world, o)
	go talk(world, server)
	fmt.Printf("http://%s: %d repositories with %d issues each, %d more\n", *address, *repositories, *issues, *dense)
	if err := http.ListenAndServe(*address, server); err != nil {
		fmt.Fprintln(os.Stderr, "fakehub:", err)
		os.Exit(1)
	}
}

// crowd adds repositories of one day.
func crowd(world *githubtest.World, n int) {
	day := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		created := day.Add(time.Duration(i%86400) * time.Second)
		if i%3 > 0 {
			created = day.Add(time.Duration(i%3) * time.Hour)
		}
		world.AddRepository(&githubtest.Repository{
			Owner: "crowd", Name: fmt.Sprintf("r%05d", i), Language: "Python", Languages: map[string]int64{"Python": 1000},
			Stars: int64(i % 5000), Size: 10, Created: created, Pushed: created,
		})
	}
}

// talk changes the world and tells of requests as standard input asks.
func talk(world *githubtest.World, server *githubtest.Server) {
	in := bufio.NewScanner(os.Stdin)
	at := githubtest.GeneratedUntil
	for in.Scan() {
		n, of := 0, len(world.Repositories())
		if read, _ := fmt.Sscan(in.Text(), &n, &of); read > 0 {
			at = at.Add(time.Hour)
			for _, r := range world.Repositories()[:min(of, len(world.Repositories()))] {
				for _, i := range r.Issues[:min(n, len(r.Issues))] {
					world.Edit(i, at, func(i *githubtest.Issue) { i.Body += "\n\nEdited." })
				}
			}
		}
		c := server.Counts()
		fmt.Printf("%d requests, %d not modified, %d false, %d bytes, at most %d at once;", c.Requests, c.NotModified, c.Faults, c.Bytes, c.Peak)
		for _, status := range slices.Sorted(maps.Keys(c.ByStatus)) {
			fmt.Printf(" %d: %d", status, c.ByStatus[status])
		}
		fmt.Println()
		server.ResetLog()
	}
}

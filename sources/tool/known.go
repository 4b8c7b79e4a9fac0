package tool

import "regexp"

// known is what there is to know of a tool.
type known struct {
	name    string
	ask     []string       // arguments that make it say its version
	says    *regexp.Regexp // what it then says
	version string         // of its pin, out of the expression's groups; see [regexp.Regexp.Expand]
	see     []string       // what it reads outside of its own folder, as patterns of paths
	install string         // how to get it
}

var tools = []known{
	{
		name: "javac", ask: []string{"-version"},
		says: regexp.MustCompile(`(?m)^javac (\S+)`), version: "$1",
		see:     []string{"/etc/java*"}, // Debian keeps the settings of its packages there
		install: "a JDK, such as Debian's default-jdk-headless",
	},
	{
		name: "mcs", ask: []string{"--version"},
		says: regexp.MustCompile(`(?m)^Mono C# compiler version (\S+)`), version: "$1",
		see:     []string{"/etc/mono*"},
		install: "Mono's compiler, such as Debian's mono-mcs",
	},
	{
		// What it finds depends on the parser that comes with Python as well.
		name: "pylint", ask: []string{"--version"},
		says: regexp.MustCompile(`(?m)^pylint (\S+?),?\s+astroid (\S+)\s+Python (\d+\.\d+)`), version: "$1 astroid $2 python $3",
		install: "the Python package pylint",
	},
	{
		name: "tsc", ask: []string{"--version"},
		says: regexp.MustCompile(`(?m)^Version (\S+)`), version: "$1",
		install: "the npm package typescript",
	},
}

// Names of the tools that are known, ascending.
func Names() []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.name)
	}
	return out
}

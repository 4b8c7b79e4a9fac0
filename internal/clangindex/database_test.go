package clangindex

import (
	"encoding/json"
	"path"
	"reflect"
	"strings"
	"testing"

	"benchmill/internal/libclang"
)

func TestParseDatabase(t *testing.T) {
	for _, test := range []struct {
		name, database string
		want           []libclang.Command
		problem        string
	}{
		{"arguments", `[{"directory": "/r/sub", "file": "a.c", "arguments": ["gcc", "-Wall", "-DX=1 2", "-c", "a.c", "-o", "a.o"], "output": "a.o"}]`,
			[]libclang.Command{{Dir: "/r/sub", File: "/r/sub/a.c", Args: []string{"-Wall", "-DX=1 2"}}}, ""},
		{"command", `[{"directory": "/r", "file": "/r/a.c", "command": "cc '-DX=\"a b\"' -I\\ b -c \"a.c\""}]`,
			[]libclang.Command{{Dir: "/r", File: "/r/a.c", Args: []string{`-DX="a b"`, "-I b"}}}, ""},
		{"arguments go first", `[{"directory": "/r", "file": "a.c", "arguments": ["cc", "-DA"], "command": "cc -DB"}]`,
			[]libclang.Command{{Dir: "/r", File: "/r/a.c", Args: []string{"-DA"}}}, ""},
		{"relative folder", `[{"directory": "sub/../other", "file": "../a.c", "command": "cc ../a.c"}]`,
			[]libclang.Command{{Dir: "/r/build/other", File: "/r/build/a.c"}}, ""},
		{"no folder", `[{"file": "a.c", "command": "cc a.c"}]`, []libclang.Command{{Dir: "/r/build", File: "/r/build/a.c"}}, ""},
		{"folder outside", `[{"directory": "/tmp/out", "file": "/r/a.c", "command": "cc -I. /r/a.c"}]`,
			[]libclang.Command{{Dir: "/tmp/out", File: "/r/a.c", Args: []string{"-I."}}}, ""},
		{"file outside", `[{"directory": "/r", "file": "../etc/passwd", "command": "cc a.c"}]`, nil, "outside of the repository"},
		{"beside the root", `[{"directory": "/r", "file": "/root.c", "command": "cc a.c"}]`, nil, "outside of the repository"},
		{"the root itself", `[{"directory": "/r", "file": "/r", "command": "cc a.c"}]`, nil, "outside of the repository"},
		{"nothing", `[{}]`, nil, "no file or no command"},
		{"no command", `[{"directory": "/r", "file": "a.c", "command": "  "}]`, nil, "no file or no command"},
		{"NUL", `[{"directory": "/r", "file": "a.c", "arguments": ["cc", "-D\u0000"]}]`, nil, "NUL in a command"},
		{"C++ behind a launcher", `[{"directory": "/r", "file": "a.cc", "command": "/usr/bin/ccache /usr/bin/g++-12 -c a.cc"}]`,
			[]libclang.Command{{Dir: "/r", File: "/r/a.cc", Args: []string{"--driver-mode=g++"}}}, ""},
		{"options that do more than decide what is read",
			`[{"directory": "/r", "file": "a.c", "command": "cc @more.rsp -fplugin=x.so -Xclang -load -Xclang x.so -MD -MF a.d -MTa.o -Wp,-MD,a.d -specs=x -save-temps=obj -resource-dir / -working-directory=/ -mllvm -x --config y -oa.o -Ikept -include kept.h -x c a.c"}]`,
			[]libclang.Command{{Dir: "/r", File: "/r/a.c", Args: []string{"-Ikept", "-include", "kept.h", "-x", "c"}}}, ""},
		{"twice", `[{"directory": "/r", "file": "a.c", "command": "cc -c a.c -o a.o"}, {"directory": "/r", "file": "a.c", "command": "cc -c a.c -o b.o"}, {"directory": "/r", "file": "a.c", "command": "cc -DX -c a.c"}]`,
			[]libclang.Command{{Dir: "/r", File: "/r/a.c"}, {Dir: "/r", File: "/r/a.c", Args: []string{"-DX"}}}, ""},
	} {
		got, problems, err := ParseDatabase([]byte(test.database), "/r/build", "/r")
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, %v\nwant %q", test.name, got, err, test.want)
		}
		if (test.problem != "") != (len(problems) == 1) || test.problem != "" && problems[0].What != test.problem {
			t.Errorf("%s: %v", test.name, problems)
		}
	}
	for _, broken := range []string{"", "{}", "[1]", `[{"file": 1}]`, "[{}"} {
		if _, _, err := ParseDatabase([]byte(broken), "/r", "/r"); err == nil || !strings.Contains(err.Error(), DatabaseName) {
			t.Errorf("%q: %v", broken, err)
		}
	}
}

func TestSplit(t *testing.T) {
	for command, want := range map[string][]string{
		"":                         nil,
		" a\tb\n c ":               {"a", "b", "c"},
		`'a b' "c d" e\ f`:         {"a b", "c d", "e f"},
		`"a\"b\\c\d" 'a\'`:         {`a"b\c\d`, `a\`},
		`a"b"'c'd ''`:              {"abcd", ""},
		`"not closed`:              {"not closed"},
		"a\\\nb":                   {"ab"},
		`\`:                        {`\`},
		`-DX=\"y\" $HOME ` + "`x`": {`-DX="y"`, "$HOME", "`x`"},
	} {
		if got := split(command); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// Whatever a database says, units lie below the root, and no option of theirs
// writes, loads, or reads options.
func FuzzParseDatabase(f *testing.F) {
	f.Add([]byte(`[{"directory": "/r/sub", "file": "a.c", "arguments": ["gcc", "-c", "a.c", "-o", "a.o"]}]`))
	f.Add([]byte(`[{"directory": "..", "file": "../r/../x/a.c", "command": "cc '-DX=\"a b\"' @x -fplugin=y \\"}]`))
	f.Add([]byte(`[{"directory": "", "file": "a\u0000.c", "command": "\"'"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		units, problems, err := ParseDatabase(data, "/r/build", "/r")
		if err != nil {
			return
		}
		var entries []json.RawMessage
		if json.Unmarshal(data, &entries) == nil && len(units)+len(problems) > len(entries) {
			t.Errorf("%d units and %d problems of %d entries", len(units), len(problems), len(entries))
		}
		for _, u := range units {
			if !path.IsAbs(u.Dir) || path.Clean(u.File) != u.File || !strings.HasPrefix(u.File, "/r/") {
				t.Errorf("%q in %q", u.File, u.Dir)
			}
			for _, a := range u.Args {
				if strings.HasPrefix(a, "@") || strings.HasPrefix(a, "-fplugin") || a == "-Xclang" || a == "-o" || strings.Contains(a, "\x00") {
					t.Errorf("%q is kept", a)
				}
			}
		}
	})
}

func TestOriginOf(t *testing.T) {
	for p, want := range map[string][2]string{
		"/usr/include/stdio.h":                               {originSystem, "stdio.h"},
		"/usr/include/x86_64-linux-gnu/sys/socket.h":         {originSystem, "sys/socket.h"},
		"/usr/include/x86_64-linux-gnu/bits/stdio2.h":        {originSystem, "bits/stdio2.h"},
		"/usr/include/c++/12/bits/stl_vector.h":              {originSystem, "bits/stl_vector.h"},
		"/usr/include/x86_64-linux-gnu/c++/12/bits/gthr.h":   {originSystem, "bits/gthr.h"},
		"/usr/lib/llvm-14/include/c++/v1/vector":             {originSystem, "vector"},
		"/usr/lib/llvm-14/lib/clang/14.0.6/include/stdarg.h": {originSystem, "stdarg.h"},
		"/usr/lib/gcc/x86_64-linux-gnu/12/include/xmm.h":     {originSystem, "xmm.h"},
		"/usr/include/openssl/ssl.h":                         {originExternal, "openssl/ssl.h"},
		"/usr/include/zlib.h":                                {originExternal, "zlib.h"},
		"/usr/local/include/string/string.h":                 {originExternal, "string/string.h"},
		"/opt/x/y.h":                                         {originExternal, "/opt/x/y.h"},
	} {
		if origin, header := originOf(p); origin != want[0] || header != want[1] {
			t.Errorf("%s: %s %s, want %s", p, origin, header, want)
		}
	}
}

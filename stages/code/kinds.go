package code

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Kinds of text files that people neither write nor read.
const (
	kindGenerated = "generated"
	kindVendored  = "vendored"
	kindMinified  = "minified"
	kindLock      = "lock_file"
)

// lockFiles hold what a package manager resolved.
var lockFiles = []string{
	"Cargo.lock", "Gemfile.lock", "Package.resolved", "Pipfile.lock", "Podfile.lock", "bun.lock", "composer.lock",
	"conda-lock.yml", "deno.lock", "flake.lock", "go.sum", "go.work.sum", "gradle.lockfile", "mix.lock",
	"npm-shrinkwrap.json", "package-lock.json", "packages.lock.json", "pdm.lock", "pixi.lock", "pnpm-lock.yaml",
	"poetry.lock", "pubspec.lock", "uv.lock", "yarn.lock",
}

// vendorFolders hold copies of other projects.
var vendorFolders = []string{
	"Godeps", "Pods", "_vendor", "bower_components", "jspm_packages", "node_modules", "site-packages",
	"third-party", "third_party", "thirdparty", "vendor", "vendored",
}

// generatedSuffixes are what widespread generators name their files.
var generatedSuffixes = []string{
	"_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.go", ".pb.gw.go", ".pb.cc", ".pb.h", "_pb.js", "_pb.d.ts",
	".designer.cs", ".g.cs", ".g.dart", ".freezed.dart", ".js.map", ".css.map",
}

var (
	minifiedName = regexp.MustCompile(`[.-]min\.[a-z]+$`)
	// A generator says so near the top: in one word, or in a warning not to edit
	// what was generated.
	generatedWord = regexp.MustCompile(`(^|[^\w.-])@generated\b`)
	generatedNote = regexp.MustCompile(`(?i)\b(?:auto-?)?generated\b[^\n]{0,200}\bdo not (?:edit|modify)\b|\bdo not (?:edit|modify)\b[^\n]{0,200}\b(?:auto-?)?generated\b`)
)

const (
	headBytes = 1 << 10 // of a file, where a generator's note is looked for
	// No one writes lines of such mean length by hand; a short file may.
	minifiedLine = 1000
	minifiedSize = 4 << 10
)

// kindOf is the kind of a text file that people neither write nor read, or "".
// The rules look at its path and cheaply at its content; they miss some, and
// what they find can be kept.
func kindOf(p string, content []byte) string {
	base := path.Base(p)
	head := content[:min(len(content), headBytes)]
	switch {
	case slices.Contains(lockFiles, base):
		return kindLock
	case slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(dir string) bool { return slices.Contains(vendorFolders, dir) }):
		return kindVendored
	case minifiedName.MatchString(base):
		return kindMinified
	case slices.ContainsFunc(generatedSuffixes, func(suffix string) bool { return strings.HasSuffix(p, suffix) }),
		generatedWord.Match(head), generatedNote.Match(head):
		return kindGenerated
	case len(content) >= minifiedSize && len(content)/(bytes.Count(content, []byte("\n"))+1) >= minifiedLine:
		return kindMinified
	}
	return ""
}

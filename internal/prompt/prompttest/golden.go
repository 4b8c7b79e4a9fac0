// Package prompttest keeps prompt templates honest: a text that changes under its
// version fails a test.
package prompttest

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchmill/internal/digest"
	"benchmill/internal/prompt"
)

// CheckGolden compares templates with the digests recorded in file, one line
// "name/version digest" for every version there ever was. With update, versions
// that are not recorded are added; what is recorded never changes, so the only
// way to a new text is a new version.
func CheckGolden(t testing.TB, file string, update bool, templates ...*prompt.Template) {
	t.Helper()
	if len(templates) == 0 {
		t.Fatal("no templates to check")
	}
	text, err := os.ReadFile(file)
	if err != nil && !(update && os.IsNotExist(err)) {
		t.Fatalf("%v (run with -update to begin it)", err)
	}
	after, errs := compare(string(text), update, templates)
	for _, err := range errs {
		t.Errorf("%s: %v", file, err)
	}
	if update && len(errs) == 0 && after != string(text) {
		if err := os.WriteFile(file, []byte(after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// record is one version of a template.
type record struct {
	name    string
	version int
	digest  digest.Digest
}

func compare(text string, update bool, templates []*prompt.Template) (after string, errs []error) {
	records, err := parse(text)
	if err != nil {
		return text, []error{err}
	}
	for _, t := range templates {
		latest := 0
		var known digest.Digest
		for _, r := range records {
			if r.name != t.Name {
				continue
			}
			latest = max(latest, r.version)
			if r.version == t.Version {
				known = r.digest
			}
		}
		switch {
		case known != "" && known != t.Digest:
			errs = append(errs, fmt.Errorf("the text of %s/%d has changed: raise its version to %d", t.Name, t.Version, latest+1))
		case t.Version < latest:
			errs = append(errs, fmt.Errorf("%s/%d is older than version %d: versions only rise", t.Name, t.Version, latest))
		case known == "" && !update:
			errs = append(errs, fmt.Errorf("%s/%d is new: run with -update to record it", t.Name, t.Version))
		case known == "":
			records = append(records, record{t.Name, t.Version, t.Digest})
		}
	}
	return format(records), errs
}

func parse(text string) ([]record, error) {
	var out []record
	for n, line := range strings.Split(text, "\n") {
		if line == "" {
			continue
		}
		id, sum, _ := strings.Cut(line, " ")
		slash := strings.LastIndexByte(id, '/')
		d, err := digest.Parse(sum)
		version, err2 := strconv.Atoi(id[slash+1:])
		if slash < 0 || err != nil || err2 != nil {
			return nil, fmt.Errorf("line %d is not of the form \"name/version digest\"", n+1)
		}
		out = append(out, record{id[:slash], version, d})
	}
	return out, nil
}

func format(records []record) string {
	slices.SortFunc(records, func(a, b record) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return a.version - b.version
	})
	var b strings.Builder
	for _, r := range records {
		fmt.Fprintf(&b, "%s/%d %s\n", r.name, r.version, r.digest)
	}
	return b.String()
}

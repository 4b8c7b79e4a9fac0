package policy

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"benchmill/pipeline"
)

// optList is who and what is to be left out, with the reason for each. Names are
// in lower case: GitHub does not tell cases apart.
type optList struct {
	repos, users rules // by owner/name or owner/*, by login
	ids          map[int64]string
}

// rules are reasons by what they are about; where the list gives none, the entry
// itself is the reason.
type rules map[string]string

// repository reports whether a repository is to be left out, and why. A person on
// the list takes their own repositories along.
func (l *optList) repository(repo string, id int64) (why string, out bool) {
	repo = strings.ToLower(repo)
	owner, _, _ := strings.Cut(repo, "/")
	for _, found := range []struct {
		in  rules
		key string
	}{{l.repos, repo}, {l.repos, owner + "/*"}, {l.users, owner}} {
		if why, ok := found.in[found.key]; ok {
			return why, true
		}
	}
	why, out = l.ids[id]
	return why, out
}

// person reports whether a login is on the list.
func (l *optList) person(login string) bool {
	_, out := l.users[strings.ToLower(login)]
	return out && login != ""
}

var (
	yamlKey    = regexp.MustCompile(`^(?:[a-z_]+:|\{|---)`)
	ofRepo     = regexp.MustCompile(`^[A-Za-z0-9._-]+/(?:[A-Za-z0-9._-]+|\*)$`)
	ofUser     = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?(?:\[bot\])?$`)
	ofID       = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)
	allDigits  = regexp.MustCompile(`^[0-9]+$`)
	optSection = []string{"repositories", "users", "ids"}
)

// parseOptList reads a list in one of two forms, told apart by its content. As
// lines: owner/name, owner/*, a login (with "@" before it where it is all digits),
// or the number of a repository; what follows "#" is the reason. As YAML: lists
// "repositories", "users" and "ids" of the same, with the reason in a comment on
// the line.
func parseOptList(file pipeline.FileName, data []byte) (*optList, error) {
	l := &optList{repos: rules{}, users: rules{}, ids: map[int64]string{}}
	var errs []error
	fail := func(line int, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", file, line, err))
		}
	}
	lines := strings.Split(string(data), "\n")
	for n, line := range lines {
		entry, reason, _ := strings.Cut(line, "#")
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		if yamlKey.MatchString(entry) {
			if err := l.readYAML(data, fail); err != nil {
				fail(n+1, err)
			}
			break
		}
		fail(n+1, l.add("", entry, reason))
	}
	return l, errors.Join(errs...)
}

func (l *optList) readYAML(data []byte, fail func(int, error)) error {
	var doc struct {
		Repositories []yaml.Node `yaml:"repositories"`
		Users        []yaml.Node `yaml:"users"`
		IDs          []yaml.Node `yaml:"ids"`
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&doc); err != nil {
		return err
	}
	for i, nodes := range [][]yaml.Node{doc.Repositories, doc.Users, doc.IDs} {
		for _, n := range nodes {
			if n.Kind != yaml.ScalarNode {
				fail(n.Line, errors.New("an entry is a name or a number; the reason follows in a comment"))
				continue
			}
			fail(n.Line, l.add(optSection[i], n.Value, strings.TrimPrefix(n.LineComment, "#")))
		}
	}
	return nil
}

// add takes one entry of a section, "" for any.
func (l *optList) add(section, entry, reason string) error {
	why := strings.TrimSpace(reason)
	if why == "" {
		why = entry
	}
	user, at := strings.CutPrefix(entry, "@")
	fits := func(s string) bool { return section == "" || section == s }
	switch {
	case fits("repositories") && ofRepo.MatchString(entry):
		l.repos[strings.ToLower(entry)] = why
	case fits("ids") && ofID.MatchString(entry):
		id, err := strconv.ParseInt(entry, 10, 64)
		l.ids[id] = why
		return err
	case fits("users") && ofUser.MatchString(user) && (at || section != "" || !allDigits.MatchString(user)):
		l.users[strings.ToLower(user)] = why
	case section == "":
		return fmt.Errorf("%q is neither owner/name, owner/*, a login nor the number of a repository", entry)
	default:
		return fmt.Errorf("%q does not belong under %q", entry, section)
	}
	return nil
}

// readOptList reads the list a configuration names; an empty one for no name.
func readOptList(p *pipeline.Pass, file pipeline.FileName) (*optList, error) {
	if file == "" {
		return &optList{}, nil
	}
	data, err := p.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseOptList(file, data)
}

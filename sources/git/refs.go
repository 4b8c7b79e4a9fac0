package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// refTable is what the names of a repository mean.
type refTable struct {
	head plumbing.Hash            // zero where HEAD leads nowhere
	ids  map[string]plumbing.Hash // by full name; a server's tags are peeled, local ones not
}

// find looks a name up in git's order. name is as the user wrote it.
func (t refTable) find(name string) (plumbing.Hash, error) {
	if len(t.ids) == 0 && t.head.IsZero() {
		return plumbing.ZeroHash, errEmpty
	}
	if name == "" || name == "HEAD" {
		if t.head.IsZero() {
			return plumbing.ZeroHash, fmt.Errorf("the default branch does not exist; %s", t.nearest("main"))
		}
		return t.head, nil
	}
	rules := []string{"refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s"}
	if strings.HasPrefix(name, "refs/") {
		rules = slices.Insert(rules, 0, "%s")
	}
	for _, rule := range rules {
		if id, ok := t.ids[fmt.Sprintf(rule, name)]; ok {
			return id, nil
		}
	}
	if _, err := commitID(name); len(name) < 40 && strings.Trim(name, "0123456789abcdef") == "" {
		return plumbing.ZeroHash, fmt.Errorf("no such branch or tag; %w", err)
	}
	return plumbing.ZeroHash, fmt.Errorf("no such branch or tag; %s", t.nearest(name))
}

const suggestions = 3

// nearest lists the tags and branches most like a name.
func (t refTable) nearest(name string) string {
	type candidate struct {
		name     string
		distance int
	}
	seen := map[string]bool{}
	var near []candidate
	for _, full := range slices.Sorted(maps.Keys(t.ids)) {
		short, tag := strings.CutPrefix(full, "refs/tags/")
		if !tag {
			short, _ = strings.CutPrefix(full, "refs/heads/")
		}
		if strings.HasPrefix(short, "refs/") || seen[short] {
			continue
		}
		seen[short] = true
		near = append(near, candidate{short, levenshtein.ComputeDistance(short, name)})
	}
	if len(near) == 0 {
		return "there are no branches and tags"
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var names []string
	for _, c := range near[:min(len(near), suggestions)] {
		names = append(names, fmt.Sprintf("%q", c.name))
	}
	return "nearest: " + strings.Join(names, ", ")
}

func (s *Source) resolveLocal(_ context.Context, loc location, name string) (plumbing.Hash, error) {
	r, err := open(loc.path)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	defer r.close()
	id, err := fullID(name)
	if err != nil {
		return id, err
	}
	if id.IsZero() {
		if r.reftable {
			return id, errReftable
		}
		table, err := r.table()
		if err != nil {
			return id, err
		}
		if id, err = table.find(name); err != nil {
			return id, err
		}
	}
	return r.peel(id)
}

// fullID reads a name that is a full commit id, in either case. Other names
// give zero.
func fullID(name string) (plumbing.Hash, error) {
	if len(name) != 40 && len(name) != 64 || strings.Trim(name, "0123456789abcdefABCDEF") != "" {
		return plumbing.ZeroHash, nil
	}
	return commitID(strings.ToLower(name))
}

// table reads the references. Those that lead nowhere are left out.
func (r *repository) table() (refTable, error) {
	t := refTable{ids: map[string]plumbing.Hash{}}
	refs, err := r.refs.IterReferences()
	if err != nil {
		return t, fmt.Errorf("references: %w", err)
	}
	defer refs.Close()
	err = refs.ForEach(func(ref *plumbing.Reference) error {
		resolved := ref
		if ref.Type() == plumbing.SymbolicReference { // only these cost another look-up
			if resolved, err = storer.ResolveReference(r.refs, ref.Name()); err != nil {
				return nil
			}
		}
		if ref.Name() == plumbing.HEAD {
			t.head = resolved.Hash()
		} else {
			t.ids[ref.Name().String()] = resolved.Hash()
		}
		return nil
	})
	if err != nil {
		return t, fmt.Errorf("references: %w", err)
	}
	return t, nil
}

const maxTags = 16 // tags of tags

// peel follows annotated tags to a commit.
func (r *repository) peel(id plumbing.Hash) (plumbing.Hash, error) {
	for range maxTags {
		content, kind, err := r.readAny(id, maxCommitBytes)
		switch {
		case err != nil:
			return id, fmt.Errorf("%s: %w", id, err)
		case kind == plumbing.CommitObject:
			return id, nil
		case kind != plumbing.TagObject:
			return id, fmt.Errorf("%s is a %s, not a commit", id, kind)
		}
		target, ok := strings.CutPrefix(string(content), "object ")
		target, _, _ = strings.Cut(target, "\n")
		if !ok || !plumbing.IsHash(target) {
			return id, fmt.Errorf("%s is a malformed tag", id)
		}
		id = plumbing.NewHash(target)
	}
	return id, errors.New("tags lead to tags without end")
}

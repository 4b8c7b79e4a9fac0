package sample

import (
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/memory"
)

// built is a repository as git objects in memory.
type built struct {
	Repository
	objects *memory.Storage
}

// ids lists all objects, in ascending order.
func (b *built) ids() []plumbing.Hash {
	out := make([]plumbing.Hash, 0, len(b.objects.Objects))
	for id := range b.objects.Objects {
		out = append(out, id)
	}
	plumbing.HashesSort(out)
	return out
}

// build makes the objects of the program in folder, which is called name.
func build(folder fs.FS, name string) (*built, error) {
	r, err := readRecipe(folder, name)
	if err != nil {
		return nil, err
	}
	files, err := r.files(folder)
	if err != nil {
		return nil, err
	}
	commits, err := r.schedule(files)
	if err != nil {
		return nil, err
	}
	b := &built{objects: memory.NewStorage(), Repository: Repository{
		Repo: r.Repo, URL: Host + r.Repo, Entrypoint: r.Entrypoint, Language: r.Language, Topic: r.Topic, Licence: r.Licence, Unlisted: r.Unlisted,
	}}
	var leaves []leaf
	var parents []plumbing.Hash
	for i, added := range commits {
		for _, f := range added {
			id, err := b.put(blob(f.content))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			leaves = append(leaves, leaf{f.name, f.mode, id})
		}
		id, err := b.commit(r.Commits[i], leaves, parents)
		if err != nil {
			return nil, fmt.Errorf("commit %d: %w", i+1, err)
		}
		parents = []plumbing.Hash{id}
	}
	b.Commit = parents[0].String()
	return b, nil
}

func (b *built) commit(s step, leaves []leaf, parents []plumbing.Hash) (plumbing.Hash, error) {
	slices.SortFunc(leaves, func(a, b leaf) int { return strings.Compare(a.path, b.path) })
	tree, err := b.tree(leaves)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	who := object.Signature{Name: s.author.Name, Email: s.author.Address, When: s.Date.UTC()}
	return b.put(&object.Commit{
		Author: who, Committer: who, Message: s.Message + "\n", TreeHash: tree, ParentHashes: parents,
	})
}

// leaf is a file by its path below the tree that is being made.
type leaf struct {
	path string
	mode filemode.FileMode
	id   plumbing.Hash
}

// tree makes the tree of leaves, which are in the order of their paths, so that
// the files of a folder follow each other.
func (b *built) tree(leaves []leaf) (plumbing.Hash, error) {
	t := &object.Tree{}
	for i := 0; i < len(leaves); {
		l := leaves[i]
		name, _, nested := strings.Cut(l.path, "/")
		if !nested {
			t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: l.mode, Hash: l.id})
			i++
			continue
		}
		var inside []leaf
		for ; i < len(leaves); i++ {
			rest, below := strings.CutPrefix(leaves[i].path, name+"/")
			if !below {
				break
			}
			inside = append(inside, leaf{rest, leaves[i].mode, leaves[i].id})
		}
		id, err := b.tree(inside)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: id})
	}
	sort.Sort(object.TreeEntrySorter(t.Entries)) // git's order, where a folder ends in a slash
	return b.put(t)
}

// encoder is what go-git's objects can do.
type encoder interface {
	Encode(plumbing.EncodedObject) error
}

type blob []byte

// Encode implements encoder.
func (content blob) Encode(o plumbing.EncodedObject) error {
	o.SetType(plumbing.BlobObject)
	w, err := o.Writer()
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	return w.Close()
}

func (b *built) put(e encoder) (plumbing.Hash, error) {
	o := b.objects.NewEncodedObject()
	if err := e.Encode(o); err != nil {
		return plumbing.ZeroHash, err
	}
	return b.objects.SetEncodedObject(o)
}

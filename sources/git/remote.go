package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	gogit "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	gitproto "github.com/go-git/go-git/v5/plumbing/transport/git"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	gitssh "github.com/go-git/go-git/v5/plumbing/transport/ssh"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// remote is one conversation with a server: it lists its references, then may
// hand out one pack.
type remote struct {
	session transport.UploadPackSession
	offer   *packp.AdvRefs
}

// dial opens a conversation. The caller closes it.
func (s *Source) dial(ctx context.Context, loc location) (*remote, error) {
	endpoint, err := transport.NewEndpoint(loc.url)
	if err != nil {
		return nil, errors.New("not a URL")
	}
	var client transport.Transport
	var auth transport.AuthMethod
	switch loc.scheme {
	case "ssh":
		client = gitssh.DefaultClient
	case "git":
		client = gitproto.DefaultClient
	default:
		client = githttp.NewClient(s.http)
		if loc.user != "" || loc.pass != "" {
			auth = &githttp.BasicAuth{Username: loc.user, Password: loc.pass}
		}
	}
	session, err := client.NewUploadPackSession(endpoint, auth)
	if err != nil {
		return nil, err
	}
	offer, err := session.AdvertisedReferencesContext(ctx)
	if err != nil {
		// A session that never came to talk has nothing left to close well.
		_ = session.Close()
		// go-git stumbles over the length of the first id.
		var unexpected *packp.ErrUnexpectedData
		if errors.As(err, &unexpected) && bytes.Contains(unexpected.Data, []byte("object-format=sha256")) {
			err = errSHA256
		}
		return nil, err
	}
	return &remote{session, offer}, nil
}

// close ends the conversation. Everything wanted was received and checked, or
// there is an error already.
func (r *remote) close() { _ = r.session.Close() }

// table returns the references, tags peeled.
func (r *remote) table() refTable {
	t := refTable{ids: make(map[string]plumbing.Hash, len(r.offer.References))}
	for name, id := range r.offer.References {
		if peeled, ok := r.offer.Peeled[name]; ok {
			id = peeled
		}
		t.ids[name] = id
	}
	if r.offer.Head != nil {
		t.head = *r.offer.Head
	}
	return t
}

func (s *Source) resolveRemote(ctx context.Context, loc location, name string) (plumbing.Hash, error) {
	if id, err := fullID(name); err != nil || !id.IsZero() {
		return id, err
	}
	r, err := s.dial(ctx, loc)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	defer r.close()
	return r.table().find(name)
}

// offers reports whether a commit is at the tip of a reference.
func (r *remote) offers(id plumbing.Hash) bool {
	if r.offer.Head != nil && *r.offer.Head == id {
		return true
	}
	for _, refs := range []map[string]plumbing.Hash{r.offer.References, r.offer.Peeled} {
		for _, tip := range refs {
			if tip == id {
				return true
			}
		}
	}
	return false
}

// tips lists what all branches and tags point to.
func (r *remote) tips() []plumbing.Hash {
	seen := map[plumbing.Hash]bool{}
	var tips []plumbing.Hash
	for name, id := range r.offer.References {
		if (strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/tags/")) && !seen[id] {
			seen[id] = true
			tips = append(tips, id)
		}
	}
	plumbing.HashesSort(tips)
	return tips
}

// pull stores the wanted objects with all they need: for shallow, without the
// history of commits.
func (r *remote) pull(ctx context.Context, dir string, wants []plumbing.Hash, shallow bool) error {
	req := packp.NewUploadPackRequestFromCapabilities(r.offer.Capabilities)
	req.Wants = wants
	if r.offer.Capabilities.Supports(capability.NoProgress) {
		if err := req.Capabilities.Set(capability.NoProgress); err != nil {
			return err
		}
	}
	if shallow && r.offer.Capabilities.Supports(capability.Shallow) {
		req.Depth = packp.DepthCommits(1)
		if err := req.Capabilities.Set(capability.Shallow); err != nil {
			return err
		}
	}
	resp, err := r.session.UploadPack(ctx, req)
	if err != nil {
		return err
	}
	defer resp.Close()
	store := filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRUDefault())
	return packfile.UpdateObjectStorage(store, demultiplexed(req.Capabilities, resp))
}

func demultiplexed(c *capability.List, r io.Reader) io.Reader {
	switch {
	case c.Supports(capability.Sideband64k):
		return sideband.NewDemuxer(sideband.Sideband64k, r)
	case c.Supports(capability.Sideband):
		return sideband.NewDemuxer(sideband.Sideband, r)
	}
	return r
}

// fetch brings a commit into a new repository below dir and returns its path.
func (s *Source) fetch(ctx context.Context, tr *trace, loc location, dir string, id plumbing.Hash) (string, error) {
	f := &fetcher{source: s, trace: tr, loc: loc, dir: dir, id: id, shallow: true}
	err := bounded(ctx, dir, s.o.Limits.MaxFetchBytes, f.run)
	return f.path, err
}

// fetcher tries the ways to get one commit, cheapest first. Each attempt has a
// repository of its own, so that none sees what a failed one left; those for a mirror
// share it, since what they leave is whole packs with all of their history.
type fetcher struct {
	source  *Source
	trace   *trace
	loc     location
	dir     string
	id      plumbing.Hash
	shallow bool   // leave history out
	mirror  string // if not "", the repository of all attempts, with what was fetched before
	tries   int
	path    string // the repository of the last attempt
}

func (f *fetcher) run(ctx context.Context) error {
	want := f.id.String()
	if f.mirror != "" {
		want += ":" + keptRefs + want // the next fetch says that it is here
	}
	if f.byProgram(ctx, want) || ctx.Err() != nil {
		return ctx.Err()
	}
	return f.byLibrary(ctx)
}

// byProgram lets the git program fetch and reports whether the commit is there.
// Why not, go-git will say when it fails too.
func (f *fetcher) byProgram(ctx context.Context, wants ...string) bool {
	if f.source.program == "" || f.loc.private() || f.begin() != nil {
		return false
	}
	return runProgram(ctx, f.source.program, f.path, f.loc.url, f.shallow, wants...) == nil && f.arrived() == nil
}

func (f *fetcher) byLibrary(ctx context.Context) error {
	r, err := f.source.dial(ctx, f.loc)
	if err != nil {
		return err
	}
	tips := r.tips()
	offered := r.offers(f.id)
	anyReachable := r.offer.Capabilities.Supports(capability.AllowReachableSHA1InWant)
	if offered || anyReachable || r.offer.Capabilities.Supports(capability.AllowTipSHA1InWant) {
		err := f.pull(ctx, r, []plumbing.Hash{f.id})
		switch {
		case err == nil || ctx.Err() != nil || f.broken(err):
			return err
		case offered:
			return err
		case anyReachable:
			return fmt.Errorf("the server has no such commit: %w", err)
		}
	} else {
		r.close()
	}
	return f.everything(ctx, tips)
}

// everything fetches all branches and tags with their history.
func (f *fetcher) everything(ctx context.Context, tips []plumbing.Hash) error {
	if len(tips) == 0 {
		return errEmpty
	}
	f.shallow = false
	if f.byProgram(ctx, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*") || ctx.Err() != nil {
		return ctx.Err()
	}
	r, err := f.source.dial(ctx, f.loc)
	if err != nil {
		return err
	}
	err = f.pull(ctx, r, tips)
	if errors.Is(err, errMissing) {
		return fmt.Errorf("no branch or tag leads to it: %w", err)
	}
	return err
}

// pull makes an attempt with go-git and closes the conversation.
func (f *fetcher) pull(ctx context.Context, r *remote, wants []plumbing.Hash) error {
	defer r.close()
	if err := f.begin(); err != nil {
		return err
	}
	if err := r.pull(ctx, f.path, wants, f.shallow); err != nil {
		return err
	}
	return f.arrived()
}

// begin makes the repository of the next attempt.
func (f *fetcher) begin() error {
	f.trace.reset()
	f.tries++
	f.path = f.mirror
	if f.path == "" {
		f.path = filepath.Join(f.dir, fmt.Sprintf("%d.git", f.tries))
	}
	if _, err := gogit.PlainInit(f.path, true); err != nil && (f.mirror == "" || !errors.Is(err, gogit.ErrRepositoryAlreadyExists)) {
		return fatalError{err}
	}
	return nil
}

// arrived checks that the commit is in the repository.
func (f *fetcher) arrived() error {
	r, err := open(f.path)
	if err != nil {
		return err
	}
	defer r.close()
	_, err = r.read(f.id, plumbing.CommitObject, maxCommitBytes)
	return err
}

// broken reports whether an attempt failed on the wire, where another way to
// ask would fail too.
func (f *fetcher) broken(err error) bool {
	status, _, wire := f.trace.state()
	return status != 0 || wire != nil || isTransient(err)
}

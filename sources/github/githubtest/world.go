package githubtest

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// World is what a [Server] answers about. Its methods are safe for concurrent use,
// also while it is served. The fields of what it holds may be read at any time by
// who alone changes the world, and be changed only through its methods: bodies are
// kept once they were rendered.
//
// Times have whole seconds on the wire, in UTC; the zero time is "none".
type World struct {
	mu     sync.RWMutex
	repos  []*Repository
	byName map[string]*Repository // lower case, former names too
	byID   map[int64]*Repository
	users  map[string]*User
	lastID int64
}

// NewWorld is an empty world.
func NewWorld() *World {
	return &World{byName: map[string]*Repository{}, byID: map[int64]*Repository{}, users: map[string]*User{}, lastID: 1000}
}

// User is an account. A nil *User is an author nobody knows any more, which REST
// and GraphQL show as null; a Deleted one is REST's "ghost" and null in GraphQL.
type User struct {
	Login   string
	ID      int64
	Type    string // "User", "Bot" or "Organization"
	Deleted bool
}

// Repository is one repository. Issues are ascending by number and hold pull
// requests as well.
type Repository struct {
	ID           int64
	Owner, Name  string
	Was          []string // former names (owner/name), redirected
	Organization bool     // the owner is one
	Description  string
	Homepage     string
	Topics       []string
	Licence      string           // SPDX identifier, "" for none
	Language     string           // the main one; "" takes the largest of Languages
	Languages    map[string]int64 // bytes
	Stars        int64
	Forks        int64
	Size         int64 // KB
	Fork         bool
	Archived     bool
	NoIssues     bool      // issues are switched off: 410
	Blocked      time.Time // taken down by law: 451
	Deleted      bool      // 404
	Branch       string    // the default branch, "" is "main"
	Commits      []Commit  // of the default branch, oldest first; none: an empty repository
	Files        []string  // paths at its head
	Created      time.Time
	Pushed       time.Time
	Updated      time.Time
	Issues       []*Issue
	revision     atomic.Uint64
	lastNumber   int64
}

// FullName is owner/name.
func (r *Repository) FullName() string { return r.Owner + "/" + r.Name }

// Commit is one commit.
type Commit struct {
	ID        string // 40 hexadecimal digits
	Message   string
	Author    *User // nil where no account fits the address
	Name      string
	Email     string
	Authored  time.Time
	Committed time.Time
}

// Issue is an issue or, with Pull set, a pull request.
type Issue struct {
	Number      int64
	ID          int64
	Title, Body string
	Author      *User
	Association string // "" is "NONE"
	State       string // "open" (also "") or "closed"
	Reason      string // of the state: "completed", "not_planned", "reopened", "duplicate"
	Labels      []string
	Locked      bool
	Deleted     bool // gone from every list; asked for alone it is 410
	Created     time.Time
	Updated     time.Time
	Closed      time.Time
	ClosedBy    *User
	Comments    []*Comment // oldest first
	Events      []*Event   // oldest first
	Pull        *Pull
	repo        *Repository
	revision    atomic.Uint64
}

// Repository is the repository the issue is of.
func (i *Issue) Repository() *Repository { return i.repo }

// Comment is one comment on an issue or a pull request.
type Comment struct {
	ID          int64
	Body        string
	Author      *User
	Association string
	Created     time.Time
	Updated     time.Time
	issue       *Issue
	revision    atomic.Uint64
}

// Issue is the issue commented on.
func (c *Comment) Issue() *Issue { return c.issue }

// Pull is what a pull request has beyond its issue side.
type Pull struct {
	Merged      time.Time
	MergedBy    *User
	MergeCommit string
	Draft       bool
	BaseRef     string // "" is the default branch
	BaseCommit  string
	HeadRef     string
	HeadCommit  string
	Files       []File
	Commits     []Commit
	Reviews     []Review
	Closes      []*Issue // closing references, of any repository
}

// File is one file a pull request changes.
type File struct {
	Path      string
	From      string // its former path, where renamed
	Change    string // as REST names it: "added", "modified", "removed", "renamed", "copied", "changed"
	Additions int64
	Deletions int64
	Patch     string
}

// Review is one review of a pull request.
type Review struct {
	ID          int64
	Author      *User
	Association string
	State       string // "APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"
	Body        string
	Commit      string
	Submitted   time.Time
}

// Kinds of an [Event] that this package shows in full. Others keep their name in
// REST timelines and are left out of GraphQL's.
const (
	EventClosed     = "closed"
	EventReopened   = "reopened"
	EventReferenced = "cross-referenced"
	EventLabelled   = "labeled"
)

// Event is one entry of an issue's timeline other than its comments.
type Event struct {
	ID        int64
	Kind      string
	Actor     *User
	At        time.Time
	Reason    string // of a closing
	From      *Issue // what closed the issue, or refers to it
	Commit    string // what closed the issue
	WillClose bool   // a reference that will close the issue
	Label     string
}

// Repository is the repository of a name (owner/name, former ones too), nil when
// there is none. Deleted ones are found.
func (w *World) Repository(name string) *Repository {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.byName[strings.ToLower(name)]
}

// Repositories are all repositories in the order they were added.
func (w *World) Repositories() []*Repository {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return slices.Clone(w.repos)
}

// Issue is the issue or pull request of a number, nil when there is none.
func (r *Repository) Issue(number int64) *Issue {
	at, ok := slices.BinarySearchFunc(r.Issues, number, byNumber)
	if !ok {
		return nil
	}
	return r.Issues[at]
}

func (r *Repository) branch() string {
	if r.Branch == "" {
		return "main"
	}
	return r.Branch
}

// language is the main language.
func (r *Repository) language() string {
	if r.Language != "" {
		return r.Language
	}
	if names := r.languages(); len(names) > 0 {
		return names[0]
	}
	return ""
}

func (i *Issue) state() string {
	if i.State == "" {
		return "open"
	}
	return i.State
}

func byNumber(i *Issue, n int64) int { return cmp.Compare(i.Number, n) }

// Package collection is the format in which issues, pull requests and found
// repositories travel from a source to the stages: JSON Lines, one record a line,
// between a [Header] and an [End] that tells whether anything was cut off.
//
// Records are what later stages need of an API's answers, under our own names, so
// that stages know no API. Times are RFC 3339 in UTC. Records of a kind come in
// ascending order of their key, each once.
package collection

// Format is the version of the records. Readers refuse newer ones.
const Format = 1

// Kinds of collections.
const (
	KindIssues       = "issues"       // Issue and Comment records
	KindDetails      = "details"      // Pull and Event records
	KindRepositories = "repositories" // Repository records
)

// Header is the first line.
type Header struct {
	Format int    `json:"format"`
	Kind   string `json:"kind"`
	// Name is whose collection this is: owner/name for issues and details, the
	// search for repositories.
	Name string `json:"name"`
	// NoIssues says that the repository has its issues switched off.
	NoIssues bool `json:"no_issues,omitempty"`
}

// End is the last line.
type End struct {
	Records int64 `json:"records"`
}

// Record is one line between them: exactly one field is set.
type Record struct {
	Issue      *Issue      `json:"issue,omitempty"`
	Comment    *Comment    `json:"comment,omitempty"`
	Pull       *Pull       `json:"pull,omitempty"`
	Event      *Event      `json:"event,omitempty"`
	Repository *Repository `json:"repository,omitempty"`
}

// fields is how many of the fields are set.
func (r Record) fields() int {
	n := 0
	for _, set := range []bool{r.Issue != nil, r.Comment != nil, r.Pull != nil, r.Event != nil, r.Repository != nil} {
		if set {
			n++
		}
	}
	return n
}

// Issue is an issue or, with Pull set, the issue side of a pull request. The key
// is Number.
type Issue struct {
	Number      int64    `json:"number"`
	Title       string   `json:"title"`
	Body        string   `json:"body,omitempty"`
	Author      string   `json:"author,omitempty"`      // login, "" for a deleted account
	AuthorType  string   `json:"author_type,omitempty"` // "User", "Bot", "Organization"
	Association string   `json:"association,omitempty"` // of the author: "OWNER", "MEMBER", "CONTRIBUTOR", "NONE", ...
	State       string   `json:"state"`                 // "open" or "closed"
	StateReason string   `json:"state_reason,omitempty"`
	Labels      []string `json:"labels,omitempty"` // ascending
	Pull        bool     `json:"pull,omitempty"`
	Locked      bool     `json:"locked,omitempty"`
	Comments    int64    `json:"comments"` // as the API counts them
	CreatedAt   string   `json:"created_at"`
	UpdatedAt   string   `json:"updated_at"`
	ClosedAt    string   `json:"closed_at,omitempty"`
}

// Comment is a comment on an issue or a pull request. The key is (Number, ID).
type Comment struct {
	Number      int64  `json:"number"` // of the issue
	ID          int64  `json:"id"`
	Author      string `json:"author,omitempty"`
	AuthorType  string `json:"author_type,omitempty"`
	Association string `json:"association,omitempty"`
	Body        string `json:"body,omitempty"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

// Pull is what a pull request has beyond its issue side. The key is Number.
type Pull struct {
	Number      int64    `json:"number"`
	Title       string   `json:"title"`
	Body        string   `json:"body,omitempty"`
	Author      string   `json:"author,omitempty"`
	AuthorType  string   `json:"author_type,omitempty"`
	State       string   `json:"state"` // "open", "closed" or "merged"
	CreatedAt   string   `json:"created_at"`
	UpdatedAt   string   `json:"updated_at"`
	MergedAt    string   `json:"merged_at,omitempty"`
	MergeCommit string   `json:"merge_commit,omitempty"`
	BaseRef     string   `json:"base_ref,omitempty"`
	BaseCommit  string   `json:"base_commit,omitempty"`
	HeadCommit  string   `json:"head_commit,omitempty"`
	Additions   int64    `json:"additions"`
	Deletions   int64    `json:"deletions"`
	Files       []File   `json:"files,omitempty"`   // by path
	Commits     []Commit `json:"commits,omitempty"` // in the order of the branch
	Reviews     []Review `json:"reviews,omitempty"` // oldest first
	// Closes are the issues of the same repository that the API itself says the
	// pull request closes, ascending.
	Closes []int64 `json:"closes,omitempty"`
	// Truncated names the lists above that the API did not give whole.
	Truncated []string `json:"truncated,omitempty"`
}

// File is one file a pull request changes.
type File struct {
	Path      string `json:"path"`
	Change    string `json:"change"` // "added", "modified", "deleted", "renamed", "copied", "changed"
	Additions int64  `json:"additions"`
	Deletions int64  `json:"deletions"`
}

// Commit is one commit of a pull request.
type Commit struct {
	ID          string `json:"id"`
	Message     string `json:"message"`
	AuthoredAt  string `json:"authored_at"`
	CommittedAt string `json:"committed_at"`
}

// Review is one review of a pull request.
type Review struct {
	Author      string `json:"author,omitempty"`
	Association string `json:"association,omitempty"`
	State       string `json:"state"` // "approved", "changes_requested", "commented", "dismissed", "pending"
	Body        string `json:"body,omitempty"`
	SubmittedAt string `json:"submitted_at,omitempty"`
}

// Kinds of an [Event].
const (
	EventClosed     = "closed"
	EventReopened   = "reopened"
	EventReferenced = "cross-referenced"
)

// Event is one entry of an issue's timeline. The key is (Number, Index).
type Event struct {
	Number int64  `json:"number"` // of the issue
	Index  int64  `json:"index"`  // 0 is the oldest
	Kind   string `json:"kind"`
	Actor  string `json:"actor,omitempty"`
	At     string `json:"at"`
	// What closed the issue, or referred to it.
	FromPull   int64  `json:"from_pull,omitempty"`   // number of the pull request, 0: none
	FromIssue  int64  `json:"from_issue,omitempty"`  // number of the issue, 0: none
	FromCommit string `json:"from_commit,omitempty"` // commit id
	FromRepo   string `json:"from_repo,omitempty"`   // owner/name where it is another repository
	WillClose  bool   `json:"will_close,omitempty"`  // of a reference: it is a closing one
}

// Repository is one repository of a search, with what filters ask about. The key
// is Repo.
type Repository struct {
	Repo          string   `json:"repo"` // owner/name as it is now
	ID            int64    `json:"id"`
	URL           string   `json:"url"`    // where it is cloned from
	Commit        string   `json:"commit"` // of the default branch at the as-of time, "" for an empty repository
	Branch        string   `json:"branch,omitempty"`
	Language      string   `json:"language,omitempty"` // as the API names the main one
	Licence       string   `json:"licence,omitempty"`  // SPDX identifier, "" when the API knows none
	Topics        []string `json:"topics,omitempty"`
	Description   string   `json:"description,omitempty"`
	Stars         int64    `json:"stars"`
	SizeKB        int64    `json:"size_kb"`
	CreatedAt     string   `json:"created_at"`
	PushedAt      string   `json:"pushed_at"`
	Fork          bool     `json:"fork,omitempty"`
	Archived      bool     `json:"archived,omitempty"`
	HasIssues     bool     `json:"has_issues"`
	ClosedIssues  int64    `json:"closed_issues"` // pull requests are none
	Pulls         int64    `json:"pulls"`         // in any state
	CommitsSince  int64    `json:"commits_since"` // on the default branch, since the date the search names
	LanguageBytes int64    `json:"language_bytes"`
	SourceBytes   int64    `json:"source_bytes"` // in all languages
	HasCI         bool     `json:"has_ci,omitempty"`
	HasTests      bool     `json:"has_tests,omitempty"`
}

package schemas

import "benchmill/pipeline"

// FoundRepository is a repository that a search found, with what the filters ask
// about and what they said. Figures are of the moment the search was made; Commit
// and CommitsSince are of the as-of time.
type FoundRepository struct {
	Repo          string   `parquet:"repo"`    // owner/name
	ID            int64    `parquet:"id"`      // stays when the repository is renamed
	Dropped       string   `parquet:"dropped"` // why it is not in the list, "" when it is
	Commit        string   `parquet:"commit"`
	Branch        string   `parquet:"branch"`
	Language      string   `parquet:"language"` // as the API names it
	Licence       string   `parquet:"licence"`  // SPDX identifier, "" when not known
	Topics        []string `parquet:"topics"`
	Description   string   `parquet:"description"`
	Stars         int64    `parquet:"stars"`
	SizeKB        int64    `parquet:"size_kb"`
	CreatedAt     string   `parquet:"created_at"`
	PushedAt      string   `parquet:"pushed_at"`
	Fork          bool     `parquet:"fork"`
	Archived      bool     `parquet:"archived"`
	HasIssues     bool     `parquet:"has_issues"` // they are not switched off
	ClosedIssues  int64    `parquet:"closed_issues"`
	Pulls         int64    `parquet:"pulls"`
	CommitsSince  int64    `parquet:"commits_since"`
	LanguageBytes int64    `parquet:"language_bytes"`
	SourceBytes   int64    `parquet:"source_bytes"`
	HasCI         bool     `parquet:"has_ci"`
	HasTests      bool     `parquet:"has_tests"`
}

// FoundRepositories describes the repositories of a search.
var FoundRepositories = pipeline.NewSchema[FoundRepository]("found_repositories", 1,
	"Repositories a search found, with the figures its filters ask about and why one was dropped.", "repo")

// Issue is one issue; pull requests are none.
type Issue struct {
	Number      int64    `parquet:"number"`
	Title       string   `parquet:"title"`
	Body        string   `parquet:"body"`
	Author      string   `parquet:"author"`      // login, "" for a deleted account
	AuthorType  string   `parquet:"author_type"` // "User", "Bot", "Organization"
	Association string   `parquet:"association"` // of the author with the repository
	State       string   `parquet:"state"`       // "open" or "closed", at the as-of time
	StateReason string   `parquet:"state_reason"`
	Labels      []string `parquet:"labels"`   // ascending
	Comments    int64    `parquet:"comments"` // rows of the comments table
	CreatedAt   string   `parquet:"created_at"`
	UpdatedAt   string   `parquet:"updated_at"`
	ClosedAt    string   `parquet:"closed_at"` // "" while open
}

// Issues are the issues of a repository at the as-of time.
var Issues = pipeline.NewSchema[Issue]("issues", 1,
	"Issues of a repository, none of them a pull request, as they were at the as-of time.", "number").InPartition()

// Comment is one comment on an issue or a pull request.
type Comment struct {
	Number      int64  `parquet:"number"` // of the issue or pull request
	ID          int64  `parquet:"id"`
	OnPull      bool   `parquet:"on_pull"` // the number is a pull request's
	Author      string `parquet:"author"`
	AuthorType  string `parquet:"author_type"`
	Association string `parquet:"association"`
	Body        string `parquet:"body"`
	CreatedAt   string `parquet:"created_at"`
	UpdatedAt   string `parquet:"updated_at"`
}

// Comments are the comments of a repository at the as-of time.
var Comments = pipeline.NewSchema[Comment]("comments", 1,
	"Comments on the issues and pull requests of a repository, oldest first.", "number", "created_at", "id").InPartition()

// PullRequest is one pull request.
type PullRequest struct {
	Number      int64        `parquet:"number"`
	Title       string       `parquet:"title"`
	Body        string       `parquet:"body"`
	Author      string       `parquet:"author"`
	AuthorType  string       `parquet:"author_type"`
	State       string       `parquet:"state"` // "open", "closed" or "merged"
	CreatedAt   string       `parquet:"created_at"`
	MergedAt    string       `parquet:"merged_at"`
	MergeCommit string       `parquet:"merge_commit"`
	BaseRef     string       `parquet:"base_ref"`
	BaseCommit  string       `parquet:"base_commit"`
	HeadCommit  string       `parquet:"head_commit"`
	Additions   int64        `parquet:"additions"`
	Deletions   int64        `parquet:"deletions"`
	Files       []PullFile   `parquet:"files"`
	Commits     []PullCommit `parquet:"commits"`
	Reviews     []PullReview `parquet:"reviews"`
	Closes      []int64      `parquet:"closes"`    // issues the API says it closes, ascending
	Truncated   []string     `parquet:"truncated"` // lists above that are not whole
}

// PullFile is one file a pull request changes.
type PullFile struct {
	Path      string `parquet:"path"`
	Change    string `parquet:"change"`
	Additions int64  `parquet:"additions"`
	Deletions int64  `parquet:"deletions"`
}

// PullCommit is one commit of a pull request.
type PullCommit struct {
	ID          string `parquet:"id"`
	Message     string `parquet:"message"`
	AuthoredAt  string `parquet:"authored_at"`
	CommittedAt string `parquet:"committed_at"`
}

// PullReview is one review of a pull request.
type PullReview struct {
	Author      string `parquet:"author"`
	Association string `parquet:"association"`
	State       string `parquet:"state"`
	Body        string `parquet:"body"`
	SubmittedAt string `parquet:"submitted_at"`
}

// PullRequests are the pull requests of a repository.
var PullRequests = pipeline.NewSchema[PullRequest]("pull_requests", 1,
	"Pull requests of a repository with their files, commits and reviews.", "number").InPartition()

// IssueEvent is one entry of an issue's timeline.
type IssueEvent struct {
	Number     int64  `parquet:"number"` // of the issue
	Index      int64  `parquet:"index"`  // 0 is the oldest
	Kind       string `parquet:"kind"`   // "closed", "reopened", "cross-referenced"
	Actor      string `parquet:"actor"`
	At         string `parquet:"at"`
	FromPull   int64  `parquet:"from_pull"`
	FromIssue  int64  `parquet:"from_issue"`
	FromCommit string `parquet:"from_commit"`
	FromRepo   string `parquet:"from_repo"`
	WillClose  bool   `parquet:"will_close"`
}

// IssueEvents are the timelines of a repository's issues.
var IssueEvents = pipeline.NewSchema[IssueEvent]("issue_events", 1,
	"What closed, reopened or referred to the issues of a repository.", "number", "index").InPartition()

// Evidence that a pull request closed an issue.
const (
	EvidenceKeyword   = "keyword"           // a closing word before the issue's number or address
	EvidenceReference = "closing_reference" // the API lists it among those the pull request closes
	EvidenceEvent     = "closed_event"      // the issue's timeline says the pull request closed it
)

// IssueLink says that a pull request closed an issue, and how that is known.
type IssueLink struct {
	Issue    int64  `parquet:"issue"`
	Pull     int64  `parquet:"pull"`
	Evidence string `parquet:"evidence"`
	Place    string `parquet:"place"` // of a keyword: "title", "body", "commit <id>", "text"; of an event: "commit <id>" or ""
	Text     string `parquet:"text"`  // of a keyword: the words
}

// IssueLinks are the links between issues and pull requests.
var IssueLinks = pipeline.NewSchema[IssueLink]("issue_links", 1,
	"Pull requests that closed issues, with the evidence.", "issue", "pull", "evidence", "place", "text").InPartition()

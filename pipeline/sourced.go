package pipeline

// Sourced is a row that names a partition and says where it comes from, for the
// manifest of what is made of it.
type Sourced interface {
	Partitioned
	Source() Source
}

// Source is a repository at a commit.
type Source struct {
	Name    string // owner/name
	URL     string
	Commit  string
	Licence string // SPDX identifier, "" when not known
}

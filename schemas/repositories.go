package schemas

import (
	"fmt"

	"benchmill/pipeline"
)

// Repository is one repository at one commit: a partition.
type Repository struct {
	Repo       string `parquet:"repo"`       // owner/name
	URL        string `parquet:"url"`        // where it is cloned from, before mirrors
	Commit     string `parquet:"commit"`     // full commit id
	Entrypoint string `parquet:"entrypoint"` // the entry directory; "." is the whole repository
	Language   string `parquet:"language"`
	Topic      string `parquet:"topic"`
	Licence    string `parquet:"licence"` // SPDX identifier, "" when not known
}

// PartitionKey implements [pipeline.Partitioned]:
// language/owner/name@<12 digits of the commit>.
func (r Repository) PartitionKey() string {
	return fmt.Sprintf("%s/%s@%.12s", r.Language, r.Repo, r.Commit)
}

// Source implements [pipeline.Sourced].
func (r Repository) Source() pipeline.Source {
	return pipeline.Source{Name: r.Repo, URL: r.URL, Commit: r.Commit, Licence: r.Licence}
}

// Repositories lists the repositories of a dataset.
var Repositories = pipeline.NewSchema[Repository]("repositories", 1,
	"Repositories at a commit, with the entry directory that holds their main package.",
	"language", "repo", "commit")

// Kinds of an [Entry].
const (
	KindFile       = "file"
	KindExecutable = "executable"
	KindLink       = "link"      // Target is where it points; it is never followed
	KindSubmodule  = "submodule" // Target is the commit
	KindLFS        = "lfs"       // Content is the pointer file
	KindOversized  = "oversized" // no content
	KindSkipped    = "skipped"   // an entry no tree should have; Target is the reason
)

// Entry is one entry of a commit's tree.
type Entry struct {
	Path    string `parquet:"path"`
	Kind    string `parquet:"kind"`
	Blob    string `parquet:"blob"` // git's id of the content
	Size    int64  `parquet:"size"` // bytes
	Target  string `parquet:"target"`
	Content []byte `parquet:"content"`
}

// Snapshot is the tree of a repository at its commit.
var Snapshot = pipeline.NewSchema[Entry]("snapshot", 1,
	"The tree of one commit: files with their bytes, links and submodules as data.", "path").InPartition()

// File is one text file that later stages read.
type File struct {
	Path     string `parquet:"path"`
	Language string `parquet:"language"`
	Blob     string `parquet:"blob"`
	Text     string `parquet:"text"` // UTF-8, byte for byte as committed
}

// Files are the source files of the entry directory in the repository's language.
var Files = pipeline.NewSchema[File]("files", 1,
	"Source files below the entry directory in the repository's language.", "path").InPartition()

// Configs are files of the whole repository that say how its imports resolve.
var Configs = pipeline.NewSchema[File]("configs", 1,
	"Files that import resolution reads: module, workspace and compiler settings.", "path").InPartition()

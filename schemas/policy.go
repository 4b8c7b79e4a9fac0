package schemas

import "benchmill/pipeline"

// Kinds of a [FileLicence]: where a file's licence stands.
const (
	LicenceHeader     = "file header"  // in the file itself, or in the ".license" file beside it
	LicenceAnnotation = "annotation"   // in the repository's REUSE.toml or .reuse/dep5
	LicenceText       = "licence file" // the file is one
	LicenceInherited  = "inherited"    // in the nearest licence file upwards
)

// FileLicence is what is known of one file's licence.
type FileLicence struct {
	Path    string  `parquet:"path"`
	Licence string  `parquet:"licence"` // SPDX expression in canonical form, "" when not known
	Percent float64 `parquet:"percent"` // of the words read that are a known licence text; 100 for an identifier
	Kind    string  `parquet:"kind"`    // "" when nothing says anything
	From    string  `parquet:"from"`    // path of the file that says it; "" with Kind
}

// FileLicences are the licences of a repository's files.
var FileLicences = pipeline.NewSchema[FileLicence]("file_licences", 1,
	"The licence of each file, and where it is stated.", "path").InPartition()

// RepositoryLicence is what is known of a repository's licence.
type RepositoryLicence struct {
	Repo     string   `parquet:"repo"`
	Commit   string   `parquet:"commit"`
	Language string   `parquet:"language"`
	Licence  string   `parquet:"licence"`  // SPDX expression as found in its top-level licence files, "" when not known
	Declared string   `parquet:"declared"` // as the list or the API has it, "" when it says nothing
	Conflict bool     `parquet:"conflict"` // both are known, and they differ
	Files    []string `parquet:"files"`    // the licence files Licence was found in, ascending
	Percent  float64  `parquet:"percent"`  // lowest of their shares of known licence text
}

// RepositoryLicences has one row for each repository.
var RepositoryLicences = pipeline.NewSchema[RepositoryLicence]("repository_licences", 1,
	"The licence of each repository as found in its files, beside the declared one.", "language", "repo", "commit")

package schemas

import "benchmill/pipeline"

// CrossFileUse is a name in a file that only another file of the repository
// explains.
type CrossFileUse struct {
	Path     string `parquet:"path"`
	Start    int64  `parquet:"start_byte"` // of the name
	End      int64  `parquet:"end_byte"`
	Line     int64  `parquet:"line"`   // 0-based
	Column   int64  `parquet:"column"` // bytes, 0-based
	Name     string `parquet:"name"`
	Kind     string `parquet:"kind"`        // "member", "name" or "inherited"
	Via      string `parquet:"via"`         // how what owns the member was known; "" where the detector does not say
	Target   string `parquet:"target_path"` // where known, the file that explains it; for members in compat mode the one that explains what has them
	Symbol   string `parquet:"target_name"` // what it is called there
	Detector string `parquet:"detector"`    // "native" or the tool with its version
}

// CrossFileUses are the uses a detector found in a repository.
var CrossFileUses = pipeline.NewSchema[CrossFileUse]("crossfile_uses", 1,
	"Names that only another file of the repository explains.", "path", "start_byte", "end_byte", "name").InPartition()

// CheckedFile is a file with how much of it two detectors could read.
type CheckedFile struct {
	Path   string `parquet:"path"`
	Reason string `parquet:"reason"` // "" for a file the detector read; else why not
}

// CheckedFiles are the files a detector was asked about.
var CheckedFiles = pipeline.NewSchema[CheckedFile]("crossfile_files", 1,
	"Files a detector was asked about, and those it could not read.", "path").InPartition()

// CrossFileAgreement compares two detectors on the uses of one kind in one
// repository. Files that either of them could not read count nowhere.
type CrossFileAgreement struct {
	Repo      string  `parquet:"repo"`
	Commit    string  `parquet:"commit"`
	Language  string  `parquet:"language"`
	Kind      string  `parquet:"kind"` // "all", a kind of use, or "via " and how it was known
	Reference string  `parquet:"reference"`
	Files     int64   `parquet:"files"`
	Both      int64   `parquet:"both"`
	OnlyOurs  int64   `parquet:"only_native"`
	OnlyTool  int64   `parquet:"only_reference"`
	Precision float64 `parquet:"precision"` // 1 where there is nothing to be wrong about
	Recall    float64 `parquet:"recall"`    // 0 in rows by "via", since no compiler names a way
	F1        float64 `parquet:"f1"`        // 0 in rows by "via"
}

// CrossFileAgreements are comparisons of detectors.
var CrossFileAgreements = pipeline.NewSchema[CrossFileAgreement]("crossfile_agreement", 1,
	"How far the native detector agrees with a compiler, by repository and kind of use.", "repo", "commit", "language", "kind")

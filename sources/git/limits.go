package git

// Defaults of [Limits].
const (
	MaxFileBytes  = 16 << 20 // bytes of one file
	MaxTreeBytes  = 4 << 30  // bytes of all files and folders of a commit together
	MaxEntries    = 500_000  // files and folders of a commit, skipped ones included
	MaxDepth      = 128      // folders above a file
	MaxPathBytes  = 4096     // bytes of a path or of a link's target
	MaxFetchBytes = 16 << 30 // bytes on disk of what one fetch brings in
)

// Bounds of the objects that hold no file.
const (
	maxCommitBytes = 4 << 20
	maxFolderBytes = 64 << 20 // one tree object
)

// Limits bounds what a repository may cost. A zero field is its default.
//
// All but MaxFetchBytes decide what a snapshot holds: the bytes of a pin depend
// on the pin alone only among programs with the same limits. They are there for
// tests; programs that share a ledger keep the defaults.
type Limits struct {
	MaxFileBytes  int64 // larger files are entries without content
	MaxTreeBytes  int64 // larger trees are an error
	MaxEntries    int   // larger trees are an error
	MaxDepth      int   // deeper folders are skipped
	MaxPathBytes  int   // longer paths and links are skipped
	MaxFetchBytes int64 // larger fetches are an error
}

func (l Limits) withDefaults() Limits {
	or(&l.MaxFileBytes, MaxFileBytes)
	or(&l.MaxTreeBytes, MaxTreeBytes)
	or(&l.MaxEntries, MaxEntries)
	or(&l.MaxDepth, MaxDepth)
	or(&l.MaxPathBytes, MaxPathBytes)
	or(&l.MaxFetchBytes, MaxFetchBytes)
	return l
}

func or[T int | int64](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

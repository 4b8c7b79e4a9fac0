package schemas

import "benchmill/pipeline"

// Text is a text that may be the same as others: a reference, a function, a file.
type Text struct {
	ID   string `parquet:"id"` // of one text in all partitions
	Text string `parquet:"text"`
}

// Texts are texts to be compared.
var Texts = pipeline.NewSchema[Text]("texts", 1, "Texts to be compared with each other.", "id")

// TextSignature is what is kept of a text to compare it.
type TextSignature struct {
	ID        string `parquet:"id"`
	Partition string `parquet:"partition"`
	Method    string `parquet:"method"` // decides everything below; only equal ones can be compared
	Sum       string `parquet:"sum"`    // digest of the tokens, so of the text but for white space
	Tokens    int64  `parquet:"tokens"`
	Shingles  int64  `parquet:"shingles"`  // different ones
	Signature []byte `parquet:"signature"` // minima of the permutations: 32 bits each, little-endian
	Sketch    []byte `parquet:"sketch"`    // smallest hashes of the shingles, ascending: 32 bits each, little-endian
}

// TextSignatures are the signatures of texts.
var TextSignatures = pipeline.NewSchema[TextSignature]("text_signatures", 1,
	"What is kept of texts to find those that are nearly the same.", "id")

// Kinds of a [TextVerdict] and a [TextMatch].
const (
	DuplicateNone  = "none"
	DuplicateExact = "exact" // the same but for white space
	DuplicateNear  = "near"
)

// TextVerdict says which text a text duplicates. Each text has one, so that those
// without a duplicate are known to have been compared.
type TextVerdict struct {
	ID          string  `parquet:"id"`
	Partition   string  `parquet:"partition"`
	DuplicateOf string  `parquet:"duplicate_of"` // ID of the text that stays; "" for one that stays itself
	Kind        string  `parquet:"kind"`
	Similarity  float64 `parquet:"similarity"` // Jaccard's, to that text
}

// PartitionKey implements [pipeline.Partitioned]: the text's.
func (v TextVerdict) PartitionKey() string { return v.Partition }

// TextVerdicts are the duplicates among texts.
var TextVerdicts = pipeline.NewSchema[TextVerdict]("text_verdicts", 1,
	"Which texts duplicate which others.", "id")

// TextMatch says which text of other datasets a text is most like. Each text has
// one.
type TextMatch struct {
	ID         string  `parquet:"id"`
	Partition  string  `parquet:"partition"`
	Kind       string  `parquet:"kind"`
	Dataset    string  `parquet:"dataset"` // "" where the kind is none
	Match      string  `parquet:"match"`   // ID of the text there
	Similarity float64 `parquet:"similarity"`
}

// PartitionKey implements [pipeline.Partitioned]: the text's.
func (m TextMatch) PartitionKey() string { return m.Partition }

// TextMatches are the texts found in other datasets.
var TextMatches = pipeline.NewSchema[TextMatch]("text_matches", 1,
	"Which texts are in other datasets, and where.", "id")

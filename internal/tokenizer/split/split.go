package split

// Splitter cuts the first piece off a text.
type Splitter interface {
	// Next returns the length in bytes of the first piece of s, which must not
	// be empty. The result is at least 1 and at most len(s). Bytes that are not
	// valid UTF-8 count as punctuation, one byte each.
	Next(s string) int
}

// Splitters of published tokenizers.
var (
	// GPT2 is the splitter of GPT-2, of tiktoken's r50k_base and p50k_base and
	// of Hugging Face's ByteLevel pre-tokenizer.
	GPT2 Splitter = gpt2{}
	// Llama3 is the expression cl100k_base was published with, kept by Llama 3:
	// numbers in groups of three digits.
	Llama3 Splitter = cl100k{digits: 3}
	// Qwen2 is Llama3 with every digit on its own.
	Qwen2 Splitter = cl100k{digits: 1}
	// CL100K is the splitter of today's tiktoken for cl100k_base. It differs
	// from Llama3 in one thing: white space at the end of the text is one piece,
	// even with line ends in it.
	CL100K Splitter = cl100k{digits: 3, wholeTail: true}
	// O200K is the splitter of tiktoken's o200k_base.
	O200K Splitter = o200k{}
)

// ByPattern returns the splitter that follows the given regular expression,
// written exactly as the published tokenizer files write it.
func ByPattern(pattern string) (Splitter, bool) {
	switch pattern {
	case `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
		`'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s`:
		return GPT2, true
	case `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`:
		return Llama3, true
	case `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`:
		return Qwen2, true
	case `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s`:
		return CL100K, true
	case `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`:
		return O200K, true
	}
	return nil, false
}

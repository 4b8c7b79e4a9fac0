package llm

import "benchmill/pipeline"

// estimate is an upper bound for the tokens of a request and its answer. Prompts
// of code and English have more than three bytes to a token with every current
// tokenizer; the few tokens around each message are counted too.
func estimate(req pipeline.Request) (input, output int64) {
	bytes := len(req.System) + len(req.Schema)
	for _, m := range req.Messages {
		bytes += len(m.Text) + 12
	}
	return int64(bytes+2)/3 + 16, int64(req.MaxTokens)
}

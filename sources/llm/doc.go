// Package llm asks language models, behind one contract: [Provider].
//
// [Providers] lists what there is: two kinds of HTTP API, and one that needs
// neither a key nor a network. [Open] builds the provider of one model of
// pipeline.yaml and puts around it, from the outside in,
//
//	Retry      tries transient failures again, as the server asks
//	Limit      requests and tokens per minute, concurrent requests
//	Budget     stops before the money or the tokens run out
//	Usage      counts requests, tokens and cost by model
//	price      puts a cost on every reply
//	redact     keeps the key out of errors and replies
//	unschema   asks in words where a model takes no JSON Schema
//
// so that every try waits for its turn, and every try that may cost something
// has its share of the budget set aside.
//
// The ledger stands in front of all this: what it holds is not asked again. A
// key is therefore missed only when a model is really asked.
package llm

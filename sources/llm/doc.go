// Package llm asks language models, behind one contract: [Provider].
//
// [Providers] lists what there is: models behind HTTP APIs that talk, go on with
// a text or make a vector of it, and two kinds that need neither a key nor a
// network. [Open] builds the provider of one model of pipeline.yaml and puts
// around it, from the outside in,
//
//	Retry      tries transient failures again, as the server asks
//	Limit      requests and tokens per minute, concurrent requests
//	Budget     stops before the money or the tokens run out
//	Usage      counts requests, tokens and cost by model
//	price      puts a cost on every reply
//	unschema   asks in words where a model takes no JSON Schema
//	redact     keeps the key out of errors and replies
//
// so that every try waits for its turn, and every try that may cost something
// has its share of the budget set aside.
//
// With batch: true requests go through the provider's batches, and it is
//
//	Retry      asks again, in a later batch, what expired or failed for a passing reason
//	Budget     a request is in a batch only when there is room for the worst of it
//	Usage
//	price      at the price of batches
//	unschema   so that a batch holds what the model is asked in the end
//	Batch      gathers, submits, journals, waits and hands out
//	redact     around each call of the provider, so that nothing Batch logs or
//	           notes holds the key
//
// without a Limit: thousands may wait for one batch, which is a few requests to
// the server. Errors that concern a batch as a whole while it may be paid for are
// not tried again from outside; Batch goes on through passing ones by itself.
//
// The ledger stands in front of all this: what it holds is not asked again. A
// key is therefore missed only when a model is really asked. Whoever keeps replies
// signs a [Receipt], and only then does the journal of batches forget one.
package llm

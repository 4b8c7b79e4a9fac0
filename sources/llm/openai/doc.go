// Package openai asks models behind the Chat Completions API: OpenAI's own and
// the many servers that imitate it.
//
// A reply is what the first choice says. Finish is "stop", "length", "refusal"
// (the model or a content filter declined; Text holds its words, if any), or
// what the server reports. Nothing is retried here.
//
// A batch is a file of requests, which a batch then names; it carries our marker
// as metadata. What came of it is a file of answers and one of failures.
package openai

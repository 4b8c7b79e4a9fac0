// Package openai asks models behind the Chat Completions API: OpenAI's own and
// the many servers that imitate it.
//
// A reply is what the first choice says. Finish is "stop", "length", "refusal"
// (the model or a content filter declined; Text holds its words, if any), or
// what the server reports. Nothing is retried here.
package openai

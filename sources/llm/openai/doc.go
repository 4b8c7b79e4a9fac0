// Package openai asks models behind OpenAI's APIs and the many servers that
// imitate them: chat models ([Provider]), base models that go on with a text
// ([Completions]), and models that make vectors of texts ([Embeddings]).
//
// A reply is what the first choice says. Finish is "stop", "length", "refusal"
// (the model or a content filter declined; Text holds its words, if any), or
// what the server reports. Nothing is retried here.
//
// A batch is a file of requests, which a batch then names; it carries our marker
// as metadata. What came of it is a file of answers and one of failures.
package openai

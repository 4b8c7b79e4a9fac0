// Package anthropic asks models behind Anthropic's Messages API.
//
// A structured answer uses the API's own output format, which constrains what
// the model writes; Reply.Text is the JSON. Finish is "stop", "length",
// "refusal", or what the API reports. The API knows no seed: one in a request is
// left out. Nothing is retried here.
//
// A batch is one call with all requests, whose names begin with our marker. What
// came of it is read as a stream.
package anthropic

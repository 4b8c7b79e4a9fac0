// Package llmtest holds what tests of model providers share: a provider that
// plays a script ([Fake]), servers on this machine that speak the HTTP APIs
// ([OpenAI], [Anthropic] with their batches, [Completions], [Embeddings]), and the conformance suite every
// provider passes ([TestProvider]).
//
// A [Server] is also a transport, so that whole days of batches pass in a bubble
// of time (testing/synctest) without a network.
package llmtest

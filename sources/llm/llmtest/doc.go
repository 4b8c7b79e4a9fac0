// Package llmtest holds what tests of model providers share: a provider that
// plays a script ([Fake]), a clock that never waits ([Clock]), servers on this
// machine that speak the two HTTP APIs ([OpenAI], [Anthropic]), and the
// conformance suite every provider passes ([TestProvider]).
package llmtest

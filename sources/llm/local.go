package llm

// Local reports whether a provider answers without a network and without a key,
// so that a frozen run may ask it.
func Local(provider string) bool {
	k, ok := kindOf(provider)
	return ok && k.local()
}

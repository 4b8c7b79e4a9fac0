package replay

import (
	"regexp"
	"strings"
)

const removed = "REDACTED"

var (
	// tokens are what GitHub's tokens look like, of every kind.
	tokens = regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|v1\.[0-9a-f]{40})\b`)
	// parameters and credentials are the places in an address that hold secrets.
	parameters  = regexp.MustCompile(`(?i)((?:token|secret|password|signature|key)=)[^&\s"<>]+`)
	credentials = regexp.MustCompile(`(https?://)[^/@\s"<>]+@`)
)

// redact removes what looks like a token, and the token that was used.
func redact(text, token string) string {
	if len(token) >= 6 {
		text = strings.ReplaceAll(text, token, removed)
	}
	return tokens.ReplaceAllString(text, removed)
}

// redactAddress also removes secrets of any form from where addresses hold them.
// Texts are left alone: people write "password=" in issues.
func redactAddress(text, token string) string {
	text = parameters.ReplaceAllString(redact(text, token), "${1}"+removed)
	return credentials.ReplaceAllString(text, "${1}")
}

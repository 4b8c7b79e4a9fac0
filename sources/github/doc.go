// Package github brings in what GitHub's APIs know of repositories: which there
// are, their issues with comments, and the pull requests and events that closed
// them.
//
// Three schemes, each a source of its own over shared clients:
//
//	github-issues   <api>/repos/<owner>/<name>@<as-of time>  a collection of issues
//	github-details  <api>/repos/<owner>/<name>@<as-of time>  a collection of details
//	github-search   <api>@<digest>                           a list, kept in the lock
//
// The format of all three is that of package internal/collection. An API has no
// memory: a pin is answered from the mirror on this machine, brought up to date
// first where that is older than the as-of time, and the ledger keeps the answer.
// What was edited after the as-of time is seen as edited, what was deleted is
// gone; what was created or closed after it is not seen.
//
// An API's address may be mirrored to a folder of recorded conversations; such
// pins are local.
package github

// Package gitfixture builds small git repositories for tests and serves them
// over loopback HTTP, without the git program. Authors, messages and times are
// fixed, so the same calls in the same order give the same commit ids on every
// machine.
//
// Well-formed histories come from [Repo.Commit]; malformed ones from the raw
// objects of [Repo.Tree], [Repo.Object] and [Repo.Corrupt].
package gitfixture

// Package githubtest is a small GitHub in memory: a [World] of repositories,
// issues and pull requests that tests build, generate and change, and a [Server]
// that answers REST and GraphQL requests about it as GitHub does: bodies of the
// same form, pages that shift when items move, Link headers that name a repository
// by its number, ETags, budgets per user and resource, redirects of renamed
// repositories, and on request the faults of a bad day ([Faults]).
//
// It knows the reading operations this project uses and no others; an unknown
// address is 404, an unknown GraphQL field an error. Bodies are validated against
// the official descriptions of both APIs by this package's tests.
//
// Where GitHub's behaviour is undocumented the simpler one was taken: comments and
// events set an issue's updated time, deleting a comment does not; the best match
// of a search is the lowest number.
package githubtest

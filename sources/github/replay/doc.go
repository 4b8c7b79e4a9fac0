// Package replay answers HTTP requests to GitHub from recorded conversations, and
// records them. Both are an [http.RoundTripper]: what asks GitHub does not know.
//
// # Files
//
// A folder holds one text file for each repository, named owner--name.txt, and one
// for each other topic: search.txt, graphql.txt for queries whose variables name no
// owner and name. A file is a first line, then the
// exchanges in ascending order of what was asked:
//
//	benchmill conversation 1
//	date: 2025-01-01T00:00:00Z
//
//	-- GET /repos/o/n/issues?page=2&per_page=100 --
//	status: 200
//	content-type: application/json; charset=utf-8
//	etag: "0badcafe"
//	link: </repositories/7/issues?page=3&per_page=100>; rel="next"
//
//	[
//	  { "number": 1 }
//	]
//
//	-- POST /graphql --
//	variables: {"n":1}
//	status: 200
//
//	> query($n: Int!) {
//	>   rateLimit { cost }
//	> }
//
//	{ "data": null }
//
// Bodies that are compact JSON are indented, so that people and diffs can read
// them, and are compact again when they are replayed: the same bytes. Any other
// body is a JSON string after the line "body: text", or "body: base64".
//
// Addresses are relative to the base of the API (a leading "/api/v3" is not part
// of them), in Link and Location too, so that a conversation replays on any host;
// addresses in bodies are left alone. Nothing of a request is kept but its method,
// address and GraphQL query; of an answer only the headers named above, Location
// and Last-Modified. The date, one for a file, is what the answers' Date header
// says; a file without one gives none.
package replay

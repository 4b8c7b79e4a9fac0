// Package api asks GitHub's REST and GraphQL APIs politely and suspiciously. It
// stores nothing.
//
// One request of a caller passes, from the outside in,
//
//	ask       repeats what failed for a passing reason; believes a refusal only
//	          when it is repeated
//	follow    goes after redirects and remembers renamed repositories
//	hop       takes a share of a user's budget, a place among the concurrent
//	          requests and a turn in the minute; gives the share back
//	exchange  sends, reads the body whole, checks its type, end and form, and
//	          takes our own tokens out of whatever came back
//
// # Budgets
//
// GitHub's limit is per user, not per token: tokens are grouped by their user
// before anything else is asked. A user has one budget for each resource (core,
// search, graphql), counted down here and corrected by the headers of every
// answer. Requests under way are counted as spent until they are back; a 304
// spends nothing.
//
// # Which token asks
//
// GitHub makes ETags for one token: another one's gets a 200 where the first had
// a 304. So every address has a home among the tokens, chosen by hash and not by
// order or chance, and is asked with that one while its user has budget left,
// else with the user who has most. GraphQL, which has no ETags, always goes to
// the user who has most.
//
// The tokens of one client are taken to see the same repositories: public ones.
package api

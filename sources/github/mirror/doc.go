// Package mirror keeps what GitHub says about a repository's issues, comments and
// pull requests on disk, brings it up to date for few requests, and writes it as
// collections ([benchmill/internal/collection]).
//
// # Sweeps
//
// A sweep of one kind (issues or comments) walks the pages in descending order of
// the last update, from the newest item down to the watermark: the newest update
// seen when the last finished sweep began. An item with the watermark's own second
// is taken again, since more can have happened in it. The watermark moves only
// when a sweep has come all the way down.
//
//   - Items that change during a walk move to the front. Later pages then repeat
//     items, which does no harm, but the changed item itself may have left the part
//     that is still to be read. So a walk of more than one page is followed by
//     another from the front, until one request (mostly a 304) proves that nothing
//     has changed since it began. Only then is the mirror complete, as of the
//     server's Date of that last answer.
//   - The first page always has the same address. Its ETag makes a refresh with
//     nothing new cost one 304 a kind, and one with few changes one 200 a kind.
//   - Every page is stored before the next is asked for, so an interrupted walk goes
//     on where it was. Where the server refuses the next page by then, or at any
//     depth (it ends numbered pages after some ten thousand items, with a 422 or
//     with no next page), the rest is walked from the other end: ascending by
//     update, each page starting at the last time of the one before, until the two
//     parts meet. No stored page is asked for again.
//   - An answer that is no page (another form, an item without number or dates) is
//     asked for again twice, then it is an error that names page and item.
//   - The first sweep and those of [Mirror.Full] have no watermark and go to the very
//     end. A finished one drops what it has not seen.
//
// # What a table promises
//
// Records are derived from all pages since the last full sweep: of each item the
// version with the newest update, among equals the one stored last. A collection
// depends on GitHub's state and the as-of time alone, not on how many sweeps it
// took. It is cut at the as-of time: later issues and comments do not exist, an
// issue closed later is open. Later edits are seen, as the API keeps no history.
//
// Deletions are announced by nobody. An issue whose count of comments differs from
// the comments in the mirror has them listed alone, once for each version of the
// issue; if it turns out to be gone or moved, it is dropped. Everything else that
// was deleted stays until a full sweep: a deleted issue, and a deleted comment of an
// issue whose new count no page has shown. An issue deleted while a walk is between
// two pages can hide one other issue until that changes or a full sweep is made.
// Accounts, labels and such that are renamed do not touch the issues that mention
// them. A repository that was replaced by another of the same name needs a full sweep.
//
// # Details
//
// Pull requests and the timelines of closed issues are asked by GraphQL in batches
// of numbers, again only when the number's update in the mirror differs from the
// one they were asked at. Batches shrink when the server finds them too heavy, and
// grow again. Lists longer than a page are followed: timelines to their end, the
// files, commits and reviews of a pull request up to 1,000 each, the issues it
// closes up to 100; what is beyond is recorded in Pull.Truncated.
//
// # Files
//
// A repository has a folder, <Dir>/<base>/<owner>/<name>, with base escaped and names
// in lower case; a renamed repository keeps the folder of the name it is asked by.
// In it lie "lock", which one process holds at a time, and the logs "issues.log",
// "comments.log" and "details.log".
//
// A log starts with the line "benchmill mirror <format> <kind>", format being 1. Then
// come entries, only ever appended:
//
//	<SHA-256 of the rest, hexadecimal> <header, JSON>\n<body, gzip, as many bytes as the header says>
//
// The body is the answer as it came. The header is what the state of the sweeps is
// computed from, by going through all of them. Any beginning of a log that ends
// between two entries is a valid state of the past; so a torn or damaged entry
// ends the log: it and what follows is cut off and asked for again. A log of a
// newer format is refused.
//
// Nothing that was answered is dropped otherwise: logs grow by one page with every
// refresh that found something. Deriving starts at the last full sweep.
package mirror

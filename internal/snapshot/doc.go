// Package snapshot is the format in which one git commit travels: written by
// the git source, kept by the ledger, read by stages. It imports nothing but
// the standard library and touches no file.
//
// # Snapshot format 1
//
// A snapshot is a tar stream in PAX format. Its bytes depend on the commit
// alone: every time in a tar header is zero, owners are 0 and unnamed, and
// nothing of the machine, the clock or the repository's address is inside.
//
// The entries are, in this order:
//
//   - The header, a regular file named ".benchmill/snapshot". Its content is a
//     JSON object: format (1), commit and tree (object ids), author_time and
//     commit_time (RFC 3339, UTC, whole seconds).
//   - One entry for each file of the tree, in strictly ascending byte order of
//     the path. Folders have no entries.
//   - The trailer, a regular file named ".benchmill/skipped". Its content is a
//     JSON object: entries (how many stood between header and trailer) and
//     skipped (what the tree holds and the snapshot does not: objects of path
//     and reason). A stream without a trailer was cut short.
//
// Every entry carries PAX records of its own:
//
//   - BENCHMILL.kind: "snapshot" and "skipped" for header and trailer; "file",
//     "executable", "link", "submodule", "lfs" or "oversized" between them. A
//     repository that holds a file named like the header is told apart by kind.
//   - BENCHMILL.blob: the git blob id, on every kind but "submodule".
//   - BENCHMILL.commit: the commit a "submodule" points to; no content.
//   - BENCHMILL.lfs.oid and BENCHMILL.lfs.size: what a Git LFS pointer names
//     (SHA-256 in hexadecimal; bytes). The content is the pointer itself.
//   - BENCHMILL.size: the bytes of an "oversized" file, whose content is left out.
//   - BENCHMILL.rawpath: the path as git holds it, in hexadecimal, where that is
//     not valid UTF-8. See below.
//
// Files have mode 0644, executables 0755, everything else 0644. A link is a tar
// symbolic link: its target is data, may point anywhere, and is never followed.
//
// # Paths
//
// A path is relative, slash-separated, valid UTF-8, and no part of it is empty,
// ".", "..", or one of the names file systems take for ".git" (see [CheckName]).
// No path runs through an entry that is itself a file or a link. A reader that
// joins paths to a folder therefore stays inside it, provided it writes links
// as data.
//
// A part that is not valid UTF-8 is written with "%" and each byte outside
// printable ASCII as "%XX" (see [EscapeName]), and the true bytes stand in
// BENCHMILL.rawpath.
package snapshot

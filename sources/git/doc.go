// Package git is the source of scheme "git": it pins branches and tags to
// commits, and fetches a commit as a snapshot (package
// [benchmill/internal/snapshot] documents the bytes).
//
// # Locators and versions
//
// A locator is an http, https, ssh or git URL, the short form user@host:path, a
// file URL, or a local path; relative paths start in the working directory. A
// local repository may be bare, have a work tree, be a linked work tree, or
// borrow objects from others. A version is a full commit id: 40 lower-case
// hexadecimal digits. SHA-256 repositories are refused.
//
// Locators travel into locks, ledgers and releases, so they carry no
// credentials; a locator that does is refused. Give credentials in the
// replacement of a [sources.Mirror], which is recorded nowhere.
//
// # How bytes are read
//
// Local repositories are read in place. Nothing of them is run: no hook, no
// filter, no program their configuration names. Of a remote repository the one
// commit is fetched without history into a temporary folder; where a server
// does not hand out single commits, all its branches and tags are. The git
// program does the fetching where there is one, because it speaks every
// server's dialect, and go-git where there is none or it fails. Either way
// go-git's readers take the objects from disk, and every object is checked
// against its id, so the result cannot differ.
//
// # Dates of lines
//
// Other schemes of this package say when the lines of a commit's files were made: see
// [Dates]. They need all of history; of remote repositories it is kept between runs,
// where Options.HistoryDir says so.
//
// # What a snapshot leaves out
//
// A tree is foreign data. Entries that could not be written into a folder, or
// that no honest tree has, are skipped and listed with a reason in the
// snapshot: names such as "..", ".git" in any disguise, repeated names, unknown
// modes, paths and links beyond [Limits]. Files beyond Limits.MaxFileBytes stay
// as entries without content; their size is the store's word for it. A tree
// beyond the other limits is an error.
package git

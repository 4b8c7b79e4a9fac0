// Package lineage finds, for each line of a file at a commit, the commit that made
// it, over history as a store of objects has it. It reads objects and nothing else:
// no configuration, no attributes, no grafts, no replacements.
//
// # What is found
//
// For one file it is what git blame says without options, and what git blame
// --first-parent says where only first parents are followed:
//
//   - A file passes whole to the first parent that has the same content at its path.
//   - Else each parent that has a file at its path is asked for the lines it shares
//     ([linediff.Blocks]), in order; a parent with a content that an earlier one had
//     is not asked again.
//   - Where a parent has nothing at its path, the file may have been renamed: the
//     parent's file that is gone and most like it is asked instead (see below).
//     Something that is no file at its path, such as a link, ends the search there.
//   - Lines that no parent has were made by the commit.
//
// Each file looks for its origin alone, so two files that come from one both find it;
// git log, which gives every origin away once, would not.
//
// # Renames
//
// Candidates are the files of the parent that the commit lacks. One with the same
// content is the origin; of several the first with the same name, else the first.
// Else, if just one candidate has the same name and three quarters of its content are
// shared, it is the origin. Else it is the candidate that shares most, and at least
// half. Contents are compared by the bytes in lines, or in pieces of 64 bytes of
// longer ones, that both have.
//
// # Bounds
//
// A content beyond the store's limit counts as one without lines in common. One
// commit compares at most so many pairs of contents for renames ([MaxPairs]); beyond,
// only equal contents and unique names are found. Commits that change more than a
// million files, and histories that change more than [MaxChanges], are errors. Memory
// grows with the number of changes in history and the lines of the file, time with the
// sizes of the changed files.
package lineage

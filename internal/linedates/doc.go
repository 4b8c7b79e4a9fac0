// Package linedates is the format in which the dates of lines travel: for files of a
// commit, which commit made each of their lines, and when. Written by the git source,
// kept by the ledger, read by stages. It imports the standard library and the rules
// of paths, and touches no file.
//
// # Format 1
//
// UTF-8 text. Each line ends with a line feed; parts of a line are parted by one
// space; numbers are decimal, without signs and leading zeros. There is one way to
// write a document, and its bytes depend on what it says alone.
//
//		benchmill-line-dates 1 mainline 493e31e3ad299c99cbb96b8581b7598b19b23892
//		commits 2
//		0a1b... 2024-02-08T14:39:58Z
//		7c6d... 2011-05-25T08:00:00Z
//		text 120 3 "src/a.c"
//		100 1
//		5 0
//		15 1
//		binary "logo.png"
//		end 2
//
//	  - The first line has the version of the format, the mode, and the commit whose
//	    files these are. The mode is "mainline" (the commit of first-parent history that
//	    brought the line) or "blame" (the commit that wrote it).
//	  - Then how many commits are named, and each with its committer's time: RFC 3339 in
//	    UTC, whole seconds. Ids are lower-case hexadecimal and ascend.
//	  - Then the files, ascending by path: "text" with its number of lines and of runs,
//	    "binary" (a zero byte near its beginning) or "oversized" (too large to be read).
//	    The path is as in package snapshot, quoted as Go quotes strings.
//	  - The runs of a text follow it, a line each, from its first line on: how many
//	    lines, and which commit, counted from 0. Neighbours have different commits.
//	  - The last line has the number of files. A document without it was cut short.
package linedates

// Package review is how people's verdicts on rows come and go: a [Sheet] in CSV
// for spreadsheets, a [Page] for browsers that writes the same sheet, and
// [Verdicts], which is what came back, from one reviewer or several.
//
// What goes out is made of foreign text: in a sheet it must not become a
// formula, in a page not a script. What comes in has been through programs that
// rewrite files in their own way: that much is undone, and everything else that
// is not as it should be is an error with its file and line. Nothing here opens a
// file.
package review

// Package sample makes git repositories out of the small programs it carries, so
// that pipelines can be tried and tested without a network.
//
// Each folder of _repos is one program with a recipe, sample.yaml, which says how
// its history came about: who committed which files when. Everything that git
// hashes is in the recipe or the files, so commit ids are the same on every
// machine, and repositories.yaml, a list that the stage repos.list reads, can
// name them.
//
// Stored files are not always named as in the repository: the Go toolchain embeds
// no folder with a go.mod, and tools that walk this project must not take the
// programs for parts of it. What cannot be stored at all, symbolic links and
// bytes that are no UTF-8, is in the recipe.
package sample

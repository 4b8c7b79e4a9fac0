// Package crossfile holds the stages that find names which only another file of
// a repository explains: with the bindings of the language (uses), with the
// language's own compiler or checker (check), and how far both agree.
package crossfile

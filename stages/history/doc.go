// Package history says when code was last changed.
package history

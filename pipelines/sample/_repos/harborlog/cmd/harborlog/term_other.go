//go:build !unix

package main

// terminalWidth is not known here, so lines are never cut.
func terminalWidth() int { return 0 }

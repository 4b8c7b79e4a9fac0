//go:build unix

package main

import (
	"os"
	"strconv"
)

// terminalWidth trusts the shell; 0 means that lines are not to be cut.
func terminalWidth() int {
	columns, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || columns < 20 {
		return 0
	}
	return columns
}

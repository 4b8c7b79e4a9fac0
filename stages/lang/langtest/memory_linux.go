package langtest

import "syscall"

// peakMemory is the most memory the process ever held, C's included, in bytes.
func peakMemory() int64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return used.Maxrss << 10
}

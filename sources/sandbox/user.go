package sandbox

import (
	"os"
	"sync/atomic"
)

func asRoot() bool { return os.Geteuid() == 0 }

// Users that no account has: the range that is kept for services which get one
// for the time they run.
const firstNobody, lastNobody = 61184, 65519

var jobs atomic.Int64

// nobody is a user for one job, so that jobs are counted apart.
func nobody() int {
	return firstNobody + int((int64(os.Getpid())*64+jobs.Add(1))%(lastNobody-firstNobody+1))
}

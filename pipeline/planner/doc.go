// Package planner says what has to run and why. A [Task] is one stage over one
// partition with everything that decides its rows; its key is the digest of its
// ingredients. A [Frontier] walks a graph from what is known to what becomes
// known: which partitions there are, which tasks are ready, which are done. The
// plan command walks it with the cache alone, a run walks it with an executor.
package planner

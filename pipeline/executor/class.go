package executor

import "benchmill/pipeline/planner"

// class is the resource a task waits for most.
type class int

const (
	cpu class = iota
	network
	llm
)

func classOf(c *planner.Cell) class {
	switch uses := c.Node.Stage.Uses; {
	case uses.LLM:
		return llm
	case uses.Network:
		return network
	}
	return cpu
}

func (r *run) slots(c class) int {
	return max(1, [...]int{cpu: r.Limits.CPU, network: r.Limits.Network, llm: r.Limits.LLM}[c])
}

// memoryOf estimates what a task needs from the bytes it reads: rows unpack to
// several times their Parquet size, and stages hold a partition at a time.
func memoryOf(c *planner.Cell) int64 {
	const base, factor = 32 << 20, 16
	total := int64(base)
	for _, in := range c.Task.Inputs {
		for _, p := range in.Parts {
			total += factor * p.Bytes
		}
	}
	return total
}

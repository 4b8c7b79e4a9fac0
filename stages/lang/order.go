package lang

import "slices"

// Order sorts paths so that dependencies come before dependents: depth-first
// post-order over the paths in the given order, following dependencies in the
// order listed (RepoQA, section 3.1). Cycles are legal: a file already under way
// is not entered again. Dependencies that are not among paths are passed over.
func Order(paths []string, dependencies map[string][]string) []string {
	const under, done = 1, 2
	state := map[string]int{}
	known := map[string]bool{}
	for _, p := range paths {
		known[p] = true
	}
	type visit struct {
		path string
		next int
	}
	order := make([]string, 0, len(paths))
	for _, start := range paths {
		if state[start] != 0 {
			continue
		}
		state[start] = under
		stack := []visit{{path: start}}
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if deps := dependencies[v.path]; v.next < len(deps) {
				d := deps[v.next]
				v.next++
				if known[d] && state[d] == 0 {
					state[d] = under
					stack = append(stack, visit{path: d})
				}
				continue
			}
			state[v.path] = done
			order = append(order, v.path)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// Unique sorts dependencies, drops repeats and the file itself.
func Unique(self string, dependencies []string) []string {
	slices.Sort(dependencies)
	dependencies = slices.Compact(dependencies)
	return slices.DeleteFunc(dependencies, func(p string) bool { return p == self })
}

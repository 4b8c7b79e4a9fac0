// Package passk estimates how often at least one of several samples is right.
package passk

import "fmt"

// PassAt is the unbiased estimate of pass@k from n samples of which c are right:
// the share of the choices of k among the n that hold a right one,
// 1 - C(n-c, k) / C(n, k). It is an error if not 0 <= c <= n and 1 <= k <= n.
func PassAt(n, c, k int) (float64, error) {
	if c < 0 || c > n || k < 1 || k > n {
		return 0, fmt.Errorf("pass@%d of %d samples, %d of them right", k, n, c)
	}
	if n-c < k {
		return 1, nil // every choice holds a right one
	}
	// C(n-c, k) / C(n, k) as a product of few factors, each at most 1, so that
	// nothing overflows.
	few, many := min(c, k), max(c, k)
	none := 1.0
	for i := n - few + 1; i <= n; i++ {
		none *= float64(i-many) / float64(i)
	}
	return 1 - none, nil
}

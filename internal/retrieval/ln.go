package retrieval

import (
	"math"
	"math/big"
	"sync"
)

// math.Log differs in its last bit between processors, and a last bit decides
// ties, so logarithms are computed with more digits than needed and rounded.

const lnBits = 128

var ln2, _, _ = big.ParseFloat("0.693147180559945309417232121458176568075500134360255254120680009", 10, lnBits, big.ToNearestEven)

// ln is the natural logarithm of a finite x > 0, rounded to the nearest float64.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// ln m = 2 artanh z = 2(z + z^3/3 + ...) with z = (m-1)/(m+1), |z| < .172
	z := quotient(newFloat(m-1), new(big.Float).Add(newFloat(m), newFloat(1)))
	square := new(big.Float).Mul(z, z)
	sum := new(big.Float).Set(z)
	for k := 3; k < 2*lnBits/5+3; k += 2 {
		z.Mul(z, square)
		sum.Add(sum, quotient(z, newFloat(float64(k))))
	}
	sum.Add(sum, sum)
	out, _ := sum.Add(sum, new(big.Float).Mul(ln2, newFloat(float64(e)))).Float64()
	return out
}

func newFloat(x float64) *big.Float { return new(big.Float).SetPrec(lnBits).SetFloat64(x) }

func quotient(a, b *big.Float) *big.Float { return new(big.Float).Quo(a, b) }

// halves keeps ln(n+.5): a ranking asks for few and every ranking for the same.
var halves [1024]func() float64

func init() {
	for n := range halves {
		halves[n] = sync.OnceValue(func() float64 { return ln(float64(n) + 0.5) })
	}
}

func lnHalf(n int) float64 {
	if n < len(halves) {
		return halves[n]()
	}
	return ln(float64(n) + 0.5)
}

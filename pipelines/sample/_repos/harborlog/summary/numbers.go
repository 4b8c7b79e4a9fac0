package summary

import (
	"math"
	"sort"
)

// Quantile interpolates between the two nearest of the sorted values; q is from 0 to 1.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := clamp(q, 0, 1) * float64(len(sorted)-1)
	below := int(math.Floor(at))
	above := int(math.Ceil(at))
	share := at - float64(below)
	return sorted[below]*(1-share) + sorted[above]*share
}

// Outliers returns the positions of values further from the median than `far` times
// the median distance from it. Values of which half are equal have no outliers.
func Outliers(values []float64, far float64) []int {
	middle := median(values)
	distances := make([]float64, len(values))
	for i, v := range values {
		distances[i] = math.Abs(v - middle)
	}
	usual := median(distances)
	var found []int
	for i, d := range distances {
		if usual > 0 && d > far*usual {
			found = append(found, i)
		}
	}
	return found
}

// median does not change the order of its argument.
func median(values []float64) float64 {
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	return Quantile(sorted, 0.5)
}

// MeanAndDeviation goes over the values once, without the loss of a sum of squares.
func MeanAndDeviation(values []float64) (mean, deviation float64) {
	squares := 0.0
	for i, v := range values {
		step := v - mean
		mean += step / float64(i+1)
		squares += step * (v - mean)
	}
	if len(values) < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(squares / float64(len(values)-1))
}

func clamp(v, low, high float64) float64 {
	return math.Max(low, math.Min(high, v))
}

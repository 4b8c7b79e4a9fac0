package pipeline

import (
	"math"
	"slices"
	"testing"
)

func TestVector(t *testing.T) {
	for _, want := range [][]float32{
		{}, {0, 1, -1.5, 0.1, math.SmallestNonzeroFloat32, math.MaxFloat32, float32(math.Copysign(0, -1))}, make([]float32, 768),
	} {
		v := NewVector(want)
		got, err := v.Floats()
		if err != nil || !slices.Equal(got, want) || NewVector(got) != v {
			t.Errorf("%v came back as %v (%v)", want, got, err)
		}
	}
	if NewVector(nil) != "" || NewVector([]float32{1}) != "AACAPw==" {
		t.Errorf("%q, %q", NewVector(nil), NewVector([]float32{1}))
	}
	for _, bad := range []Vector{"AACA", "AACAPw", "AACAP!==", "AACAPw==\n\x00", "AACAPx=="} {
		if got, err := bad.Floats(); err == nil {
			t.Errorf("%q is %v", bad, got)
		}
	}
}

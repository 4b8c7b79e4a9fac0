package pipeline

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
)

// Vector is a list of float32 numbers, kept as the base64 text of their bytes,
// the lowest first: exact, short in a record, and comparable. "" has none.
type Vector string

// NewVector packs numbers.
func NewVector(numbers []float32) Vector {
	raw := make([]byte, 0, 4*len(numbers))
	for _, x := range numbers {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return Vector(base64.StdEncoding.EncodeToString(raw))
}

// Floats unpacks the numbers. Text that [NewVector] did not make is an error.
func (v Vector) Floats() ([]float32, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(string(v))
	if err != nil || len(raw)%4 != 0 {
		return nil, errors.New("not a vector of float32 numbers")
	}
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out, nil
}

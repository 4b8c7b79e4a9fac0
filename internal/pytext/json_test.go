package pytext

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"unicode/utf8"
)

// What Python 3.11's json.dumps printed.
func TestAppendString(t *testing.T) {
	const text = "a\"b\\c/\n\r\t\f\b\x00\x1f\x7f\u0080é日\u2028\uffff😀<&>'`~ "
	const want = `"a\"b\\c/\n\r\t\f\b\u0000\u001f\u007f\u0080\u00e9\u65e5\u2028\uffff\ud83d\ude00<&>'` + "`" + `~ "`
	if got := string(AppendString(nil, text)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(AppendString([]byte("x"), "\xff")); got != `x"\ufffd"` {
		t.Errorf("%s", got)
	}
}

func TestAppendFloat(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0.0", math.Copysign(0, -1): "-0.0", 1: "1.0", -1.5: "-1.5", 0.1: "0.1", 1. / 3: "0.3333333333333333", 123456789: "123456789.0",
		1e15: "1000000000000000.0", 9999999999999998: "9999999999999998.0", 1e16: "1e+16", 1.5e16: "1.5e+16", 1e22: "1e+22", 1e100: "1e+100",
		0.0001: "0.0001", 0.00012345: "0.00012345", 0.00001: "1e-05", 1e-7: "1e-07", 2.5e-9: "2.5e-09", 5e-324: "5e-324",
		math.MaxFloat64: "1.7976931348623157e+308", 12345.678: "12345.678", 0.8781483173370361: "0.8781483173370361",
	} {
		if got := string(AppendFloat([]byte("["), x)); got != "["+want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

// What was written is JSON, and says what it should.
func FuzzJSON(f *testing.F) {
	f.Add("é\x00😀\\", 0.1)
	f.Fuzz(func(t *testing.T, s string, x float64) {
		var text string
		if err := json.Unmarshal(AppendString(nil, s), &text); err != nil || utf8.ValidString(s) && text != s {
			t.Errorf("%q came back as %q (%v)", s, text, err)
		}
		if math.IsInf(x, 0) || math.IsNaN(x) {
			t.Skip()
		}
		written := AppendFloat(nil, x)
		if got, err := strconv.ParseFloat(string(written), 64); err != nil || got != x || !json.Valid(written) {
			t.Errorf("%v is written as %s", x, written)
		}
	})
}

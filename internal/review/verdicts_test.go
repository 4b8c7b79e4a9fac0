package review

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

const head = "id,bracket,verdict,reviewer,note\n"

func verdicts(t *testing.T, sheets ...string) *Verdicts {
	t.Helper()
	v := &Verdicts{}
	for i, s := range sheets {
		if err := v.Add(string(rune('a'+i))+".csv", []byte(head+s)); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

func TestVerdict(t *testing.T) {
	v := verdicts(t,
		"q1,32K,accept,zoe,fine\nq2,32K,reject,zoe,\nq3,1M,,,\nq4,1M,accept,zoe,\nq5,1M,accept,,\nq6,1M,reject,zoe,\n",
		"q1,32K,accept,adam,\nq2,32K,accept,adam,\nq3,1M,,adam,hm\nq4,1M,reject,adam,why\nq6,1M,reject,adam,\n")
	for id, want := range map[string]string{
		"q1": "accept by adam, zoe", "q2": "reject by zoe", "q3": " by ", "q4": "reject by adam", "q5": "accept by ", "q6": "reject by adam, zoe", "unknown": " by ",
	} {
		verdict, by := v.Verdict(id)
		if got := string(verdict) + " by " + by; got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	// All are kept, whatever they come to.
	want := []Vote{{"q4", Accept, "zoe", "", "a.csv:5"}, {"q4", Reject, "adam", "why", "b.csv:5"}}
	if got := v.Votes("q4"); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := v.IDs(); !slices.Equal(got, []string{"q1", "q2", "q3", "q4", "q5", "q6"}) || len(v.Votes("x")) > 0 {
		t.Errorf("%q", got)
	}
	if v.Cell("q3", "bracket") != "1M" || v.Cell("q3", "x") != "" || v.Cell("x", "bracket") != "" {
		t.Error("cells")
	}
	// What one sheet no longer holds is taken back alone.
	adams := func(cell func(string) (string, bool)) bool {
		name, _ := cell("reviewer")
		_, other := cell("x")
		return name == "adam" && !other
	}
	if n := v.Withdraw("q4", adams); n != 1 || !slices.Equal(v.Votes("q4"), want[:1]) || v.Withdraw("q4", adams)+v.Withdraw("q3", adams)+v.Withdraw("x", adams) != 0 {
		t.Errorf("%d, %+v", n, v.Votes("q4"))
	}
	var none Verdicts
	if verdict, by := none.Verdict("q1"); verdict != None || by != "" || len(none.IDs()) > 0 || len(none.Counts("")) > 0 {
		t.Error("the zero value")
	}
}

func TestSecondVerdict(t *testing.T) {
	v := verdicts(t, "q1,x,accept,zoe,\nq2,x,,,\n")
	err := v.Add("b.csv", []byte(head+"q2,x,accept,zoe,\nq1,x,accept,zoe,\n"))
	if err == nil || err.Error() != "b.csv:3: q1 is judged at a.csv:2 already, judged by zoe" {
		t.Errorf("%v", err)
	}
	if err := v.Add("c.csv", []byte("x")); err == nil || !strings.HasPrefix(err.Error(), "c.csv:1: ") {
		t.Errorf("%v", err)
	}
}

func TestCounts(t *testing.T) {
	v := verdicts(t, "q1,1M,accept,zoe,\nq2,32K,reject,zoe,\nq3,128K,,,\nq4,32K,accept,zoe,\nq5,,accept,zoe,\n", "q4,32K,reject,adam,\n")
	want := []Count{
		{"32K", 2, 0, 2, 0, 1}, {"128K", 1, 0, 0, 1, 0}, {"1M", 1, 1, 0, 0, 0}, {"", 1, 1, 0, 0, 0},
	}
	if got := v.Counts("bracket"); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := v.Counts("no such column"); !slices.Equal(got, []Count{{"", 5, 2, 2, 1, 1}}) {
		t.Errorf("%+v", got)
	}
}

func TestCompareGroups(t *testing.T) {
	want := []string{"0.5", "9", "10", "32K", "64K", "128K", "1M", "1G", "", "Inf-ish", "K", "NaN", "python", "rust"}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, CompareGroups); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// The textbook's case: of 50 rows two reviewers both accept 20 and both reject
// 15, and disagree on 5 and 10: agreement 0.7, kappa 0.4.
func TestAgreements(t *testing.T) {
	var zoe, adam strings.Builder
	rows := 0
	add := func(n int, a, z string) {
		for range n {
			rows++
			id := fmt.Sprint("q", rows)
			adam.WriteString(id + ",b," + a + ",adam,\n")
			zoe.WriteString(id + ",b," + z + ",zoe,\n")
		}
	}
	add(20, "accept", "accept")
	add(5, "accept", "reject")
	add(10, "reject", "accept")
	add(15, "reject", "reject")
	zoe.WriteString("only,b,accept,zoe,\n")
	got := verdicts(t, zoe.String(), adam.String()).Agreements()
	if len(got) != 1 || got[0].Reviewers != [2]string{"adam", "zoe"} || got[0].Rows != 50 || got[0].Same != 35 || got[0].Percent != 70 || math.Abs(*got[0].Kappa-0.4) > 1e-12 {
		t.Errorf("%+v", got)
	}
	for want, sheets := range map[float64][]string{
		1:  {"q1,b,accept,a,\nq2,b,reject,a,\n", "q1,b,accept,b,\nq2,b,reject,b,\n"},
		-1: {"q1,b,accept,a,\nq2,b,reject,a,\n", "q1,b,reject,b,\nq2,b,accept,b,\n"},
		0:  {"q1,b,accept,a,\nq2,b,accept,a,\n", "q1,b,accept,b,\nq2,b,reject,b,\n"},
	} {
		if got := verdicts(t, sheets...).Agreements(); len(got) != 1 || math.Abs(*got[0].Kappa-want) > 1e-12 {
			t.Errorf("want %g: %+v", want, got)
		}
	}
	// Where both always say the same word there is nothing to compare with chance.
	if got := verdicts(t, "q1,b,accept,a,\n", "q1,b,accept,b,\n").Agreements(); got[0].Kappa != nil || got[0].Percent != 100 {
		t.Errorf("%+v", got)
	}
	if got := verdicts(t, "q1,b,accept,a,\n", "q1,b,accept,b,\n", "q1,b,reject,c,\n").Agreements(); len(got) != 3 || got[1].Reviewers != [2]string{"a", "c"} {
		t.Errorf("%+v", got)
	}
	if got := verdicts(t, "q1,b,accept,a,\n").Agreements(); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

package summary

import (
	"reflect"
	"testing"
	"time"

	"github.com/benchmill-samples/harborlog/record"
)

func at(seconds ...int) []time.Time {
	var times []time.Time
	for _, s := range seconds {
		times = append(times, time.Unix(int64(s), 0).UTC())
	}
	return times
}

func TestNumbers(t *testing.T) {
	if got := Quantile([]float64{1, 2, 4, 8}, 0.5); got != 3 {
		t.Errorf("median %v", got)
	}
	if got := Outliers([]float64{5, 6, 5, 7, 90, 6}, 5); !reflect.DeepEqual(got, []int{4}) {
		t.Errorf("outliers %v", got)
	}
	if mean, deviation := MeanAndDeviation([]float64{2, 4, 6}); mean != 4 || deviation != 2 {
		t.Errorf("mean %v, deviation %v", mean, deviation)
	}
}

func TestTimes(t *testing.T) {
	times := at(0, 1, 2, 30, 31, 90)
	if got := Buckets(times, times[0], 30*time.Second, 3); !reflect.DeepEqual(got, []int{3, 2, 0}) {
		t.Errorf("buckets %v", got)
	}
	if start, gap := LongestSilence(times); start != times[4] || gap != 59*time.Second {
		t.Errorf("silence %v %v", start, gap)
	}
	if start, n := BusiestWindow(times, 3*time.Second); start != times[0] || n != 3 {
		t.Errorf("busiest %v %v", start, n)
	}
	if got := ChooseWidth(time.Hour, 20); got != 5*time.Minute {
		t.Errorf("width %v", got)
	}
}

func TestSummarise(t *testing.T) {
	records := []record.Record{
		{Level: record.Warn, Source: "crane", Message: `lift 12t of "sand" failed`, Time: at(10)[0]},
		{Level: record.Warn, Source: "crane", Message: `lift 9t of "iron ore" failed`, Time: at(15)[0]},
		{Level: record.Info, Source: "pier", Message: "moored at berth 7.", Time: at(5)[0]},
	}
	got := Summarise(records, 1, 12)
	want := []Count[string]{{Key: "lift # of “…” failed", N: 2}}
	if !reflect.DeepEqual(got.Templates, want) || got.Silence != 5*time.Second || got.First != at(5)[0] {
		t.Errorf("got %+v", got)
	}
}

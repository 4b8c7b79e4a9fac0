package pipeline

import (
	"errors"
	"strings"
	"testing"
)

type adapted struct {
	ID string `parquet:"id"`
}

var adaptedRows = NewSchema[adapted]("adapted", 1, "Rows.", "id")

func TestAdapter(t *testing.T) {
	full := errors.New("full")
	a := NewAdapter("lines", 2, "One line a row.", adaptedRows, func(row adapted, to func(string, []byte) error) error {
		return to("a/"+row.ID, []byte(row.ID+"\n"))
	})
	var got string
	if err := a.Append(adapted{"x"}, func(path string, data []byte) error { got = path + "=" + string(data); return nil }); err != nil || got != "a/x=x\n" {
		t.Errorf("%q, %v", got, err)
	}
	if err := a.Append(adapted{"x"}, func(string, []byte) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	if a.String() != "lines/2" || ValidateAdapters([]*Adapter{a}) != nil {
		t.Errorf("%s: %v", a, ValidateAdapters([]*Adapter{a}))
	}
	err := ValidateAdapters([]*Adapter{a, a, {Name: "Upper"}})
	for _, want := range []string{`"lines": declared twice`, "the name is not", "no doc", "start at 1", "no schema", "no Append"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an adapter for rows of another type")
		}
	}()
	NewAdapter("other", 1, "x", adaptedRows, func(string, func(string, []byte) error) error { return nil })
}

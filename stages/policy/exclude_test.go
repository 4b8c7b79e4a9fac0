package policy

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func excludeJob(files []schemas.File, lists ...string) stagetest.Job {
	c := &ExcludeConfig{}
	texts := map[pipeline.FileName]string{}
	for i, list := range lists {
		name := pipeline.FileName(fmt.Sprintf("list%d", i))
		c.Files = append(c.Files, name)
		texts[name] = list
	}
	return stagetest.Job{Stage: Exclude(), Config: c, Files: texts, Inputs: map[string]any{"files": files}}
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func TestExclude(t *testing.T) {
	const blob = "0123456789abcdef0123456789abcdef01234567"
	files := []schemas.File{{Path: "a", Blob: strings.Repeat("a", 40), Text: "x"}, {Path: "b", Blob: blob, Text: "y"}, {Path: "c", Text: "y"}}
	strangers := sum("1") + " one\n" + strings.Repeat("b", 40) + "\n"
	for name, test := range map[string]struct {
		lists []string
		want  string
	}{
		"none":        {[]string{strangers}, ""},
		"empty list":  {[]string{""}, ""},
		"blob":        {[]string{strangers + blob + "\tthe name of it \n"}, "b is the name of it"},
		"no name":     {[]string{strangers + blob}, "b is " + blob},
		"sha256":      {[]string{"# a comment\n\n" + sum("x") + " x\r\n" + strangers}, "a is x"},
		"upper case":  {[]string{strings.ToUpper(sum("x")) + " x"}, "a is x"},
		"same twice":  {[]string{sum("y") + " y"}, "b is y"},
		"second list": {[]string{strangers, sum("x") + " x"}, "a is x"},
		"other form":  {[]string{sum("x")[:40] + " head only"}, ""},
	} {
		r, err := stagetest.Run(t.Context(), excludeJob(files, test.lists...))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		rows := stagetest.Rows[schemas.File](r, "files")
		switch {
		case test.want == "":
			if len(rows) != 3 {
				t.Errorf("%s: dropped %v", name, r.Dropped)
			}
		case len(rows) != 0 || r.Reasons()[reasonExcluded] != 3 || r.Dropped[0].Detail != test.want:
			t.Errorf("%s: %d rows, %+v", name, len(rows), r.Dropped)
		}
	}
}

func TestExcludeErrors(t *testing.T) {
	files := []schemas.File{{Path: "a", Text: "x"}}
	good := sum("1") + "\n"
	for list, want := range map[string]string{
		good + "abc name\n":                   `list0:2: "abc" is neither`,
		good + good + strings.Repeat("g", 40): "list0:3: ",
		good + strings.Repeat("x", 1000):      `list0:2: "`,
	} {
		if _, err := stagetest.Run(t.Context(), excludeJob(files, list)); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, c := range []*ExcludeConfig{{}, {Files: []pipeline.FileName{""}}} {
		if c.Validate() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	job := excludeJob(files, good)
	job.Files = nil
	if _, err := stagetest.Run(t.Context(), job); err == nil {
		t.Error("a missing list is no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := stagetest.Run(ctx, excludeJob(files, strings.Repeat(good, 1<<16))); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func FuzzExcludeList(f *testing.F) {
	f.Add(sum("x")+" x\n", "x")
	f.Add("# \n\n"+strings.Repeat("0", 40), "")
	f.Add(strings.Repeat("z", 64), "z")
	f.Fuzz(func(t *testing.T, list, text string) {
		c := contents{paths: map[string]string{}}
		digest := sha256.Sum256([]byte(text))
		c.add(digest[:], "p")
		path, match, err := c.find(t.Context(), []byte(list))
		if (path == "") != (match == "") || err != nil && path != "" {
			t.Errorf("%q, %q, %v", path, match, err)
		}
		if path != "" && !strings.Contains(strings.ToLower(list), sum(text)) {
			t.Errorf("%q is not in %q", text, list)
		}
		if err == nil && path == "" {
			path, _, _ = c.find(t.Context(), []byte(list+"\n"+sum(text)))
			if path != "p" {
				t.Errorf("not found after %q", list)
			}
		}
	})
}

// A list of a million contents, none of which is in the repository.
func BenchmarkExclude(b *testing.B) {
	var list strings.Builder
	for i := range 1_000_000 {
		list.WriteString(sum(fmt.Sprint(i))[:40] + "\n")
	}
	c := contents{paths: map[string]string{}}
	for i := range 50 {
		digest := sha256.Sum256([]byte{byte(i)})
		c.add(digest[:], "p")
	}
	data := []byte(list.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if path, _, err := c.find(context.Background(), data); path != "" || err != nil {
			b.Fatal(path, err)
		}
	}
}

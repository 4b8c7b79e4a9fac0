package callgraph_test

import (
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/callgraph"
	"benchmill/stages/lang"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/python"
)

// toy is Python with call graphs of our own: every "def" is a function, and calls
// the first one of the file that comes next.
func toy(t testing.TB) *lang.Set {
	t.Helper()
	l := python.Language()
	l.CallGraph = &lang.CallGraph{Version: 1, Doc: "toy", Read: readToy, Link: linkToy}
	set, err := lang.NewSet([]*lang.Language{l})
	if err != nil {
		t.Fatal(err)
	}
	set.Languages = append(set.Languages, &lang.Language{Name: "mute", Title: "Mute"})
	return set
}

func readToy(path string, t *treesitter.Tree) *calls.File {
	f := &calls.File{Path: path}
	text := string(t.Source)
	for at := strings.Index(text, "def "); at >= 0; {
		end := at + strings.Index(text[at:], "\n")
		name := text[at+len("def ") : at+strings.Index(text[at:], "(")]
		line := int32(strings.Count(text[:at], "\n"))
		doc := calls.Span{}
		if i := strings.LastIndex(text[:at], "#"); i >= 0 && strings.Count(text[i:at], "\n") == 1 {
			doc = calls.Span{Start: int32(i), End: int32(at - 1)}
		}
		f.Functions = append(f.Functions, calls.Function{
			Name: name, Qualified: path + "." + name, Start: int32(at), Body: int32(at + strings.Index(text[at:], ":") + 1), End: int32(end),
			Line: line, EndLine: line, Doc: doc, Local: strings.HasPrefix(name, "_"), Unsure: strings.HasSuffix(name, "_"),
		})
		next := strings.Index(text[end:], "def ")
		if next < 0 {
			break
		}
		at = end + next
	}
	return f
}

type toyGraph struct{ files map[string]*calls.File }

func linkToy(files []*calls.File, config map[string]string) calls.Graph {
	g := toyGraph{map[string]*calls.File{}}
	for _, f := range files {
		g.files[f.Path] = f
	}
	return g
}

func (g toyGraph) Edges(path string) iter.Seq[calls.Edge] {
	return func(yield func(calls.Edge) bool) {
		f := g.files[path]
		for i := range f.Functions {
			e := calls.Edge{Caller: i, Evidence: calls.Written, First: f.Functions[i].Body, Sites: 2, Callee: calls.Callee{Name: "print", Origin: calls.System, Path: "_builtins", Start: -1, Line: -1}}
			if i+1 < len(f.Functions) {
				n := &f.Functions[i+1]
				e.Callee = calls.Callee{Name: n.Qualified, Origin: calls.Defined, Path: path, Start: n.Start, Line: n.Line}
				e.Alternatives = 1
			}
			if !yield(e) {
				return
			}
		}
	}
}

func job(t testing.TB, language string, files ...schemas.File) stagetest.Job {
	return stagetest.Job{
		Stage: callgraph.Native(toy(t)), Partition: language + "/o/n@1",
		Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/n", Language: language}}, "files": files},
	}
}

func TestNative(t *testing.T) {
	files := []schemas.File{
		{Path: "a.py", Text: "# Says hello.\ndef hello(name): print(name)\n\ndef _bye_(): pass\n"},
		{Path: "b.py", Text: "x = '\xff'\n"},
		{Path: "c.py", Text: "1\n"},
	}
	r, err := stagetest.Run(t.Context(), job(t, "python", files...))
	if err != nil {
		t.Fatal(err)
	}
	definitions := []schemas.Definition{
		{Path: "a.py", Start: 14, Body: 30, End: 42, Line: 2, EndLine: 2, Name: "hello", Qualified: "a.py.hello", Signature: "def hello(name):", Doc: "# Says hello."},
		{Path: "a.py", Start: 44, Body: 56, End: 61, Line: 4, EndLine: 4, Name: "_bye_", Qualified: "a.py._bye_", Signature: "def _bye_():", Local: true, Condition: schemas.ConditionUnknown},
	}
	if got := stagetest.Rows[schemas.Definition](r, "definitions"); !reflect.DeepEqual(got, definitions) {
		t.Errorf("definitions:\n%+v", got)
	}
	calls := []schemas.Call{
		{CallerPath: "a.py", CallerStart: 14, Caller: "a.py.hello", Callee: "a.py._bye_", CalleePath: "a.py", CalleeStart: 44, CalleeLine: 4,
			Origin: schemas.OriginDefined, Evidence: schemas.EvidenceWritten, Sites: 2, First: 30, Alternatives: 1, Engine: "native"},
		{CallerPath: "a.py", CallerStart: 44, Caller: "a.py._bye_", Callee: "print", CalleePath: "_builtins", CalleeStart: -1,
			Origin: schemas.OriginSystem, Evidence: schemas.EvidenceWritten, Sites: 2, First: 56, Engine: "native"},
	}
	if got := stagetest.Rows[schemas.Call](r, "calls"); !reflect.DeepEqual(got, calls) {
		t.Errorf("calls:\n%+v", got)
	}
	slices.Reverse(calls) // in the order of callees
	if got := stagetest.Rows[schemas.Call](r, "callers"); !reflect.DeepEqual(got, calls) {
		t.Errorf("callers:\n%+v", got)
	}
	if drops := r.Dropped; len(drops) != 1 || drops[0].Key != "b.py" || drops[0].Reason != lang.ReasonNotUTF8 {
		t.Errorf("drops: %+v", drops)
	}
}

func TestMute(t *testing.T) {
	r, err := stagetest.Run(t.Context(), job(t, "mute", schemas.File{Path: "a.mute"}))
	if err != nil {
		t.Fatal(err)
	}
	if drops := r.Dropped; len(drops) != 1 || drops[0].Reason != "no_call_graph" {
		t.Errorf("drops: %+v", drops)
	}
}

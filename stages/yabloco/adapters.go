package yabloco

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// published is a task as the published rows have it, keys in their order.
type published struct {
	Instruction string          `json:"instruction"`
	Inputs      publishedInputs `json:"inputs"`
	Outputs     string          `json:"outputs"`
	Meta        publishedMeta   `json:"meta"`
}

type publishedInputs struct {
	Language  string `json:"language"`
	Context   string `json:"context"`
	Signature string `json:"signature"`
	Docstring string `json:"docstring"`
}

type publishedMeta struct {
	ID          int64  `json:"id"`
	OriginalID  string `json:"original_id"`
	Repository  string `json:"repository"`
	Name        string `json:"fname"`
	File        string `json:"file"`
	CallsNum    int64  `json:"calls_num"`
	DepNum      int64  `json:"dep_num"`
	SameFile    int64  `json:"same_file"`
	SamePackage int64  `json:"same_package"`
	Project     int64  `json:"project"`
	Stdlib      int64  `json:"stdlib"`
	External    int64  `json:"external_binaries"`
	CodeLength  int64  `json:"code_length"`
	Pos         int64  `json:"pos"`
	LastCommit  string `json:"last_commit"`
	Hits        *int64 `json:"test_cov_hits"`
}

// Published writes tasks in the form of the published rows, one JSON object a line:
// the whole function as the output, days as DD.MM.YYYY, the repository's own name
// before paths. Numbers in meta.id are made of the function's id, so that they stay
// when rows are added.
//
// Version history:
//
//	1: first version
func Published() *pipeline.Adapter {
	return pipeline.NewAdapter("yabloco", 1, "Rows in the published form of YABLoCo, as JSON lines.", schemas.BodyTasks,
		func(t schemas.BodyTask, to func(string, []byte) error) error {
			number, err := strconv.ParseInt(t.TaskID[:min(len(t.TaskID), 13)], 16, 64) // exact in any JSON reader
			if err != nil {
				return fmt.Errorf("task id %q: %w", t.TaskID, err)
			}
			folder := path.Base(t.Repo)
			return appendJSON("tasks.jsonl", published{
				Instruction: t.Instruction,
				Inputs:      publishedInputs{t.Title, t.Context, t.Signature, t.Docstring},
				Outputs:     t.Output,
				Meta: publishedMeta{
					ID: number, OriginalID: t.TaskID, Repository: folder, Name: t.Name, File: folder + "/" + t.File,
					CallsNum: t.CallsNum, DepNum: t.DepNum, SameFile: t.SameFile, SamePackage: t.SamePackage, Project: t.Project,
					Stdlib: t.Stdlib, External: t.External, CodeLength: t.CodeLength, Pos: t.Pos,
					LastCommit: dottedDay(t.LastCommit), Hits: t.Hits,
				},
			}, to)
		})
}

// dottedDay turns 2006-01-02 around.
func dottedDay(day string) string {
	if parts := strings.Split(day, "-"); len(parts) == 3 {
		return parts[2] + "." + parts[1] + "." + parts[0]
	}
	return day
}

// publishedNode is a function as the published graphs have it.
type publishedNode struct {
	ID    string         `json:"id"`
	Name  string         `json:"name"`
	Path  string         `json:"path"`
	Start publishedPlace `json:"start"`
	End   publishedPlace `json:"end"`
}

type publishedPlace struct {
	Line int64 `json:"line"`
	Col  int64 `json:"col"`
}

// PublishedGraph writes graphs as the published ones are: for each repository a file
// <owner>+<name>.json with one object, which has the callees of each function under
// its id, and callers/<owner>+<name>.json, in which the callers stand. Functions
// follow each other as in the release, a line each. Ids are the same at all commits:
// a release with several of one repository has members of one name in one object, of
// which readers keep the last. Two files a repository bound a release to 256
// repositories.
//
// Version history:
//
//	1: a line of JSON for each function
//	2: one object a file
func PublishedGraph() *pipeline.Adapter {
	a := pipeline.NewAdapter("yabloco_graph", 2,
		"Call graphs as published: <owner>+<name>.json has one object, callees by the id of the function, and callers/<owner>+<name>.json the callers.", schemas.GraphNodes,
		func(n schemas.GraphNode, to func(string, []byte) error) error {
			file := strings.ReplaceAll(n.Repo, "/", "+") + ".json"
			err := appendEntry(file, n.ID, publishedNodes(n.Repo, n.Callees), to)
			if err != nil {
				return err
			}
			return appendEntry("callers/"+file, n.ID, publishedNodes(n.Repo, n.Callers), to)
		})
	return a.Framed(pipeline.Frame{Head: "{", Separator: ",\n", Tail: "}\n"})
}

// appendEntry adds a member to the object that a file is.
func appendEntry(file, id string, v any, to func(string, []byte) error) error {
	key, err := json.Marshal(id)
	if err != nil {
		return err
	}
	value, err := plainJSON(v)
	if err != nil {
		return err
	}
	return to(file, slices.Concat(key, []byte(": "), value))
}

func publishedNodes(repo string, all []schemas.GraphNeighbour) []publishedNode {
	out := make([]publishedNode, 0, len(all))
	for _, n := range all {
		at := n.Path
		if n.Origin == schemas.OriginDefined || n.Origin == schemas.OriginDeclared {
			at = "/" + path.Base(repo) + "/" + n.Path
		}
		out = append(out, publishedNode{n.ID, n.Name, at, publishedPlace{n.StartLine, n.StartCol}, publishedPlace{n.EndLine, n.EndCol}})
	}
	return out
}

// appendJSON adds a line.
func appendJSON(file string, v any, to func(string, []byte) error) error {
	line, err := plainJSON(v)
	if err != nil {
		return err
	}
	return to(file, append(line, '\n'))
}

// plainJSON has '<', '>' and '&' as they are.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

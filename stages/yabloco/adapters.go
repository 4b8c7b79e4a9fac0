package yabloco

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
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

// PublishedGraph writes graphs with the keys of the published ones: for each
// repository two files, of callees and of callers, in which each line is an object
// with the id of one function. The published files are one object with all of these
// entries. Two files a repository bound a release to 256 repositories.
//
// Version history:
//
//	1: first version
func PublishedGraph() *pipeline.Adapter {
	return pipeline.NewAdapter("yabloco_graph", 1, "Call graphs with the published keys, a function a line: its callees, and its callers.", schemas.GraphNodes,
		func(n schemas.GraphNode, to func(string, []byte) error) error {
			file := strings.ReplaceAll(n.Repo, "/", "+")
			err := appendJSON(file+".callees.jsonl", map[string][]publishedNode{n.ID: publishedNodes(n.Repo, n.Callees)}, to)
			if err != nil {
				return err
			}
			return appendJSON(file+".callers.jsonl", map[string][]publishedNode{n.ID: publishedNodes(n.Repo, n.Callers)}, to)
		})
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

// appendJSON adds a line, with '<', '>' and '&' as they are.
func appendJSON(file string, v any, to func(string, []byte) error) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	return to(file, b.Bytes())
}

package graph

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// sections are the keys whose own keys are names the user gave.
var sections = map[string]string{"models": "model", "tokenizers": "tokenizer", "stages": "stage", "releases": "release"}

// override puts the values of "path=value" into the tree. Where a path ends in a
// setting that does not exist, the decoder says so later, as it knows them all.
func override(root *node, set []string, c *collector) {
	if root.kind != mapping {
		return
	}
	for _, s := range set {
		at := Pos{File: "--set " + printable(clip(s))}
		o := overrider{c, at}
		path, value, err := cutPath(s)
		if err != nil {
			c.add(ClassOverride, at, "", "", "%s", err)
			continue
		}
		if strings.TrimSpace(value) == "" {
			value = "null"
		}
		v := parseTree([]byte(value), c, func(int, int) Pos { return at })
		if v == nil {
			continue
		}
		o.put(root, path, v)
	}
}

type overrider struct {
	*collector
	at Pos
}

func (o overrider) fail(hint, format string, args ...any) {
	o.add(ClassOverride, o.at, "", hint, format, args...)
}

func (o overrider) put(root *node, path []string, v *node) {
	top := fieldNames(settings(reflect.TypeFor[document]()))
	if !slices.Contains(top, path[0]) {
		o.fail(hint(path[0], top), "no setting is called %q", path[0])
		return
	}
	at := root
	for i, key := range path {
		last := i == len(path)-1
		if at.isNull() {
			at.kind = mapping
		}
		switch at.kind {
		case mapping:
			e := at.get(key)
			if e == nil {
				if what := sections[path[0]]; i == 1 && !last && what != "" {
					o.fail(hint(key, at.names()), "no %s is called %q", what, key)
					return
				}
				e = &entry{name: key, pos: o.at, value: &node{kind: mapping, pos: o.at}}
				at.entries = append(at.entries, e)
			}
			if last {
				e.value = v
			}
			at = e.value
		case list:
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 || n >= len(at.items) {
				o.fail("", "%s is a list of %d items, which has no item %q", strings.Join(path[:i], "."), len(at.items), key)
				return
			}
			if last {
				at.items[n] = v
			}
			at = at.items[n]
		default:
			o.fail("", "%s is %s and has no %q", strings.Join(path[:i], "."), at.found(), key)
			return
		}
	}
}

// cutPath splits `a."b.c"[0]=value` into its steps and the value.
func cutPath(s string) (path []string, value string, err error) {
	rest := s
	for {
		var key string
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, "", fmt.Errorf("a quote in the path is not closed")
			}
			key, _ = strconv.Unquote(quoted)
			rest = rest[len(quoted):]
		} else {
			end := strings.IndexAny(rest, ".=[]")
			if end < 0 {
				return nil, "", fmt.Errorf("expected path=value")
			}
			key, rest = rest[:end], rest[end:]
		}
		if key == "" {
			return nil, "", fmt.Errorf("expected path=value, found an empty step in the path")
		}
		path = append(path, key)
		rest = strings.TrimPrefix(rest, "]")
		switch {
		case rest == "":
			return nil, "", fmt.Errorf("expected path=value")
		case len(path) > maxDepth:
			return nil, "", fmt.Errorf("a path of more than %d steps", maxDepth)
		case rest[0] == '=':
			return path, rest[1:], nil
		case rest[0] == '.', rest[0] == '[':
			rest = rest[1:]
		default:
			return nil, "", fmt.Errorf("expected path=value")
		}
	}
}

package calls

import (
	"strconv"
	"strings"
)

// basic are types without members of interest, by the word for a literal of them.
var basic = map[string]string{
	"string": "string", "String": "string", "int": "int", "Integer": "int", "Int32": "int", "bool": "bool", "boolean": "bool", "Boolean": "bool",
	"char": "char", "Char": "char", "Character": "char", "double": "double", "Double": "double", "float": "float", "Float": "float",
	"long": "long", "Long": "long", "Int64": "long", "short": "short", "byte": "byte", "decimal": "decimal", "uint": "uint", "ulong": "ulong",
}

// widened are the types that a literal is taken for where none is its own.
var widened = map[string]string{"int": "long double float short byte decimal uint ulong Number", "double": "float decimal Number", "char": "int", "string": "CharSequence Comparable"}

// fits says how well an argument of a type, in the words of [Syntax.Words] or a class,
// fits a parameter: above 0 well, below badly.
func fits(word, param string) int {
	name := simple(param)
	array := strings.HasSuffix(strings.TrimSpace(param), "]") || strings.HasSuffix(param, "...")
	kind := basic[name]
	switch {
	case word == "" || name == "":
		return 0
	case strings.HasPrefix(word, "()"):
		if kind != "" || array {
			return -4
		}
		return fitsLiteral(word[2:], name, param)
	case word == "null":
		if kind != "" && kind != "string" {
			return -4
		}
		return 0
	case name == "Object" || name == "object" || len(name) == 1 || name[0] == 'T' && len(name) > 1 && 'A' <= name[1] && name[1] <= 'Z':
		return 0 // everything fits
	case array:
		return -3
	case name == word || kind != "" && kind == basic[word]:
		return 3
	case basic[word] != "" && strings.Contains(" "+widened[basic[word]]+" ", " "+name+" "):
		return 1
	case kind != "" || basic[word] != "":
		return -3
	}
	return -1 // it may be a base class
}

// fitsLiteral says how well a function literal of so many parameters fits a type.
func fitsLiteral(taken, name, param string) int {
	n, err := strconv.Atoi(taken)
	if err != nil || n < 0 {
		return 0
	}
	args := 0
	if at := strings.IndexByte(param, '<'); at >= 0 {
		args, at = 1, at+1
		for depth := 0; at < len(param); at++ {
			switch param[at] {
			case '<', '(', '[':
				depth++
			case '>', ')', ']':
				depth--
			case ',':
				if depth == 0 {
					args++
				}
			}
		}
	}
	want := -1
	switch name {
	case "Func":
		want = args - 1
	case "Action":
		want = args
	case "Predicate", "Consumer", "Function", "UnaryOperator", "ToIntFunction":
		want = 1
	case "Runnable", "Supplier", "Callable":
		want = 0
	case "BiFunction", "BiConsumer", "Comparator", "BinaryOperator":
		want = 2
	}
	switch {
	case want < 0:
		return 0
	case want == n:
		return 2
	}
	return -2
}

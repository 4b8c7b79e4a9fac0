package callgraph

import (
	"sync"

	"benchmill/internal/treesitter"
)

// kind is a kind of node that matters here, in both grammars.
type kind uint8

const (
	otherKind kind = iota
	functionKind
	declarationKind
	fieldDeclarationKind
	parameterKind
	typedefKind
	recordKind
	enumKind
	namespaceKind
	callKind
	identifierKind
	typeNameKind
	fieldNameKind
	fieldKind
	qualifiedKind
	templateKind
	parenthesesKind
	pointerKind
	subscriptKind
	castKind
	compoundKind
	scopeKind // a statement in which a declaration may stand that ends with it
	argumentsKind
	pointerDeclaratorKind
	arrayDeclaratorKind
	functionDeclaratorKind
	parenthesesDeclaratorKind
	otherDeclaratorKind
	destructorKind
	operatorKind
	errorKind
	commentKind
	storageKind
	lambdaKind
	sizedTypeKind
	thisKind
	leafKind
)

var kindNames = map[string]kind{
	"function_definition": functionKind, "inline_method_definition": functionKind,
	"declaration": declarationKind, "field_declaration": fieldDeclarationKind,
	"parameter_declaration": parameterKind, "optional_parameter_declaration": parameterKind,
	"type_definition": typedefKind, "struct_specifier": recordKind, "union_specifier": recordKind, "class_specifier": recordKind,
	"enum_specifier": enumKind, "namespace_definition": namespaceKind, "call_expression": callKind, "identifier": identifierKind,
	"type_identifier": typeNameKind, "field_identifier": fieldNameKind, "field_expression": fieldKind,
	"qualified_identifier": qualifiedKind, "template_function": templateKind, "template_method": templateKind,
	"parenthesized_expression": parenthesesKind, "pointer_expression": pointerKind, "subscript_expression": subscriptKind,
	"cast_expression": castKind, "compound_statement": compoundKind,
	"for_statement": scopeKind, "for_range_loop": scopeKind, "if_statement": scopeKind, "while_statement": scopeKind, "switch_statement": scopeKind, "catch_clause": scopeKind,
	"argument_list": argumentsKind, "pointer_declarator": pointerDeclaratorKind, "array_declarator": arrayDeclaratorKind,
	"function_declarator": functionDeclaratorKind, "parenthesized_declarator": parenthesesDeclaratorKind,
	"reference_declarator": otherDeclaratorKind, "attributed_declarator": otherDeclaratorKind, "init_declarator": otherDeclaratorKind, "variadic_declarator": otherDeclaratorKind,
	"destructor_name": destructorKind, "operator_name": operatorKind, "operator_cast": operatorKind,
	"ERROR": errorKind, "comment": commentKind, "storage_class_specifier": storageKind, "lambda_expression": lambdaKind,
	"sized_type_specifier": sizedTypeKind, "this": thisKind,
	"null": leafKind, "true": leafKind, "false": leafKind, "primitive_type": leafKind, "offsetof_expression": leafKind,
}

// kinds are those of a grammar by its numbers; numbers beyond are of ERROR nodes.
type kinds []kind

func (k kinds) of(id uint16) kind {
	if int(id) < len(k) {
		return k[id]
	}
	return errorKind
}

// grammar is what is known of the kinds of one.
type grammar struct {
	kinds      kinds
	statements statements
}

var grammars sync.Map // *treesitter.Grammar to *grammar

// maxKinds is more than any of the grammars has.
const maxKinds = 2048

func grammarOf(g *treesitter.Grammar) *grammar {
	if k, ok := grammars.Load(g); ok {
		return k.(*grammar)
	}
	k := &grammar{make(kinds, maxKinds), newStatements(g)}
	for id := range k.kinds {
		k.kinds[id] = kindNames[g.KindName(uint16(id))]
	}
	grammars.Store(g, k)
	return k
}

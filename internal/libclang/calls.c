#include "state.h"

#include <ctype.h>
#include <string.h>

enum { MAX_PEEL = 64 };

typedef struct {
  CXCursor cursor;
  bool found, last;
} child;

static int take(CXCursor c, CXCursor parent, void *state) {
  (void)parent;
  child *k = state;
  k->cursor = c;
  k->found = true;
  return k->last ? VISIT_NEXT : VISIT_BREAK;
}

static child child_of(bm_state *s, CXCursor c, bool last) {
  child k = {.last = last};
  s->clang->visitChildren(c, take, &k);
  return k;
}

// named goes down from what is called to the expression that names it.
static child named(bm_state *s, CXCursor call) {
  child k = child_of(s, call, false);
  for (int i = 0; k.found && i < MAX_PEEL; i++) {
    int kind = k.cursor.kind;
    if (kind == KIND_DECL_REF_EXPR || kind == KIND_MEMBER_REF_EXPR || kind == KIND_OVERLOADED_REF || kind == KIND_CALL) break;
    bool last = kind == KIND_C_CAST || (kind >= KIND_TYPE_REF && kind <= KIND_OVERLOADED_REF);
    child below = child_of(s, k.cursor, last);
    if (!below.found) break;
    k = below;
  }
  return k;
}

static CXCursor none(void) { return (CXCursor){.kind = 0}; }

// only is the one function that a set of overloads has, in a template.
static CXCursor only(bm_state *s, CXCursor c) {
  return s->clang->getNumOverloadedDecls(c) == 1 ? s->clang->getOverloadedDecl(c, 0) : none();
}

static int take_overloaded(CXCursor c, CXCursor parent, void *state) {
  (void)parent;
  child *k = state;
  if (c.kind != KIND_OVERLOADED_REF) return VISIT_NEXT;
  k->last = k->found; // a second one
  k->found = true;
  k->cursor = c;
  return VISIT_NEXT;
}

static bool is_variable(int kind) { return kind == KIND_VAR || kind == KIND_PARAMETER || kind == KIND_FIELD; }

// can_be_called reports whether an expression is a function or a pointer to one. In
// a template, an operator's first operand may stand where else what is called does.
static bool can_be_called(bm_state *s, CXCursor expression) {
  CXType t = s->clang->getCanonicalType(s->clang->getCursorType(expression));
  if (t.kind == TYPE_POINTER) t = s->clang->getCanonicalType(s->clang->getPointeeType(t));
  return t.kind == TYPE_FUNCTION || t.kind == TYPE_FUNCTION_NO_PROTO || t.kind == TYPE_BLOCK || t.kind == TYPE_MEMBER_POINTER;
}

// target is what is called where the call itself does not say so.
static CXCursor target(bm_state *s, CXCursor call, CXCursor name) {
  if (name.kind == KIND_CALL) return none();
  CXCursor c = name.kind == KIND_OVERLOADED_REF ? name : s->clang->getCursorReferenced(name);
  if (c.kind == KIND_OVERLOADED_REF) c = only(s, c);
  if (bm_is_function(c.kind)) return c;
  if (is_variable(c.kind)) return can_be_called(s, child_of(s, call, false).cursor) ? c : none();
  child k = {0};
  s->clang->visitChildren(name, take_overloaded, &k);
  return k.found && !k.last ? only(s, k.cursor) : none();
}

// made_by_compiler: a constructor that nobody wrote stands where its class does.
static bool made_by_compiler(bm_state *s, CXCursor c) {
  bm_place own = bm_written(s, s->clang->getCursorLocation(c));
  bm_place class = bm_written(s, s->clang->getCursorLocation(s->clang->getCursorSemanticParent(c)));
  return own.file >= 0 && bm_same(own, class);
}

// spelled reports whether a constructor's call is written with brackets, as T(..),
// new T(..), T x(..), T x{..}, or member(..) before the body of a constructor.
static bool spelled(bm_state *s, CXCursor call, CXCursor parent, int previous) {
  CXSourceRange extent = s->clang->getCursorExtent(call);
  char end = bm_before(s, bm_written(s, s->clang->getRangeEnd(extent)));
  if (end != ')' && end != '}') return false;
  child first = child_of(s, call, false);
  if (first.found && (first.cursor.kind == KIND_TYPE_REF || first.cursor.kind == KIND_TEMPLATE_REF || first.cursor.kind == KIND_NAMESPACE_REF)) return true;
  switch (parent.kind) {
  case KIND_FUNCTIONAL_CAST:
  case KIND_NEW:
    return true;
  case KIND_VAR:
    return bm_same(bm_written(s, s->clang->getRangeStart(extent)), bm_written(s, s->clang->getCursorLocation(parent)));
  case KIND_CONSTRUCTOR:
    return previous == KIND_MEMBER_REF || previous == KIND_TYPE_REF || previous == KIND_TEMPLATE_REF;
  }
  return false;
}

// is_operator reports whether a function is an operator or a conversion.
static bool is_operator(bm_state *s, CXCursor c) {
  if (c.kind == KIND_CONVERSION) return true;
  CXString text = s->clang->getCursorSpelling(c);
  const char *name = s->clang->getCString(text);
  bool is = name && !strncmp(name, "operator", 8) && !isalnum((unsigned char)name[8]) && name[8] != '_';
  s->clang->disposeString(text);
  return is;
}

// says reports whether the name of a function stands at a place. Constructors may be
// called by other names.
static bool says(bm_state *s, bm_place p, CXCursor function) {
  if (function.kind == KIND_CONSTRUCTOR || function.kind == KIND_DESTRUCTOR) return true;
  CXString text = s->clang->getCursorSpelling(function);
  const char *name = s->clang->getCString(text);
  bool same = name && bm_stands(s, p, name, strcspn(name, " <=>!+-*/%^&|~,()["));
  s->clang->disposeString(text);
  return same;
}

// named_so reports whether an operator is called by its name, as x.operator+(y).
static bool named_so(bm_state *s, CXCursor name, CXCursor callee) {
  return name.kind == KIND_MEMBER_REF_EXPR && says(s, bm_written(s, s->clang->getCursorLocation(name)), callee);
}

// in_macro finds the macro, in the caller's text, whose body names what is called or
// has the brackets of the call.
static bool in_macro(bm_state *s, CXCursor call, CXCursor callee, CXCursor name, bm_place *at) {
  CXSourceLocation l = s->clang->getCursorLocation(name);
  *at = bm_written(s, l);
  if (bm_is_macro(s, *at)) return true;
  bm_place use = bm_expanded(s, l);
  if (bm_same(*at, use)) return false;
  if (!says(s, *at, callee)) return true; // the argument is the name of a macro
  CXSourceLocation end = s->clang->getRangeEnd(s->clang->getCursorExtent(call));
  if (!bm_same(bm_written(s, end), bm_expanded(s, end))) return false;
  *at = use;
  return true;
}

void bm_add_call(bm_state *s, uint32_t function, CXCursor call, CXCursor parent, int previous) {
  CXCursor callee = s->clang->getCursorReferenced(call);
  child name = {.cursor = call};
  if (callee.kind != KIND_CONSTRUCTOR) {
    name = named(s, call);
    if (name.found && !bm_is_function(callee.kind) && !is_variable(callee.kind)) callee = target(s, call, name.cursor);
    int kind = name.cursor.kind;
    if (!name.found || (kind != KIND_DECL_REF_EXPR && kind != KIND_MEMBER_REF_EXPR && kind != KIND_OVERLOADED_REF)) name.cursor = call;
  }
  bm_place at = bm_written(s, s->clang->getCursorLocation(call));
  uint32_t evidence, via = 0;
  if (is_variable(callee.kind)) {
    evidence = BM_INDIRECT;
  } else if (!bm_is_function(callee.kind)) {
    return;
  } else if (bm_is_lambda(s, callee) || (callee.kind == KIND_CONSTRUCTOR && made_by_compiler(s, callee))) {
    return;
  } else if (callee.kind == KIND_CONSTRUCTOR ? !spelled(s, call, parent, previous) : is_operator(s, callee) && !named_so(s, name.cursor, callee)) {
    evidence = BM_OPERATOR;
  } else if (in_macro(s, call, callee, name.cursor, &at)) {
    evidence = BM_MACRO;
    via = bm_identifier(s, at);
  } else {
    evidence = BM_WRITTEN;
  }
  uint32_t decl = bm_find_decl(s, callee);
  if (!decl) return;
  bm_function *f = (bm_function *)s->out->functions.data + function;
  if (at.file != f->start.file) at = f->body; // text that the body includes
  bm_call *c = bm_push(s, &s->out->calls, sizeof *c);
  if (c) *c = (bm_call){function, decl - 1, evidence, via, at.offset, at.line};
}

#include "state.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SCOPES = 128, MAX_NAME = 1 << 14 };

static const char unnamed[] = "(anonymous)";

bool bm_is_function(int kind) {
  return kind == KIND_FUNCTION || kind == KIND_METHOD || (kind >= KIND_CONSTRUCTOR && kind <= KIND_CONVERSION) ||
         kind == KIND_FUNCTION_TEMPLATE;
}

bool bm_is_lambda(bm_state *s, CXCursor c) {
  CXCursor parent = s->clang->getCursorSemanticParent(c);
  if (c.kind != KIND_METHOD || parent.kind != KIND_CLASS) return false;
  CXString text = s->clang->getCursorSpelling(parent);
  const char *name = s->clang->getCString(text);
  bool is = !name || !*name || *name == '(';
  s->clang->disposeString(text);
  return is;
}

bool bm_is_class(int kind) {
  return kind == KIND_STRUCT || kind == KIND_UNION || kind == KIND_CLASS || kind == KIND_CLASS_TEMPLATE || kind == KIND_PARTIAL;
}

// copy appends a text at *used and says whether it fits.
static bool copy(char *to, size_t *used, const char *text, size_t size) {
  if (size >= MAX_NAME - *used) return false;
  memcpy(to + *used, text, size);
  *used += size;
  to[*used] = 0;
  return true;
}

// spelling appends the name of a cursor; of constructors, which name the template's
// arguments, without them.
static bool spelling(bm_state *s, CXCursor c, char *to, size_t *used) {
  CXString text = s->clang->getCursorSpelling(c);
  const char *name = s->clang->getCString(text);
  if (!name) name = "";
  size_t size = strlen(name);
  if (c.kind == KIND_CONSTRUCTOR || c.kind == KIND_DESTRUCTOR) size = strcspn(name, "<");
  // Newer libraries describe what has no name, and where it stands.
  bool named = size && *name != '(' && !strstr(name, " at ");
  bool fits = named ? copy(to, used, name, size) : copy(to, used, unnamed, sizeof unnamed - 1);
  s->clang->disposeString(text);
  return fits;
}

uint32_t bm_name(bm_state *s, CXCursor c) {
  char name[MAX_NAME];
  size_t used = 0;
  return spelling(s, c, name, &used) ? bm_keep(s, name, used) : 0;
}

uint32_t bm_qualified(bm_state *s, CXCursor c) {
  CXCursor scopes[MAX_SCOPES];
  int count = 0;
  for (CXCursor at = c; count < MAX_SCOPES; at = s->clang->getCursorSemanticParent(at)) {
    // Nobody writes inline namespaces and those without a name.
    bool unwritten = at.kind == KIND_NAMESPACE && (s->clang->Cursor_isInlineNamespace(at) || s->clang->Cursor_isAnonymous(at));
    bool scope = (at.kind == KIND_NAMESPACE && !unwritten) || bm_is_class(at.kind);
    // A local class lies in what its function lies in; a variable's name is all of it.
    bool local = bm_is_function(at.kind) && (c.kind == KIND_VAR || c.kind == KIND_PARAMETER);
    if (local) count = 1;
    bool passed = (bm_is_function(at.kind) && !local) || unwritten || at.kind == KIND_LINKAGE || at.kind == KIND_UNEXPOSED_DECL;
    if (count == 0 || scope) {
      scopes[count++] = at;
    } else if (!passed) {
      break;
    }
  }
  char name[MAX_NAME];
  size_t used = 0;
  while (count-- > 0) {
    if (!spelling(s, scopes[count], name, &used) || (count && !copy(name, &used, "::", 2))) break;
  }
  return bm_keep(s, name, used);
}

// field_name is "Struct::field", with what the struct lies in.
static uint32_t field_name(bm_state *s, CXCursor c) {
  char name[MAX_NAME];
  size_t used = 0;
  CXCursor parent = s->clang->getCursorSemanticParent(c);
  CXString text = s->clang->getTypeSpelling(s->clang->getCursorType(parent));
  const char *type = s->clang->getCString(text);
  // A struct without a name may have one by a typedef, which its type knows.
  bool fits = true, named = type && *type && !strpbrk(type, "( <");
  if (named) {
    fits = copy(name, &used, type, strlen(type));
  } else {
    uint32_t qualified = bm_qualified(s, parent);
    const char *other = (const char *)s->out->texts.data + qualified;
    fits = qualified && copy(name, &used, other, strlen(other));
  }
  s->clang->disposeString(text);
  return fits && copy(name, &used, "::", 2) && spelling(s, c, name, &used) ? bm_keep(s, name, used) : 0;
}

static bm_place start_of(bm_state *s, CXCursor c) {
  return bm_expanded(s, s->clang->getRangeStart(s->clang->getCursorExtent(c)));
}

uint32_t bm_find_decl(bm_state *s, CXCursor c) {
  bool function = bm_is_function(c.kind);
  if (function) {
    CXCursor pattern = s->clang->getSpecializedCursorTemplate(c);
    if (!s->clang->Cursor_isNull(pattern)) c = pattern;
  }
  uint32_t *value = bm_cursor(s, c);
  if (!value) return 0;
  if (*value) return *value;
  bm_decl *d = bm_push(s, &s->out->decls, sizeof *d);
  if (!d) return 0;
  *value = s->out->decls.count;
  *d = (bm_decl){.place = start_of(s, c), .definition = {.file = -1}, .flags = function ? 0 : BM_POINTER};
  // What the compiler knows by itself is declared where it is first called: by its name
  // alone, without a type.
  bm_place own = bm_written(s, s->clang->getCursorLocation(c));
  if (c.kind == KIND_FUNCTION && own.file >= 0 && bm_same(own, d->place) && !s->clang->isCursorDefinition(c)) {
    d->place = (bm_place){.file = -1};
    d->flags = BM_BUILTIN;
  }
  d->usr = bm_keep_string(s, s->clang->getCursorUSR(c));
  if (c.kind == KIND_FIELD) {
    d->name = d->qualified = field_name(s, c);
  } else {
    d->name = bm_name(s, c);
    d->qualified = bm_qualified(s, c);
  }
  if (function) {
    CXCursor definition = s->clang->getCursorDefinition(c);
    if (!s->clang->Cursor_isNull(definition)) d->definition = start_of(s, definition);
  }
  return s->out->decls.count;
}

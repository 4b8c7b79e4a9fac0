#define _GNU_SOURCE
#include "index.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { MAX_DEPTH = 64 }; // of functions in classes in functions
enum { OPTION_MACROS = 0x01, OPTION_KEEP_GOING = 0x200, SEVERITY_ERROR = 3 };
enum { LINKAGE_NONE = 1, LINKAGE_INTERNAL = 2, LINKAGE_UNIQUE = 3 };

bm_clang *bm_open(const char *path, char **wrong) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *wrong = strdup(dlerror());
    return NULL;
  }
  bm_clang *clang = calloc(1, sizeof *clang);
  if (!clang) {
    *wrong = strdup("out of memory");
    return NULL;
  }
#define X(result, name, arguments)                         \
  *(void **)&clang->name = dlsym(library, "clang_" #name); \
  if (!clang->name) {                                      \
    *wrong = strdup("it has no clang_" #name);             \
    free(clang);                                           \
    return NULL;                                           \
  }
  BM_CLANG(X)
#undef X
  return clang;
}

char *bm_version(bm_clang *clang) {
  CXString s = clang->getClangVersion();
  const char *text = clang->getCString(s);
  char *out = strdup(text ? text : "");
  clang->disposeString(s);
  return out;
}

// A function whose body is walked.
typedef struct {
  bm_state *state;
  uint32_t function;
  int previous; // kind of the last cursor directly below a constructor
} body;

typedef struct {
  CXCursor cursor;
  bool found;
} block;

static int take_block(CXCursor c, CXCursor parent, void *state) {
  (void)parent;
  block *b = state;
  if (c.kind != KIND_COMPOUND && c.kind != KIND_TRY) return VISIT_NEXT;
  b->cursor = c;
  b->found = true;
  return VISIT_BREAK;
}

static void add_function(bm_state *s, CXCursor c);

static int visit_body(CXCursor c, CXCursor parent, void *state) {
  body *b = state;
  bm_state *s = b->state;
  if (s->out->failed) return VISIT_BREAK;
  int previous = b->previous;
  if (parent.kind == KIND_CONSTRUCTOR) b->previous = c.kind;
  if (bm_is_function(c.kind) && s->clang->isCursorDefinition(c)) {
    add_function(s, c);
    return VISIT_NEXT;
  }
  if (c.kind == KIND_CALL) bm_add_call(s, b->function, c, parent, previous);
  return VISIT_INTO;
}

// add_function adds a definition with a body, and what it calls. One that a macro
// makes as a whole has no text of its own and is left out.
static void add_function(bm_state *s, CXCursor c) {
  bm_clang *clang = s->clang;
  block b = {.found = false};
  clang->visitChildren(c, take_block, &b);
  if (!b.found) return;
  CXSourceRange extent = clang->getCursorExtent(c);
  CXSourceLocation brace = clang->getRangeStart(clang->getCursorExtent(b.cursor));
  bm_place start = bm_expanded(s, clang->getRangeStart(extent)), end = bm_expanded(s, clang->getRangeEnd(extent));
  bm_place open = bm_expanded(s, brace);
  if (!bm_inside(s, start) || end.file != start.file || open.file != start.file || open.offset <= start.offset) return;
  if (s->depth >= MAX_DEPTH) {
    s->out->failed = BM_DEEP;
    return;
  }
  bm_function *f = bm_push(s, &s->out->functions, sizeof *f);
  if (!f) return;
  body of = {.state = s, .function = s->out->functions.count - 1};
  int linkage = clang->getCursorLinkage(c);
  bool local = linkage >= LINKAGE_NONE && linkage <= LINKAGE_UNIQUE;
  *f = (bm_function){.start = start, .body = open, .end = end.offset, .end_line = end.line,
                     .flags = (local ? BM_LOCAL : 0) | (clang->Cursor_isFunctionInlined(c) ? BM_INLINE : 0)};
  f->name = bm_name(s, c);
  f->qualified = bm_qualified(s, c);
  f->usr = bm_keep_string(s, clang->getCursorUSR(c));
  s->depth++;
  clang->visitChildren(c, visit_body, &of);
  s->depth--;
}

static int visit_top(CXCursor c, CXCursor parent, void *state) {
  (void)parent;
  bm_state *s = state;
  if (s->out->failed) return VISIT_BREAK;
  bool function = bm_is_function(c.kind);
  bool holds = bm_is_class(c.kind) || c.kind == KIND_NAMESPACE || c.kind == KIND_LINKAGE || c.kind == KIND_UNEXPOSED_DECL || c.kind == KIND_FRIEND;
  if (!function && !holds && c.kind != KIND_MACRO_USE) return VISIT_NEXT;
  bm_place p = bm_expanded(s, s->clang->getCursorLocation(c));
  if (!bm_inside(s, p)) return VISIT_NEXT;
  if (c.kind == KIND_MACRO_USE) bm_add_macro(s, bm_expanded(s, s->clang->getRangeStart(s->clang->getCursorExtent(c))));
  if (function && s->clang->isCursorDefinition(c)) add_function(s, c);
  return holds ? VISIT_INTO : VISIT_NEXT;
}

static void note_errors(bm_state *s) {
  unsigned count = s->clang->getNumDiagnostics(s->unit);
  for (unsigned i = 0; i < count; i++) {
    void *d = s->clang->getDiagnostic(s->unit, i);
    if (s->clang->getDiagnosticSeverity(d) >= SEVERITY_ERROR && !s->out->errors++) {
      s->out->error = bm_keep_string(s, s->clang->getDiagnosticSpelling(d));
    }
    s->clang->disposeDiagnostic(d);
  }
}

void bm_read(bm_clang *clang, const char *root, const char *dir, const char *file, const char *const *args, int count,
             bm_index *out) {
  bm_state s = {.clang = clang, .out = out, .root = root, .dir = dir};
  void *index = clang->createIndex(0, 0);
  out->parsed = clang->parseTranslationUnit2(index, file, args, count, NULL, 0, OPTION_MACROS | OPTION_KEEP_GOING, &s.unit);
  if (!out->parsed) {
    note_errors(&s);
    // What macros are used comes first, then the code.
    clang->visitChildren(clang->getTranslationUnitCursor(s.unit), visit_top, &s);
    clang->disposeTranslationUnit(s.unit);
  }
  clang->disposeIndex(index);
  bm_free_state(&s);
}

// What the C files of this package share.
#ifndef BENCHMILL_STATE_H
#define BENCHMILL_STATE_H

#include "index.h"

// A map from numbers other than 0, and one from cursors, to indexes.
typedef struct {
  uint64_t *keys; // 0: free
  uint32_t *values;
  uint32_t count, capacity;
} bm_numbers;

typedef struct {
  CXCursor *keys;
  uint32_t *values; // 0: free, else index + 1
  uint32_t count, capacity;
} bm_cursors;

// A file of the unit.
typedef struct {
  void *handle;
  const char *text; // of the whole file, once it was asked for
  size_t size;
  bool inside, read;
} bm_source;

typedef struct {
  bm_clang *clang;
  bm_index *out;
  const char *root, *dir;
  void *unit;
  bm_source *sources; // as many as out->files
  uint32_t source_capacity;
  bm_numbers files;  // by handle
  bm_numbers macros; // where macros are used
  bm_cursors decls;
  uint32_t depth; // functions inside of functions
} bm_state;

// tables.c

// bm_push adds an entry to a table; NULL when there is no more room.
void *bm_push(bm_state *s, bm_table *t, size_t size);
// bm_keep puts a text into the pool.
uint32_t bm_keep(bm_state *s, const char *text, size_t size);
uint32_t bm_keep_string(bm_state *s, CXString text);
// bm_number finds a key's value, or puts it there; false when there is no more memory.
bool bm_number(bm_state *s, bm_numbers *m, uint64_t key, uint32_t otherwise, uint32_t *value);
bool bm_has_number(const bm_numbers *m, uint64_t key);
// bm_cursor returns where the value of a cursor is; NULL when there is no more memory.
uint32_t *bm_cursor(bm_state *s, CXCursor c);
void bm_free_state(bm_state *s);

// places.c

// bm_written is where a location's text stands in a file: of what is written in
// the argument of a macro, the argument; of what a macro's body says, the macro's use.
bm_place bm_written(bm_state *s, CXSourceLocation l);
// bm_expanded is the same but for arguments: of those, the use of the outermost macro.
bm_place bm_expanded(bm_state *s, CXSourceLocation l);
bool bm_inside(bm_state *s, bm_place p);
bool bm_same(bm_place a, bm_place b);
// bm_identifier keeps the identifier at a place.
uint32_t bm_identifier(bm_state *s, bm_place p);
// bm_stands reports whether a word stands at a place, and ends there.
bool bm_stands(bm_state *s, bm_place p, const char *word, size_t length);
// bm_before is the byte before a place, 0 for none.
char bm_before(bm_state *s, bm_place p);
void bm_add_macro(bm_state *s, bm_place p);
bool bm_is_macro(bm_state *s, bm_place p);

// names.c

bool bm_is_function(int kind);
bool bm_is_class(int kind);
// bm_is_lambda: a method of a class without a name, which belongs to the function around.
bool bm_is_lambda(bm_state *s, CXCursor c);
uint32_t bm_qualified(bm_state *s, CXCursor c);
// bm_name is a function's name without what a template adds.
uint32_t bm_name(bm_state *s, CXCursor c);
// bm_find_decl is the index of what a cursor declares, one more than it; 0 on failure.
uint32_t bm_find_decl(bm_state *s, CXCursor c);

// calls.c

// bm_add_call notes what a call's cursor calls, if that can be told. previous is the
// kind of the cursor before it below the same parent.
void bm_add_call(bm_state *s, uint32_t function, CXCursor call, CXCursor parent, int previous);

#endif

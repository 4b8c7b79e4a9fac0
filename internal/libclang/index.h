// What index.c makes of one translation unit: flat tables. Texts are offsets into
// one pool of strings that end with NUL; 0 is the empty one.
#ifndef BENCHMILL_INDEX_H
#define BENCHMILL_INDEX_H

#include "libclang.h"

// A place in a file. file is -1 where there is none.
typedef struct {
  int32_t file;
  uint32_t offset, line;
} bm_place;

typedef struct {
  bm_place start, body;
  uint32_t end, end_line;
  uint32_t name, qualified, usr;
  uint32_t flags; // BM_LOCAL, BM_INLINE
} bm_function;

// What is called, once for each declaration.
typedef struct {
  bm_place place, definition; // of the declaration, and of the definition if this unit has one
  uint32_t name, qualified, usr;
  uint32_t flags; // BM_POINTER, BM_BUILTIN
} bm_decl;

typedef struct {
  uint32_t function, decl; // indexes
  uint32_t evidence;       // BM_WRITTEN...
  uint32_t via;            // with BM_MACRO
  uint32_t offset, line;   // in the caller's file
} bm_call;

enum { BM_LOCAL = 1, BM_INLINE = 2, BM_POINTER = 4, BM_BUILTIN = 8 };
enum { BM_WRITTEN = 0, BM_MACRO = 1, BM_OPERATOR = 2, BM_INDIRECT = 3 };
enum { BM_OK = 0, BM_MANY = 1, BM_MEMORY = 2, BM_DEEP = 3 };

typedef struct {
  void *data;
  uint32_t count, capacity;
} bm_table;

typedef struct {
  bm_table functions, decls, calls, files, texts; // files are offsets of texts; what texts counts is bytes
  uint32_t limit;                                 // largest count of each table but texts
  uint32_t errors, error;                         // how many, and the first one's text
  uint32_t failed;                                // BM_OK...
  int parsed;                                     // 0, or why the unit could not be read: a CXErrorCode
} bm_index;

// Opens a library. A NULL result comes with what is wrong, which the caller frees.
bm_clang *bm_open(const char *path, char **wrong);

// Says which version it is; the caller frees it.
char *bm_version(bm_clang *clang);

// Reads a unit. Only what lies below root, an absolute path without links, is
// walked; names are taken from dir.
void bm_read(bm_clang *clang, const char *root, const char *dir, const char *file, const char *const *args, int count,
             bm_index *out);

void bm_free(bm_index *index);

#endif

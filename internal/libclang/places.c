#define _GNU_SOURCE
#include "state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// file_of finds or adds a file: -1 for none.
static int32_t file_of(bm_state *s, void *handle) {
  bm_table *t = &s->out->files;
  uint32_t i;
  if (!handle || !bm_number(s, &s->files, (uint64_t)(uintptr_t)handle, t->count, &i)) return -1;
  if (i < t->count) return (int32_t)i;
  if (i >= s->source_capacity) {
    uint32_t capacity = 2 * (i + 128);
    bm_source *grown = realloc(s->sources, capacity * sizeof *grown);
    if (!grown) {
      s->out->failed = BM_MEMORY;
      return -1;
    }
    s->sources = grown;
    s->source_capacity = capacity;
  }
  uint32_t *name = bm_push(s, t, sizeof *name);
  if (!name) return -1;
  CXString named = s->clang->getFileName(handle);
  const char *c = s->clang->getCString(named);
  if (!c) c = "";
  char joined[PATH_MAX], real[PATH_MAX];
  int n = snprintf(joined, sizeof joined, "%s%s%s", *c == '/' ? "" : s->dir, *c == '/' ? "" : "/", c);
  bool known = n > 0 && n < (int)sizeof joined && realpath(joined, real);
  const char *path = known ? real : joined;
  size_t root = strlen(s->root);
  s->sources[i] = (bm_source){.handle = handle, .inside = known && !strncmp(path, s->root, root) && path[root] == '/'};
  *name = bm_keep(s, path, strlen(path));
  s->clang->disposeString(named);
  return (int32_t)i;
}

bm_place bm_written(bm_state *s, CXSourceLocation l) {
  void *file;
  unsigned line, column, offset;
  s->clang->getFileLocation(l, &file, &line, &column, &offset);
  return (bm_place){file_of(s, file), offset, line};
}

bm_place bm_expanded(bm_state *s, CXSourceLocation l) {
  void *file;
  unsigned line, column, offset;
  s->clang->getExpansionLocation(l, &file, &line, &column, &offset);
  return (bm_place){file_of(s, file), offset, line};
}

bool bm_inside(bm_state *s, bm_place p) { return p.file >= 0 && s->sources[p.file].inside; }

bool bm_same(bm_place a, bm_place b) { return a.file == b.file && a.offset == b.offset; }

static const char *content(bm_state *s, int32_t file, size_t *size) {
  *size = 0;
  if (file < 0) return NULL;
  bm_source *f = &s->sources[file];
  if (!f->read) {
    f->text = s->clang->getFileContents(s->unit, f->handle, &f->size);
    f->read = true;
  }
  if (f->text) *size = f->size;
  return f->text;
}

static bool of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

uint32_t bm_identifier(bm_state *s, bm_place p) {
  size_t size, end = p.offset;
  const char *text = content(s, p.file, &size);
  while (end < size && of_name(text[end])) end++;
  return end > p.offset ? bm_keep(s, text + p.offset, end - p.offset) : 0;
}

bool bm_stands(bm_state *s, bm_place p, const char *word, size_t length) {
  size_t size;
  const char *text = content(s, p.file, &size);
  if (!text || p.offset > size || size - p.offset < length || memcmp(text + p.offset, word, length)) return false;
  return p.offset + length == size || !of_name(text[p.offset + length]);
}

char bm_before(bm_state *s, bm_place p) {
  size_t size;
  const char *text = content(s, p.file, &size);
  return p.offset > 0 && p.offset <= size ? text[p.offset - 1] : 0;
}

static uint64_t macro_key(bm_place p) { return (uint64_t)(uint32_t)p.file << 32 | (p.offset + 1u); }

void bm_add_macro(bm_state *s, bm_place p) {
  uint32_t value;
  if (p.file >= 0) bm_number(s, &s->macros, macro_key(p), 1, &value);
}

bool bm_is_macro(bm_state *s, bm_place p) { return p.file >= 0 && bm_has_number(&s->macros, macro_key(p)); }

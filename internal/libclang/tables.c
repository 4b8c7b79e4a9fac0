#include "state.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 30 };

void *bm_push(bm_state *s, bm_table *t, size_t size) {
  if (s->out->failed) return NULL;
  if (t->count >= s->out->limit) {
    s->out->failed = BM_MANY;
    return NULL;
  }
  if (t->count == t->capacity) {
    uint32_t capacity = t->capacity ? 2 * t->capacity : 256;
    void *data = realloc(t->data, capacity * size);
    if (!data) {
      s->out->failed = BM_MEMORY;
      return NULL;
    }
    t->data = data;
    t->capacity = capacity;
  }
  return (char *)t->data + size * t->count++;
}

uint32_t bm_keep(bm_state *s, const char *text, size_t size) {
  bm_table *t = &s->out->texts;
  if (!size || s->out->failed) return 0;
  if (size >= MAX_TEXT - (size_t)t->count) {
    s->out->failed = BM_MANY;
    return 0;
  }
  if (!t->count) t->count = 1; // 0 is the empty text
  if (t->count + size + 1 > t->capacity) {
    size_t capacity = 2 * (t->count + size + 1);
    char *data = realloc(t->data, capacity);
    if (!data) {
      s->out->failed = BM_MEMORY;
      return 0;
    }
    data[0] = 0;
    t->data = data;
    t->capacity = (uint32_t)capacity;
  }
  char *to = (char *)t->data + t->count;
  memcpy(to, text, size);
  to[size] = 0;
  uint32_t at = t->count;
  t->count += (uint32_t)size + 1;
  return at;
}

uint32_t bm_keep_string(bm_state *s, CXString text) {
  const char *c = s->clang->getCString(text);
  uint32_t at = c ? bm_keep(s, c, strlen(c)) : 0;
  s->clang->disposeString(text);
  return at;
}

// Both maps are open addressing, at most half full.

static uint64_t mixed(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

static uint32_t number_slot(const bm_numbers *m, uint64_t key) {
  uint64_t i = mixed(key);
  while (m->keys[i & (m->capacity - 1)] && m->keys[i & (m->capacity - 1)] != key) i++;
  return (uint32_t)(i & (m->capacity - 1));
}

bool bm_number(bm_state *s, bm_numbers *m, uint64_t key, uint32_t otherwise, uint32_t *value) {
  if (2 * m->count >= m->capacity) {
    bm_numbers grown = {.capacity = m->capacity ? 2 * m->capacity : 1024, .count = m->count};
    grown.keys = calloc(grown.capacity, sizeof *grown.keys);
    grown.values = calloc(grown.capacity, sizeof *grown.values);
    if (!grown.keys || !grown.values) {
      free(grown.keys);
      free(grown.values);
      s->out->failed = BM_MEMORY;
      return false;
    }
    for (uint32_t i = 0; i < m->capacity; i++) {
      if (!m->keys[i]) continue;
      uint32_t to = number_slot(&grown, m->keys[i]);
      grown.keys[to] = m->keys[i];
      grown.values[to] = m->values[i];
    }
    free(m->keys);
    free(m->values);
    *m = grown;
  }
  uint32_t at = number_slot(m, key);
  if (!m->keys[at]) {
    m->keys[at] = key;
    m->values[at] = otherwise;
    m->count++;
  }
  *value = m->values[at];
  return true;
}

bool bm_has_number(const bm_numbers *m, uint64_t key) { return m->capacity && m->keys[number_slot(m, key)]; }

static uint32_t cursor_slot(bm_clang *clang, const bm_cursors *m, CXCursor c) {
  uint64_t i = mixed(clang->hashCursor(c));
  while (m->values[i & (m->capacity - 1)] && !clang->equalCursors(m->keys[i & (m->capacity - 1)], c)) i++;
  return (uint32_t)(i & (m->capacity - 1));
}

uint32_t *bm_cursor(bm_state *s, CXCursor c) {
  bm_cursors *m = &s->decls;
  if (2 * m->count >= m->capacity) {
    bm_cursors grown = {.capacity = m->capacity ? 2 * m->capacity : 1024, .count = m->count};
    grown.keys = calloc(grown.capacity, sizeof *grown.keys);
    grown.values = calloc(grown.capacity, sizeof *grown.values);
    if (!grown.keys || !grown.values) {
      free(grown.keys);
      free(grown.values);
      s->out->failed = BM_MEMORY;
      return NULL;
    }
    for (uint32_t i = 0; i < m->capacity; i++) {
      if (!m->values[i]) continue;
      uint32_t to = cursor_slot(s->clang, &grown, m->keys[i]);
      grown.keys[to] = m->keys[i];
      grown.values[to] = m->values[i];
    }
    free(m->keys);
    free(m->values);
    *m = grown;
  }
  uint32_t at = cursor_slot(s->clang, m, c);
  if (!m->values[at]) {
    m->keys[at] = c;
    m->count++; // its value is about to be set
  }
  return &m->values[at];
}

void bm_free_state(bm_state *s) {
  free(s->sources);
  free(s->files.keys);
  free(s->files.values);
  free(s->macros.keys);
  free(s->macros.values);
  free(s->decls.keys);
  free(s->decls.values);
}

void bm_free(bm_index *index) {
  bm_table *tables[] = {&index->functions, &index->decls, &index->calls, &index->files, &index->texts};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) free(tables[i]->data);
}

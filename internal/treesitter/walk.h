// The part of tree-sitter's C interface that walk.c uses. The library itself is
// linked by github.com/smacker/go-tree-sitter, whose headers cannot be included
// from another package; the layouts are those of its api.h (language ABI 14).
#ifndef BENCHMILL_WALK_H
#define BENCHMILL_WALK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t context[4];
  const void *id;
  const void *tree;
} TSNode;

typedef struct {
  const void *tree;
  const void *id;
  uint32_t context[3];
} TSTreeCursor;

typedef struct {
  uint32_t row, column;
} TSPoint;

// One kept node, in preorder.
typedef struct {
  uint16_t kind, field;
  uint32_t flags;
  uint32_t start, end;
  uint32_t start_row, start_column, end_row, end_column;
  int32_t parent; // index of the nearest kept ancestor, -1 for none
  int32_t next;   // index after the last kept node inside
} bm_node;

typedef struct {
  bm_node *nodes;
  uint32_t count, capacity;
  uint32_t error_bytes; // bytes inside outermost ERROR nodes
  uint32_t failed;      // 1: more than max_nodes, 2: out of memory
} bm_walk;

// What to keep of a tree. A null levels keeps everything.
typedef struct {
  const uint8_t *levels;   // by kind: levels kept from such a node downwards; 0 none, 255 all
  const uint16_t *under;   // by kind: the parent kind it needs to be kept, 0 any
  const uint32_t *spots;   // ascending offsets; a subtree without one holds nothing to keep
  uint32_t spot_count;
  bool use_spots;
  uint32_t max_nodes;
} bm_keep;

// Walks the tree below root in preorder.
void bm_tree_walk(TSNode root, bm_keep keep, bm_walk *w);

void bm_walk_free(bm_walk *w);

#endif

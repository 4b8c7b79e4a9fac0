#include "walk.h"

#include <stdlib.h>

TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
TSPoint ts_node_start_point(TSNode);
TSPoint ts_node_end_point(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_extra(TSNode);
bool ts_node_has_error(TSNode);

enum { KIND_ERROR = 65535, KEEP_ALL = 255 };
enum { FLAG_NAMED = 1, FLAG_MISSING = 2, FLAG_EXTRA = 4, SHIFT_PARENT_KIND = 16 };

// What the walk must remember of each ancestor.
typedef struct {
  int32_t index; // of the nearest kept node at or above, -1 for none
  uint16_t kind;
  uint8_t levels; // still kept below
  bool own;       // index is the ancestor itself
} frame;

static bool push_node(bm_walk *w, TSNode node, uint16_t kind, uint16_t field, frame above) {
  if (w->count == w->capacity) {
    uint32_t capacity = w->capacity ? 2 * w->capacity : 1024;
    bm_node *nodes = realloc(w->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes) {
      w->failed = 2;
      return false;
    }
    w->nodes = nodes;
    w->capacity = capacity;
  }
  TSPoint start = ts_node_start_point(node), end = ts_node_end_point(node);
  uint32_t flags = (ts_node_is_named(node) ? FLAG_NAMED : 0) | (ts_node_is_missing(node) ? FLAG_MISSING : 0) |
                   (ts_node_is_extra(node) ? FLAG_EXTRA : 0) | (uint32_t)above.kind << SHIFT_PARENT_KIND;
  w->nodes[w->count] = (bm_node){kind,      field,        flags,   ts_node_start_byte(node), ts_node_end_byte(node),
                                 start.row, start.column, end.row, end.column,               above.index,
                                 (int32_t)w->count + 1};
  w->count++;
  return true;
}

void bm_tree_walk(TSNode root, bm_keep keep, bm_walk *w) {
  w->count = w->error_bytes = w->failed = 0;
  uint32_t depth = 0, capacity = 256, error_end = 0, spot = 0;
  frame *stack = malloc(capacity * sizeof *stack);
  if (!stack) {
    w->failed = 2;
    return;
  }
  frame above = {-1, 0, 0, false};
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    uint16_t kind = ts_node_symbol(node);
    uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
    uint8_t levels = above.levels == KEEP_ALL ? KEEP_ALL : above.levels ? above.levels - 1 : 0;
    if (!keep.levels) {
      levels = KEEP_ALL;
    } else if (kind != KIND_ERROR && keep.levels[kind] > levels && (!keep.under[kind] || keep.under[kind] == above.kind)) {
      levels = keep.levels[kind];
    }
    if (kind == KIND_ERROR && end > error_end) {
      w->error_bytes += end - (start > error_end ? start : error_end);
      error_end = end;
    }
    frame here = {above.index, kind, levels, false};
    if (levels) {
      if (w->count >= keep.max_nodes) {
        w->failed = 1;
        break;
      }
      here.index = (int32_t)w->count;
      here.own = true;
      if (!push_node(w, node, kind, ts_tree_cursor_current_field_id(&cursor), above)) break;
    }
    // Preorder visits starts in ascending order, so one index into the spots
    // tells for every node whether it can hold anything.
    while (spot < keep.spot_count && keep.spots[spot] < start) spot++;
    // Errors are counted wherever they are, and the top level is always seen.
    bool empty = depth && keep.use_spots && levels <= 1 && (spot == keep.spot_count || keep.spots[spot] >= end) &&
                 !ts_node_has_error(node);
    if (!empty && ts_tree_cursor_goto_first_child(&cursor)) {
      if (depth + 1 >= capacity) {
        frame *grown = realloc(stack, 2 * (size_t)capacity * sizeof *stack);
        if (!grown) {
          w->failed = 2;
          break;
        }
        stack = grown;
        capacity *= 2;
      }
      stack[depth++] = above;
      above = here;
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!depth) goto done;
      ts_tree_cursor_goto_parent(&cursor);
      if (above.own) w->nodes[above.index].next = (int32_t)w->count;
      above = stack[--depth];
    }
  }
done:
  ts_tree_cursor_delete(&cursor);
  free(stack);
}

void bm_walk_free(bm_walk *w) {
  free(w->nodes);
  free(w);
}

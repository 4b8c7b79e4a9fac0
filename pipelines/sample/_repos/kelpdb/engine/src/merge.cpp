// Many sorted sources seen as one. The first source that has a key wins.

#include "merge.hpp"

#include <algorithm>

#include "table_builder.hpp"

namespace kelpdb {

namespace {

/// One source and how recent it is: 0 is the memory table, tables follow, newest first.
struct Source {
  MemTable::const_iterator entry, end;
  std::unique_ptr<Cursor> cursor;
  std::size_t age = 0;
};

bool exhausted(const Source &source) {
  return source.cursor ? !source.cursor->valid() : source.entry == source.end;
}

Slice current_key(const Source &source) {
  return source.cursor ? source.cursor->key() : Slice(source.entry->first);
}

void advance(Source *source) {
  if (source->cursor) {
    source->cursor->next();
  } else {
    ++source->entry;
  }
}

/// Order of a heap whose top is the smallest key, the youngest source on a tie.
bool comes_later(const Source &a, const Source &b) {
  int order = compare_bytes(current_key(a), current_key(b));
  return order != 0 ? order > 0 : a.age > b.age;
}

/// Hands the current entry of a source to the visitor.
bool show_entry(const Source &source, const Visit &visit) {
  if (source.cursor) {
    return visit(source.cursor->key(), source.cursor->value(), source.cursor->deleted());
  }
  const Binding &binding = source.entry->second;
  return visit(source.entry->first, binding.value, binding.deleted);
}

}  // namespace

Status merge_sources(const MemTable *memory, const std::vector<std::shared_ptr<Table>> &tables,
                     Slice from, const Visit &visit) {
  std::vector<Source> heap;
  if (memory != nullptr) {
    Source source;
    source.entry = memory->lower_bound(from.str());
    source.end = memory->end();
    if (!exhausted(source)) heap.push_back(std::move(source));
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Source source;
    source.cursor = tables[i]->cursor();
    source.age = i + 1;
    source.cursor->seek(from);
    KELP_TRY(source.cursor->status());
    if (!exhausted(source)) heap.push_back(std::move(source));
  }
  std::make_heap(heap.begin(), heap.end(), comes_later);
  std::string last;
  bool first = true;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), comes_later);
    Source source = std::move(heap.back());
    heap.pop_back();
    if (first || !(current_key(source) == last)) {
      first = false;
      last = current_key(source).str();
      if (!show_entry(source, visit)) return Status();
    }
    advance(&source);
    if (source.cursor) KELP_TRY(source.cursor->status());
    if (exhausted(source)) continue;
    heap.push_back(std::move(source));
    std::push_heap(heap.begin(), heap.end(), comes_later);
  }
  return Status();
}

/// Writes all tables as one. Nothing older is left behind it, so tombstones go.
Status merge_into_one(const std::vector<std::shared_ptr<Table>> &tables, std::string *file) {
  TableBuilder builder;
  Status added;
  KELP_TRY(merge_sources(nullptr, tables, Slice(), [&](Slice key, Slice value, bool deleted) {
    if (!deleted) added = builder.add(key, value, false);
    return added.ok();
  }));
  KELP_TRY(added);
  *file = builder.finish();
  return Status();
}

}  // namespace kelpdb

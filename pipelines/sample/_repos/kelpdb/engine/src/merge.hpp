#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kelpdb/cursor.hpp"
#include "kelpdb/table.hpp"

namespace kelpdb {

/// What a key is bound to: a value, or the news that it was erased.
struct Binding {
  std::string value;
  bool deleted = false;
};

struct BytesLess {
  bool operator()(const std::string &a, const std::string &b) const {
    return compare_bytes(a, b) < 0;
  }
};

using MemTable = std::map<std::string, Binding, BytesLess>;

/// Gets key, value and whether the key was erased; false ends the walk.
using Visit = std::function<bool(Slice, Slice, bool)>;

Status merge_sources(const MemTable *memory, const std::vector<std::shared_ptr<Table>> &tables,
                     Slice from, const Visit &visit);
Status merge_into_one(const std::vector<std::shared_ptr<Table>> &tables, std::string *file);

}  // namespace kelpdb

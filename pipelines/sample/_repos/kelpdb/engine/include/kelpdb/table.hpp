#ifndef KELPDB_TABLE_HPP
#define KELPDB_TABLE_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kelpdb/cursor.hpp"
#include "kelpdb/slice.hpp"
#include "kelpdb/status.hpp"

namespace kelpdb {

class Cursor;

/// Where a block lies in its file, and the last key in it.
struct BlockRef {
  std::string last_key;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// A sorted table, read whole into memory and never changed.
class Table {
 public:
  /// Checks the footer, the index and the filter; blocks are checked when read.
  static Status open(std::string bytes, std::shared_ptr<Table> *out);

  /// Finds a key. `deleted` tells a tombstone from a value.
  Status get(Slice key, std::string *value, bool *deleted) const;

  std::unique_ptr<Cursor> cursor() const;
  std::size_t block_count() const { return index_.size(); }
  const BlockRef &block_ref(std::size_t i) const { return index_[i]; }
  Status block(std::size_t i, Slice *payload) const;
  /// Number of the first block whose last key is not below `key`.
  std::size_t block_for(Slice key) const;

 private:
  std::string bytes_;
  std::vector<BlockRef> index_;
  Slice filter_;
};

}  // namespace kelpdb

#endif

#ifndef KELPDB_CURSOR_HPP
#define KELPDB_CURSOR_HPP

#include <string>

#include "kelpdb/slice.hpp"
#include "kelpdb/status.hpp"
#include "kelpdb/table.hpp"

namespace kelpdb {

class Table;

/// Walks over the entries of one table in key order. Use: seek, then while valid, next.
class Cursor {
 public:
  explicit Cursor(const Table *table) : table_(table) {}

  void seek(Slice key);
  void next();
  bool valid() const { return valid_; }
  Slice key() const { return key_; }
  Slice value() const { return value_; }
  bool deleted() const { return deleted_; }
  const Status &status() const { return status_; }

 private:
  bool enter_block(std::size_t number);
  bool step();

  const Table *table_;
  std::size_t block_ = 0;
  Slice rest_;
  std::string key_;
  Slice value_;
  bool deleted_ = false;
  bool valid_ = false;
  Status status_;
};

}  // namespace kelpdb

#endif

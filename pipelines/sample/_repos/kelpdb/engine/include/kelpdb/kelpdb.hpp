#ifndef KELPDB_KELPDB_HPP
#define KELPDB_KELPDB_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kelpdb/slice.hpp"
#include "kelpdb/status.hpp"
#include "kelpdb/table.hpp"

namespace kelpdb {

struct Options {
  /// The memory table is written out when it holds more than this many bytes.
  std::size_t memory_limit = 1 << 20;
  /// Tables are merged into one when there are more than this.
  std::size_t table_limit = 6;
};

/// One folder, one process, one thread.
class Database {
 public:
  static Status open(const std::string &folder, const Options &options,
                     std::unique_ptr<Database> *out);
  ~Database();

  Status put(Slice key, Slice value);
  Status erase(Slice key);
  Status get(Slice key, std::string *value) const;
  Status flush();
  Status compact();

  /// Calls `visit` for every live entry with from <= key, in order, until it returns false.
  Status scan(Slice from, const std::function<bool(Slice, Slice)> &visit) const;
  std::size_t table_count() const;

 private:
  struct Inner;
  explicit Database(std::unique_ptr<Inner> inner);
  std::unique_ptr<Inner> inner_;
};

}  // namespace kelpdb

#endif

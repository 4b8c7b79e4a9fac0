#pragma once

#include <string>
#include <vector>

#include "kelpdb/slice.hpp"
#include "kelpdb/status.hpp"
#include "kelpdb/table.hpp"

namespace kelpdb {

/// Last eight bytes of every table file.
constexpr std::uint64_t kTableMagic = 0x31707364706c656bull;
constexpr std::size_t kFooterSize = 40;

struct Footer {
  std::uint64_t index_offset = 0;
  std::uint64_t index_size = 0;
  std::uint64_t filter_offset = 0;
  std::uint64_t filter_size = 0;
};

std::string encode_footer(const Footer &footer);
Status decode_footer(Slice file, Footer *footer);
void append_entry(std::string *block, Slice previous, Slice key, Slice value, bool deleted);
std::string seal_block(Slice payload);
Status unseal_block(Slice sealed, Slice *payload);

/// Takes entries in rising key order and lays out a table file.
class TableBuilder {
 public:
  explicit TableBuilder(std::size_t block_size = 4096) : block_size_(block_size) {}

  Status add(Slice key, Slice value, bool deleted);
  std::string finish();
  std::size_t entries() const { return hashes_.size(); }

 private:
  void end_block();

  std::size_t block_size_;
  std::string file_, block_, last_key_;
  std::vector<BlockRef> index_;
  std::vector<std::uint32_t> hashes_;
};

}  // namespace kelpdb

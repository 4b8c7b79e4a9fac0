// Reading sorted tables.

#include "kelpdb/table.hpp"

#include <utility>

#include "bloom.hpp"
#include "coding.hpp"
#include "table_builder.hpp"

namespace kelpdb {

namespace {

struct Entry {
  std::uint64_t shared = 0;
  Slice suffix, value;
  bool deleted = false;
};

Status parse_entry(Slice *rest, Entry *entry) {
  std::uint64_t stored = 0;
  if (!get_varint(rest, &entry->shared) || !get_prefixed(rest, &entry->suffix) ||
      !get_varint(rest, &stored)) {
    return corrupt("entry cut off");
  }
  entry->deleted = stored == 0;
  std::uint64_t size = entry->deleted ? 0 : stored - 1;
  if (size > rest->size()) return corrupt("value cut off");
  entry->value = rest->take(static_cast<std::size_t>(size));
  *rest = rest->drop(static_cast<std::size_t>(size));
  return Status();
}

/// Reads the index and checks that keys rise and blocks stay within `limit`.
Status parse_index(Slice in, std::uint64_t limit, std::vector<BlockRef> *index) {
  while (!in.empty()) {
    Slice key;
    BlockRef ref;
    if (!get_prefixed(&in, &key) || !get_varint(&in, &ref.offset) || !get_varint(&in, &ref.size)) {
      return corrupt("index cut off");
    }
    if (ref.offset > limit || ref.size > limit - ref.offset) return corrupt("block out of bounds");
    if (!index->empty() && compare_bytes(index->back().last_key, key) >= 0) {
      return corrupt("index out of order");
    }
    ref.last_key = key.str();
    index->push_back(std::move(ref));
  }
  return Status();
}

}  // namespace

Status Table::open(std::string bytes, std::shared_ptr<Table> *out) {
  auto table = std::make_shared<Table>();
  table->bytes_ = std::move(bytes);
  Slice file = table->bytes_;
  Footer footer;
  Slice index;
  KELP_TRY(decode_footer(file, &footer));
  KELP_TRY(unseal_block(file.drop(footer.index_offset).take(footer.index_size), &index));
  KELP_TRY(parse_index(index, footer.index_offset, &table->index_));
  KELP_TRY(unseal_block(file.drop(footer.filter_offset).take(footer.filter_size), &table->filter_));
  *out = std::move(table);
  return Status();
}

Status Table::block(std::size_t i, Slice *payload) const {
  const BlockRef &ref = index_[i];
  return unseal_block(Slice(bytes_).drop(ref.offset).take(ref.size), payload);
}

std::size_t Table::block_for(Slice key) const {
  std::size_t low = 0, high = index_.size();
  while (low < high) {
    std::size_t middle = low + (high - low) / 2;
    if (compare_bytes(index_[middle].last_key, key) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::unique_ptr<Cursor> Table::cursor() const { return std::make_unique<Cursor>(this); }

Status Table::get(Slice key, std::string *value, bool *deleted) const {
  if (!filter_may_contain(filter_, filter_hash(key))) return Status(Code::kNotFound, "filtered");
  Cursor at(this);
  at.seek(key);
  KELP_TRY(at.status());
  if (!at.valid() || !(at.key() == key)) return Status(Code::kNotFound, "no such key");
  *deleted = at.deleted();
  *value = at.value().str();
  return Status();
}

bool Cursor::enter_block(std::size_t number) {
  valid_ = false;
  block_ = number;
  key_.clear();
  if (number >= table_->block_count()) return false;
  status_ = table_->block(number, &rest_);
  return status_.ok() && step();
}

bool Cursor::step() {
  valid_ = false;
  if (rest_.empty()) return false;
  Entry entry;
  status_ = parse_entry(&rest_, &entry);
  if (status_.ok() && entry.shared > key_.size()) status_ = corrupt("prefix longer than its key");
  if (!status_.ok()) return false;
  key_.resize(static_cast<std::size_t>(entry.shared));
  key_.append(entry.suffix.data(), entry.suffix.size());
  value_ = entry.value;
  deleted_ = entry.deleted;
  return valid_ = true;
}

void Cursor::seek(Slice key) {
  enter_block(table_->block_for(key));
  while (valid_ && compare_bytes(key_, key) < 0) next();
}

void Cursor::next() {
  if (!step() && status_.ok()) enter_block(block_ + 1);
}

}  // namespace kelpdb

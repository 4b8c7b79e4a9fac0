// Layout of a table: blocks | index | filter | footer. Every part is sealed with a checksum.
// ┌────────┬────────┬───┬───────┬────────┬────────┐
// │ block  │ block  │ … │ index │ filter │ footer │
// └────────┴────────┴───┴───────┴────────┴────────┘

#include "table_builder.hpp"

#include "bloom.hpp"
#include "coding.hpp"

namespace kelpdb {

namespace {

std::string encode_index(const std::vector<BlockRef> &index) {
  std::string out;
  for (const BlockRef &ref : index) {
    put_prefixed(&out, ref.last_key);
    put_varint(&out, ref.offset);
    put_varint(&out, ref.size);
  }
  return out;
}

/// True when a part lies between the start of the file and its footer.
bool inside_file(std::uint64_t offset, std::uint64_t size, std::size_t file_size) {
  std::uint64_t limit = file_size - kFooterSize;
  return offset <= limit && size <= limit - offset;
}

}  // namespace

std::string encode_footer(const Footer &footer) {
  std::string out;
  put_fixed64(&out, footer.index_offset);
  put_fixed64(&out, footer.index_size);
  put_fixed64(&out, footer.filter_offset);
  put_fixed64(&out, footer.filter_size);
  put_fixed64(&out, kTableMagic);
  return out;
}

Status decode_footer(Slice file, Footer *footer) {
  if (file.size() < kFooterSize) return corrupt("shorter than a footer");
  Slice in = file.drop(file.size() - kFooterSize);
  std::uint64_t magic = 0;
  get_fixed64(&in, &footer->index_offset);
  get_fixed64(&in, &footer->index_size);
  get_fixed64(&in, &footer->filter_offset);
  get_fixed64(&in, &footer->filter_size);
  get_fixed64(&in, &magic);
  if (magic != kTableMagic) return corrupt("not a table");
  if (!inside_file(footer->index_offset, footer->index_size, file.size()) ||
      !inside_file(footer->filter_offset, footer->filter_size, file.size())) {
    return corrupt("footer points out of the file");
  }
  return Status();
}

/// Writes only what the key does not share with the one before it in the block.
/// The length of the value is stored plus one; zero marks a tombstone.
void append_entry(std::string *block, Slice previous, Slice key, Slice value, bool deleted) {
  std::size_t shared = shared_prefix(previous, key);
  put_varint(block, shared);
  put_prefixed(block, key.drop(shared));
  put_varint(block, deleted ? 0 : value.size() + 1);
  if (!deleted) block->append(value.data(), value.size());
}

std::string seal_block(Slice payload) {
  std::string out = payload.str();
  put_fixed32(&out, mask_crc(crc32c(payload)));
  return out;
}

Status unseal_block(Slice sealed, Slice *payload) {
  if (sealed.size() < 4) return corrupt("block shorter than its checksum");
  *payload = sealed.take(sealed.size() - 4);
  Slice tail = sealed.drop(payload->size());
  std::uint32_t masked = 0;
  get_fixed32(&tail, &masked);
  return unmask_crc(masked) == crc32c(*payload) ? Status() : corrupt("block checksum");
}

Status TableBuilder::add(Slice key, Slice value, bool deleted) {
  if (!hashes_.empty() && compare_bytes(last_key_, key) >= 0) {
    return Status(Code::kBadArgument, "keys must rise");
  }
  append_entry(&block_, block_.empty() ? Slice() : Slice(last_key_), key, value, deleted);
  last_key_ = key.str();
  hashes_.push_back(filter_hash(key));
  if (block_.size() >= block_size_) end_block();
  return Status();
}

void TableBuilder::end_block() {
  if (block_.empty()) return;
  std::string sealed = seal_block(block_);
  index_.push_back(BlockRef{last_key_, file_.size(), sealed.size()});
  file_ += sealed;
  block_.clear();
}

std::string TableBuilder::finish() {
  end_block();
  Footer footer;
  std::string index = seal_block(encode_index(index_));
  footer.index_offset = file_.size();
  footer.index_size = index.size();
  file_ += index;
  std::string filter = seal_block(build_filter(hashes_, 10));
  footer.filter_offset = file_.size();
  footer.filter_size = filter.size();
  file_ += filter;
  return file_ + encode_footer(footer);
}

}  // namespace kelpdb

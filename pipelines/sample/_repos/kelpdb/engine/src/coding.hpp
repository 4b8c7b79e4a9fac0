#pragma once

#include <cstdint>
#include <string>

#include "kelpdb/slice.hpp"

namespace kelpdb {

extern const std::uint32_t kCrcTables[2][256];

void put_fixed32(std::string *out, std::uint32_t value);
void put_fixed64(std::string *out, std::uint64_t value);
void put_varint(std::string *out, std::uint64_t value);
void put_prefixed(std::string *out, Slice bytes);

bool get_fixed32(Slice *in, std::uint32_t *value);
bool get_fixed64(Slice *in, std::uint64_t *value);
bool get_varint(Slice *in, std::uint64_t *value);
bool get_prefixed(Slice *in, Slice *bytes);

std::uint32_t crc32c(Slice bytes);

/// A stored checksum is rotated and shifted, so that the checksum of bytes which
/// contain checksums is as good as any other.
inline std::uint32_t mask_crc(std::uint32_t crc) {
  return ((crc >> 13) | (crc << 19)) + 0x6b656c70u;
}

inline std::uint32_t unmask_crc(std::uint32_t masked) {
  std::uint32_t rotated = masked - 0x6b656c70u;
  return (rotated << 13) | (rotated >> 19);
}

}  // namespace kelpdb

// Numbers and byte strings on disk: little endian, lengths in front.

#include "coding.hpp"

namespace kelpdb {

namespace {

template <typename Int>
void put_little_endian(std::string *out, Int value) {
  for (std::size_t i = 0; i < sizeof(Int); ++i) {
    out->push_back(static_cast<char>(value & 0xff));
    value = static_cast<Int>(value >> 8);
  }
}

template <typename Int>
bool get_little_endian(Slice *in, Int *value) {
  if (in->size() < sizeof(Int)) return false;
  Int sum = 0;
  for (std::size_t i = sizeof(Int); i-- > 0;) {
    sum = static_cast<Int>(sum << 8 | static_cast<unsigned char>((*in)[i]));
  }
  *value = sum;
  *in = in->drop(sizeof(Int));
  return true;
}

std::uint32_t crc_one_byte(std::uint32_t crc, unsigned char byte) {
  return (crc >> 8) ^ kCrcTables[0][(crc ^ byte) & 0xff];
}

std::uint32_t crc_two_bytes(std::uint32_t crc, unsigned char first, unsigned char second) {
  std::uint32_t mixed = crc ^ first ^ static_cast<std::uint32_t>(second) << 8;
  return (crc >> 16) ^ kCrcTables[1][mixed & 0xff] ^ kCrcTables[0][(mixed >> 8) & 0xff];
}

}  // namespace

void put_fixed32(std::string *out, std::uint32_t value) { put_little_endian(out, value); }

void put_fixed64(std::string *out, std::uint64_t value) { put_little_endian(out, value); }

bool get_fixed32(Slice *in, std::uint32_t *value) { return get_little_endian(in, value); }

bool get_fixed64(Slice *in, std::uint64_t *value) { return get_little_endian(in, value); }

/// Seven bits per byte, lowest first; the top bit says that more follow.
void put_varint(std::string *out, std::uint64_t value) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

/// Refuses numbers that end too early or do not fit into 64 bits.
bool get_varint(Slice *in, std::uint64_t *value) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < in->size() && i < 10; ++i) {
    std::uint64_t byte = static_cast<unsigned char>((*in)[i]);
    if (i == 9 && byte > 1) return false;
    sum |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      *value = sum;
      *in = in->drop(i + 1);
      return true;
    }
  }
  return false;
}

void put_prefixed(std::string *out, Slice bytes) {
  put_varint(out, bytes.size());
  out->append(bytes.data(), bytes.size());
}

bool get_prefixed(Slice *in, Slice *bytes) {
  std::uint64_t size = 0;
  Slice rest = *in;
  if (!get_varint(&rest, &size) || size > rest.size()) return false;
  *bytes = rest.take(static_cast<std::size_t>(size));
  *in = rest.drop(static_cast<std::size_t>(size));
  return true;
}

/// CRC-32C (Castagnoli), two bytes per turn.
std::uint32_t crc32c(Slice bytes) {
  const unsigned char *p = reinterpret_cast<const unsigned char *>(bytes.data());
  std::size_t left = bytes.size();
  std::uint32_t crc = ~0u;
  for (; left >= 2; left -= 2, p += 2) crc = crc_two_bytes(crc, p[0], p[1]);
  if (left == 1) crc = crc_one_byte(crc, *p);
  return ~crc;
}

}  // namespace kelpdb

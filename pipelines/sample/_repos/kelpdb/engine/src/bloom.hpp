#pragma once

// Bloom filters: "surely absent" or "perhaps there", a few bits per key.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kelpdb/slice.hpp"

namespace kelpdb {

/// Best number of probes for a filter: bits per key × ln 2, at least one.
inline unsigned probes_for(unsigned bits_per_key) {
  return std::clamp(bits_per_key * 69 / 100, 1u, 30u);
}

/// The second of two hashes made of one; odd, so that it walks over every bit.
inline std::uint32_t probe_stride(std::uint32_t hash) {
  return ((hash >> 17) | (hash << 15)) | 1u;
}

/// A multiplicative hash, four bytes at a time.
inline std::uint32_t filter_hash(Slice bytes) {
  const std::uint32_t factor = 0x9e3779b1u;
  std::uint32_t hash = static_cast<std::uint32_t>(bytes.size()) * factor;
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word = word << 8 | static_cast<unsigned char>(bytes[i]);
    if (i % 4 == 3 || i + 1 == bytes.size()) {
      hash = (hash + word) * factor;
      hash ^= hash >> 15;
      word = 0;
    }
  }
  return hash;
}

/// The bit array, and in its last byte the number of probes.
inline std::string build_filter(const std::vector<std::uint32_t> &hashes, unsigned bits_per_key) {
  std::size_t bits = std::max<std::size_t>(64, hashes.size() * bits_per_key);
  bits = (bits + 7) / 8 * 8;
  std::string filter(bits / 8, '\0');
  unsigned probes = probes_for(bits_per_key);
  for (std::uint32_t hash : hashes) {
    std::uint32_t stride = probe_stride(hash);
    for (unsigned i = 0; i < probes; ++i, hash += stride) {
      std::size_t bit = hash % bits;
      filter[bit / 8] = static_cast<char>(filter[bit / 8] | 1 << (bit % 8));
    }
  }
  filter.push_back(static_cast<char>(probes));
  return filter;
}

/// False only when the key is not there. An empty or odd filter lets everything through.
inline bool filter_may_contain(Slice filter, std::uint32_t hash) {
  if (filter.size() < 2) return true;
  std::size_t bits = (filter.size() - 1) * 8;
  unsigned probes = static_cast<unsigned char>(filter[filter.size() - 1]);
  if (probes > 30) return true;
  std::uint32_t stride = probe_stride(hash);
  for (unsigned i = 0; i < probes; ++i, hash += stride) {
    std::size_t bit = hash % bits;
    if ((filter[bit / 8] & (1 << (bit % 8))) == 0) return false;
  }
  return true;
}

}  // namespace kelpdb

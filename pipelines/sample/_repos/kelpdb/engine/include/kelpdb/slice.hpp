#ifndef KELPDB_SLICE_HPP
#define KELPDB_SLICE_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace kelpdb {

/// Bytes that belong to somebody else. Never outlives them.
class Slice {
 public:
  Slice() = default;
  Slice(const char *data, std::size_t size) : data_(data), size_(size) {}
  Slice(const std::string &text) : data_(text.data()), size_(text.size()) {}
  Slice(const char *text) : data_(text), size_(std::strlen(text)) {}

  const char *data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  char operator[](std::size_t i) const { return data_[i]; }
  std::string str() const { return std::string(data_, size_); }

  Slice drop(std::size_t n) const {
    n = std::min(n, size_);
    return Slice(data_ + n, size_ - n);
  }
  Slice take(std::size_t n) const { return Slice(data_, std::min(n, size_)); }

 private:
  const char *data_ = "";
  std::size_t size_ = 0;
};

/// Order of keys: unsigned bytes, the shorter one first on a tie.
inline int compare_bytes(Slice a, Slice b) {
  std::size_t common = std::min(a.size(), b.size());
  int order = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
  if (order != 0) return order;
  if (a.size() == b.size()) return 0;
  return a.size() < b.size() ? -1 : 1;
}

inline bool operator==(Slice a, Slice b) { return compare_bytes(a, b) == 0; }

inline std::size_t shared_prefix(Slice a, Slice b) {
  std::size_t limit = std::min(a.size(), b.size());
  std::size_t n = 0;
  while (n < limit && a[n] == b[n]) ++n;
  return n;
}

/// What each byte looks like to people, unprintable ones as \xHH.
extern const char *const kEscapes[256];

/// Appends the bytes in printable form; returns `out`.
inline std::string &append_escaped(std::string &out, Slice bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out.append(kEscapes[static_cast<unsigned char>(bytes[i])]);
  }
  return out;
}

}  // namespace kelpdb

#endif

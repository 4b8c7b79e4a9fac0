#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "kelpdb/slice.hpp"
#include "kelpdb/status.hpp"

namespace kelpdb {

enum class Operation : char { kPut = 'p', kErase = 'e' };

struct Change {
  Operation operation = Operation::kPut;
  Slice key;
  Slice value;
};

/// What was found in a log.
struct LogSummary {
  std::size_t records = 0;
  /// Bytes that can be kept; what follows was being written when the process died.
  std::size_t good_bytes = 0;
};

std::string frame_record(Slice payload);
std::string encode_change(const Change &change);
Status decode_change(Slice payload, Change *change);
Status replay_log(Slice log, const std::function<Status(const Change &)> &apply,
                  LogSummary *summary);

}  // namespace kelpdb

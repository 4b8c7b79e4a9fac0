// The write-ahead log: records of checksum, length and payload, back to back.

#include "log.hpp"

#include "coding.hpp"

namespace kelpdb {

namespace {

/// Larger records are taken for damage, not for data.
const std::uint32_t kLargestRecord = 64u << 20;

/// Cuts the next record off `rest`. "Not found" means that the log ends within it.
Status next_record(Slice *rest, Slice *payload) {
  Slice in = *rest;
  std::uint32_t masked = 0, size = 0;
  if (!get_fixed32(&in, &masked) || !get_fixed32(&in, &size)) {
    return Status(Code::kNotFound, "short header");
  }
  if (size > kLargestRecord) return corrupt("record of " + std::to_string(size) + " bytes");
  if (size > in.size()) return Status(Code::kNotFound, "short payload");
  *payload = in.take(size);
  if (crc32c(*payload) != unmask_crc(masked)) return corrupt("record checksum");
  *rest = in.drop(size);
  return Status();
}

}  // namespace

std::string frame_record(Slice payload) {
  std::string out;
  put_fixed32(&out, mask_crc(crc32c(payload)));
  put_fixed32(&out, static_cast<std::uint32_t>(payload.size()));
  out.append(payload.data(), payload.size());
  return out;
}

std::string encode_change(const Change &change) {
  std::string payload(1, static_cast<char>(change.operation));
  put_prefixed(&payload, change.key);
  if (change.operation == Operation::kPut) put_prefixed(&payload, change.value);
  return payload;
}

Status decode_change(Slice payload, Change *change) {
  if (payload.empty()) return corrupt("empty record");
  char kind = payload[0];
  payload = payload.drop(1);
  if (kind != 'p' && kind != 'e') return corrupt("unknown operation");
  change->operation = static_cast<Operation>(kind);
  change->value = Slice();
  if (!get_prefixed(&payload, &change->key)) return corrupt("key cut off");
  if (kind == 'p' && !get_prefixed(&payload, &change->value)) return corrupt("value cut off");
  return payload.empty() ? Status() : corrupt("bytes after the record");
}

/// Applies every whole record in order. A torn record at the end is no failure;
/// a bad checksum with more records behind it is.
Status replay_log(Slice log, const std::function<Status(const Change &)> &apply,
                  LogSummary *summary) {
  Slice rest = log;
  *summary = LogSummary();
  while (!rest.empty()) {
    Slice payload;
    Status got = next_record(&rest, &payload);
    if (got.code() == Code::kNotFound) break;
    KELP_TRY(got);
    Change change;
    KELP_TRY(decode_change(payload, &change));
    KELP_TRY(apply(change));
    ++summary->records;
    summary->good_bytes = log.size() - rest.size();
  }
  return Status();
}

}  // namespace kelpdb

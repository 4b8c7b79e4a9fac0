#ifndef KELPDB_STATUS_HPP
#define KELPDB_STATUS_HPP

#include <string>
#include <utility>

namespace kelpdb {

enum class Code { kOk, kNotFound, kCorrupt, kIo, kBadArgument };

inline const char *code_name(Code code) {
  switch (code) {
    case Code::kOk: return "ok";
    case Code::kNotFound: return "not found";
    case Code::kCorrupt: return "corrupt";
    case Code::kIo: return "input/output";
    case Code::kBadArgument: return "bad argument";
  }
  return "unknown";
}

class Status {
 public:
  Status() = default;
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string &message() const { return message_; }
  std::string text() const {
    return ok() ? "ok" : std::string(code_name(code_)) + ": " + message_;
  }

 private:
  Code code_ = Code::kOk;
  std::string message_;
};

inline Status corrupt(std::string what) { return Status(Code::kCorrupt, std::move(what)); }

/// Puts the name of a file in front of a failure; success stays success.
inline Status in_file(const std::string &path, const Status &status) {
  return status.ok() ? status : Status(status.code(), path + ": " + status.message());
}

}  // namespace kelpdb

/// Leaves the calling function with the status unless it is ok.
#define KELP_TRY(expression)                       \
  do {                                             \
    ::kelpdb::Status kelp_status_ = (expression);  \
    if (!kelp_status_.ok()) return kelp_status_;   \
  } while (0)

#endif

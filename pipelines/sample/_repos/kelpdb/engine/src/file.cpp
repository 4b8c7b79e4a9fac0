// The few things asked of a file system.

#include "file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace kelpdb {

namespace {

Status io_failure(const std::string &what) {
  return Status(Code::kIo, what + ": " + std::strerror(errno));
}

}  // namespace

#ifdef _WIN32
/// Flushes the buffers of the process and of the system.
void sync_to_disk(std::FILE *file) {
  std::fflush(file);
  _commit(_fileno(file));
}
#else
/// Flushes the buffers of the process and of the kernel.
void sync_to_disk(std::FILE *file) {
  std::fflush(file);
  fsync(fileno(file));
}
#endif

Status write_fully(std::FILE *file, Slice bytes) {
  if (bytes.empty()) return Status();
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) return io_failure("write");
  return Status();
}

/// Reads a file to its end. A missing file is "not found", all else an I/O failure.
Status read_whole_file(const std::string &path, std::string *out) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return errno == ENOENT ? Status(Code::kNotFound, path) : io_failure(path);
  }
  out->clear();
  char buffer[1 << 14];
  std::size_t n = 0;
  while ((n = std::fread(buffer, 1, sizeof buffer, file)) > 0) out->append(buffer, n);
  bool failed = std::ferror(file) != 0;
  std::fclose(file);
  return failed ? io_failure(path) : Status();
}

/// Writes under a temporary name, syncs and renames: readers see all or nothing.
Status write_file_atomically(const std::string &path, Slice bytes) {
  const std::string draft = path + ".draft";
  std::FILE *file = std::fopen(draft.c_str(), "wb");
  if (file == nullptr) return io_failure(draft);
  Status written = write_fully(file, bytes);
  sync_to_disk(file);
  if (std::fclose(file) != 0 && written.ok()) written = io_failure(draft);
  if (written.ok() && std::rename(draft.c_str(), path.c_str()) != 0) written = io_failure(path);
  if (!written.ok()) std::remove(draft.c_str());
  return written;
}

Status make_folder(const std::string &path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  return failure ? Status(Code::kIo, path + ": " + failure.message()) : Status();
}

Status list_folder(const std::string &path, std::vector<std::string> *names) {
  std::error_code failure;
  std::filesystem::directory_iterator it(path, failure), end;
  names->clear();
  for (; !failure && it != end; it.increment(failure)) {
    names->push_back(it->path().filename().string());
  }
  return failure ? Status(Code::kIo, path + ": " + failure.message()) : Status();
}

std::string join_path(const std::string &folder, const std::string &name) {
  if (folder.empty() || folder.back() == '/') return folder + name;
  return folder + "/" + name;
}

/// 12 -> "000012.kelp", so that names sort as numbers do.
std::string table_file_name(std::uint64_t number) {
  char name[32];
  std::snprintf(name, sizeof name, "%06llu.kelp", static_cast<unsigned long long>(number));
  return name;
}

bool parse_table_name(const std::string &name, std::uint64_t *number) {
  std::size_t dot = name.find('.');
  if (dot == 0 || dot == std::string::npos || dot > 18 || name.substr(dot) != ".kelp") return false;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < dot; ++i) {
    if (name[i] < '0' || name[i] > '9') return false;
    sum = sum * 10 + static_cast<std::uint64_t>(name[i] - '0');
  }
  *number = sum;
  return true;
}

}  // namespace kelpdb

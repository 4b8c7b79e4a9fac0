#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "kelpdb/slice.hpp"
#include "kelpdb/status.hpp"

namespace kelpdb {

Status read_whole_file(const std::string &path, std::string *out);
Status write_file_atomically(const std::string &path, Slice bytes);
Status write_fully(std::FILE *file, Slice bytes);
Status make_folder(const std::string &path);
Status list_folder(const std::string &path, std::vector<std::string> *names);
void sync_to_disk(std::FILE *file);

std::string join_path(const std::string &folder, const std::string &name);
std::string table_file_name(std::uint64_t number);
bool parse_table_name(const std::string &name, std::uint64_t *number);

}  // namespace kelpdb

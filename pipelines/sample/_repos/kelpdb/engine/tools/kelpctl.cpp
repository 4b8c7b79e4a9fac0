// kelpctl: a kelpdb folder from the command line.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "../src/file.hpp"
#include "kelpdb/kelpdb.hpp"

namespace {

using kelpdb::Database;
using kelpdb::Slice;
using kelpdb::Status;
using Arguments = std::vector<std::string>;

struct Command {
  const char *name;
  std::size_t arguments;
  const char *help;
  Status (*run)(Database &, const Arguments &);
};

#define KELP_SHOW(...) std::fprintf(stdout, __VA_ARGS__)

Status run_put(Database &db, const Arguments &args) { return db.put(args[0], args[1]); }

Status run_get(Database &db, const Arguments &args) {
  std::string value;
  KELP_TRY(db.get(args[0], &value));
  KELP_SHOW("%s\n", value.c_str());
  return Status();
}

Status run_erase(Database &db, const Arguments &args) { return db.erase(args[0]); }

Status run_scan(Database &db, const Arguments &) {
  std::size_t shown = 0;
  KELP_TRY(db.scan(Slice(), [&](Slice key, Slice value) {
    std::string line;
    kelpdb::append_escaped(line, key).append("\t");
    KELP_SHOW("%s\n", kelpdb::append_escaped(line, value).c_str());
    ++shown;
    return true;
  }));
  KELP_SHOW("%zu entries, %zu tables\n", shown, db.table_count());
  return Status();
}

Status run_compact(Database &db, const Arguments &) { return db.compact(); }

/// Loads lines of the form key=value; empty lines and lines starting with # are skipped.
Status run_load(Database &db, const Arguments &args) {
  std::string text;
  KELP_TRY(kelpdb::read_whole_file(args[0], &text));
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    start = end + 1;
    if (line.empty() || line[0] == '#') continue;
    std::size_t equals = line.find('=');
    if (equals == std::string::npos) {
      return Status(kelpdb::Code::kBadArgument, "no '=' in line: " + line);
    }
    KELP_TRY(db.put(line.substr(0, equals), line.substr(equals + 1)));
  }
  return db.flush();
}

const Command kCommands[] = {
    {"put", 2, "KEY VALUE", run_put},   {"get", 1, "KEY", run_get},
    {"erase", 1, "KEY", run_erase},     {"scan", 0, "", run_scan},
    {"compact", 0, "", run_compact},    {"load", 1, "FILE", run_load},
};

const Command *find_command(const std::string &name) {
  for (const Command &command : kCommands) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

int show_usage() {
  for (const Command &command : kCommands) {
    std::fprintf(stderr, "kelpctl %s FOLDER %s\n", command.name, command.help);
  }
  return 2;
}

Status run_command(const Command &command, const std::string &folder, const Arguments &args) {
  std::unique_ptr<Database> db;
  KELP_TRY(Database::open(folder, kelpdb::Options(), &db));
  return command.run(*db, args);
}

}  // namespace

int main(int argc, char **argv) {
  Arguments args(argv + 1, argv + argc);
  const Command *command = args.empty() ? nullptr : find_command(args[0]);
  if (command == nullptr || args.size() != command->arguments + 2) return show_usage();
  Status done = run_command(*command, args[1], Arguments(args.begin() + 2, args.end()));
  if (!done.ok()) std::fprintf(stderr, "kelpctl: %s\n", done.text().c_str());
  return done.ok() ? 0 : 1;
}

// The database: log, memory table, tables, and the order in which they change.

#include "kelpdb/kelpdb.hpp"

#include <algorithm>
#include <cstdio>

#include "file.hpp"
#include "log.hpp"
#include "merge.hpp"
#include "table_builder.hpp"

namespace kelpdb {

namespace {

const char kLogName[] = "kelp.wal";

struct NumberedTable {
  std::uint64_t number = 0;
  std::shared_ptr<Table> table;
};

Status load_table(const std::string &folder, std::uint64_t number, NumberedTable *out) {
  std::string path = join_path(folder, table_file_name(number));
  std::string bytes;
  KELP_TRY(read_whole_file(path, &bytes));
  out->number = number;
  return in_file(path, Table::open(std::move(bytes), &out->table));
}

/// Opens all tables of a folder, newest first.
Status load_all_tables(const std::string &folder, std::vector<NumberedTable> *tables) {
  std::vector<std::string> names;
  KELP_TRY(list_folder(folder, &names));
  for (const std::string &name : names) {
    NumberedTable loaded;
    std::uint64_t number = 0;
    if (!parse_table_name(name, &number)) continue;
    KELP_TRY(load_table(folder, number, &loaded));
    tables->push_back(std::move(loaded));
  }
  std::sort(tables->begin(), tables->end(),
            [](const NumberedTable &a, const NumberedTable &b) { return a.number > b.number; });
  return Status();
}

std::vector<std::shared_ptr<Table>> only_tables(const std::vector<NumberedTable> &numbered) {
  std::vector<std::shared_ptr<Table>> tables;
  for (const NumberedTable &entry : numbered) tables.push_back(entry.table);
  return tables;
}

/// Bytes a change takes up in memory, nodes and all, near enough.
std::size_t memory_cost(const Change &change) {
  return change.key.size() + change.value.size() + 64;
}

}  // namespace

struct Database::Inner {
  std::string folder;
  Options options;
  MemTable memory;
  std::size_t memory_bytes = 0;
  std::vector<NumberedTable> tables;
  std::FILE *log = nullptr;

  void remember(const Change &change) {
    bool erase = change.operation == Operation::kErase;
    memory[change.key.str()] = Binding{change.value.str(), erase};
    memory_bytes += memory_cost(change);
  }

  Status write(const Change &change) {
    if (log == nullptr) return Status(Code::kIo, "the log is closed");
    if (change.key.empty()) return Status(Code::kBadArgument, "empty key");
    KELP_TRY(write_fully(log, frame_record(encode_change(change))));
    sync_to_disk(log);
    remember(change);
    return Status();
  }

  std::uint64_t next_number() const { return tables.empty() ? 1 : tables.front().number + 1; }

  Status restart_log() {
    if (log != nullptr) std::fclose(log);
    log = std::fopen(join_path(folder, kLogName).c_str(), "wb");
    return log != nullptr ? Status() : Status(Code::kIo, "cannot restart the log");
  }

  /// Writes a table file and puts it in front of the others.
  Status add_table(const std::string &file) {
    std::uint64_t number = next_number();
    KELP_TRY(write_file_atomically(join_path(folder, table_file_name(number)), file));
    NumberedTable written;
    KELP_TRY(load_table(folder, number, &written));
    tables.insert(tables.begin(), std::move(written));
    return Status();
  }

  /// Removes all tables but the newest, oldest first: a tombstone must never go before
  /// the value it hides, even when the process dies half-way.
  void drop_merged() {
    while (tables.size() > 1) {
      std::remove(join_path(folder, table_file_name(tables.back().number)).c_str());
      tables.pop_back();
    }
  }
};

Database::Database(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}

Database::~Database() {
  if (inner_->log != nullptr) std::fclose(inner_->log);
}

Status Database::open(const std::string &folder, const Options &options,
                      std::unique_ptr<Database> *out) {
  auto inner = std::make_unique<Inner>();
  Inner *state = inner.get();
  state->folder = folder;
  state->options = options;
  KELP_TRY(make_folder(folder));
  KELP_TRY(load_all_tables(folder, &state->tables));
  std::string path = join_path(folder, kLogName), log;
  Status read = read_whole_file(path, &log);
  if (read.code() != Code::kNotFound) KELP_TRY(read);
  LogSummary summary;
  KELP_TRY(in_file(path, replay_log(log, [state](const Change &change) {
                     state->remember(change);
                     return Status();
                   }, &summary)));
  if (summary.good_bytes < log.size()) {
    KELP_TRY(write_file_atomically(path, Slice(log).take(summary.good_bytes)));
  }
  state->log = std::fopen(path.c_str(), "ab");
  if (state->log == nullptr) return Status(Code::kIo, path + ": cannot append");
  out->reset(new Database(std::move(inner)));
  return Status();
}

Status Database::put(Slice key, Slice value) {
  KELP_TRY(inner_->write(Change{Operation::kPut, key, value}));
  return inner_->memory_bytes > inner_->options.memory_limit ? flush() : Status();
}

Status Database::erase(Slice key) {
  return inner_->write(Change{Operation::kErase, key, Slice()});
}

Status Database::get(Slice key, std::string *value) const {
  auto found = inner_->memory.find(key.str());
  if (found != inner_->memory.end()) {
    if (found->second.deleted) return Status(Code::kNotFound, "erased");
    *value = found->second.value;
    return Status();
  }
  for (const NumberedTable &entry : inner_->tables) {
    bool deleted = false;
    Status got = entry.table->get(key, value, &deleted);
    if (got.code() == Code::kNotFound) continue;
    return got.ok() && deleted ? Status(Code::kNotFound, "erased") : got;
  }
  return Status(Code::kNotFound, "no such key");
}

Status Database::flush() {
  if (inner_->memory.empty()) return Status();
  TableBuilder builder;
  for (const auto &[key, binding] : inner_->memory) {
    KELP_TRY(builder.add(key, binding.value, binding.deleted));
  }
  KELP_TRY(inner_->add_table(builder.finish()));
  inner_->memory.clear();
  inner_->memory_bytes = 0;
  KELP_TRY(inner_->restart_log());
  return inner_->tables.size() > inner_->options.table_limit ? compact() : Status();
}

Status Database::compact() {
  KELP_TRY(flush());
  if (inner_->tables.empty()) return Status();
  std::string file;
  KELP_TRY(merge_into_one(only_tables(inner_->tables), &file));
  KELP_TRY(inner_->add_table(file));
  inner_->drop_merged();
  return Status();
}

Status Database::scan(Slice from, const std::function<bool(Slice, Slice)> &visit) const {
  return merge_sources(&inner_->memory, only_tables(inner_->tables), from,
                       [&](Slice key, Slice value, bool deleted) {
                         return deleted || visit(key, value);
                       });
}

std::size_t Database::table_count() const { return inner_->tables.size(); }

}  // namespace kelpdb

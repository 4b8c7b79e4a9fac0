// Exercises a store in a scratch folder. Exits with 1 on the first failure.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "bloom.hpp"
#include "coding.hpp"
#include "file.hpp"
#include "kelpdb/kelpdb.hpp"
#include "log.hpp"
#include "merge.hpp"

using namespace kelpdb;

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);  \
      std::exit(1);                                                         \
    }                                                                       \
  } while (0)

static std::string key_of(int i) { return "frond-" + std::to_string(i * 7919 % 1000); }

static void numbers_round_trip() {
  for (std::uint64_t v : {0ull, 127ull, 128ull, 300ull, ~0ull}) {
    std::string text;
    std::uint64_t back = 1;
    put_varint(&text, v);
    Slice in = text;
    CHECK(get_varint(&in, &back) && back == v && in.empty());
  }
  CHECK(crc32c("123456789") == 0xe3069283u);
  CHECK(unmask_crc(mask_crc(0x12345678u)) == 0x12345678u);
}

static void torn_log_is_cut() {
  std::string log = frame_record(encode_change({Operation::kPut, "a", "1"}));
  std::size_t whole = log.size();
  log += frame_record(encode_change({Operation::kErase, "a", ""})).substr(0, 9);
  LogSummary summary;
  CHECK(replay_log(log, [](const Change &) { return Status(); }, &summary).ok());
  CHECK(summary.records == 1 && summary.good_bytes == whole);
  log[whole - 1] ^= 1;
  CHECK(replay_log(log, [](const Change &) { return Status(); }, &summary).code() == Code::kCorrupt);
}

static void filters_miss_nothing() {
  std::vector<std::uint32_t> hashes;
  for (int i = 0; i < 500; ++i) hashes.push_back(filter_hash(key_of(i)));
  std::string filter = build_filter(hashes, 10);
  int wrong = 0;
  for (std::uint32_t hash : hashes) CHECK(filter_may_contain(filter, hash));
  for (int i = 0; i < 500; ++i) wrong += filter_may_contain(filter, filter_hash("x" + key_of(i)));
  CHECK(wrong < 25);
}

static void store_survives(const std::string &folder) {
  Options options;
  options.memory_limit = 4096;
  options.table_limit = 3;
  std::unique_ptr<Database> db;
  CHECK(Database::open(folder, options, &db).ok());
  for (int i = 0; i < 1000; ++i) CHECK(db->put(key_of(i), std::to_string(i)).ok());
  for (int i = 0; i < 1000; i += 3) CHECK(db->erase(key_of(i)).ok());
  for (int turn = 0; turn < 2; ++turn) {
    db.reset();
    CHECK(Database::open(folder, options, &db).ok());
    std::string value;
    for (int i = 0; i < 1000; ++i) {
      Status got = db->get(key_of(i), &value);
      CHECK(i % 3 == 0 ? got.code() == Code::kNotFound : got.ok() && value == std::to_string(i));
    }
    int seen = 0;
    std::string last;
    CHECK(db->scan("frond-5", [&](Slice key, Slice) {
      CHECK(compare_bytes(last, key) < 0);
      last = key.str();
      return ++seen > 0;
    }).ok());
    CHECK(seen > 300 && seen < 400);
    CHECK(db->compact().ok() && db->table_count() == 1);
  }
  std::string bytes;
  std::shared_ptr<Table> table;
  std::vector<std::string> names;
  std::uint64_t number = 0;
  CHECK(list_folder(folder, &names).ok());
  for (const std::string &name : names) {
    if (!parse_table_name(name, &number)) continue;
    CHECK(read_whole_file(join_path(folder, name), &bytes).ok());
    CHECK(Table::open(bytes, &table).ok());
    bytes[bytes.size() - 1] ^= 1;
    CHECK(Table::open(bytes, &table).code() == Code::kCorrupt);
  }
  CHECK(number > 0);
}

int main() {
  numbers_round_trip();
  torn_log_is_cut();
  filters_miss_nothing();
  std::string folder = (std::filesystem::temp_directory_path() / "kelpdb-test").string();
  std::filesystem::remove_all(folder);
  store_survives(folder);
  std::filesystem::remove_all(folder);
  std::puts("ok");
  return 0;
}

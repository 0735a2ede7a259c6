#include "weir/experiment/store/results_database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "weir/experiment/store/results_json.hpp"
#include "weir/experiment/store/results_schema.hpp"

namespace weir::experiment {
namespace {

namespace fs = std::filesystem;

constexpr int kWaitForOthersMs = 60'000;

void make_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  fs::create_directories(folder, error);
  if (error)
    throw InputError(folder.string() + ": cannot make the output folder: " + error.message());
}

int pragma(SQLite::Database& db, const char* name) {
  return db.execAndGet(std::string("PRAGMA ") + name).getInt();
}

void set_version(SQLite::Database& db) {
  db.exec(fmt::format("PRAGMA user_version = {}", ResultsStore::kSchemaVersion));
}

bool is_new(SQLite::Database& db) {
  return pragma(db, "user_version") == 0 && pragma(db, "application_id") == 0 &&
         db.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

/// File systems whose files several machines may have open: NFS, SMB and CIFS, 9P, FUSE (which may
/// be one), Lustre, GPFS, BeeGFS, Ceph, AFS, OrangeFS, PanFS (statfs(2)).
bool is_shared_by_machines(const std::string& path) {
  constexpr std::array<unsigned long, 13> kTypes{
      0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x01021997, 0x65735546, 0x0BD00BD0,
      0x47504653, 0x19830326, 0x00C36400, 0x5346414F, 0x20030528, 0xAAD7AAEA};
  struct statfs status {};
  if (statfs(path.c_str(), &status) != 0) return false;
  const unsigned long type = static_cast<unsigned long>(status.f_type) & 0xFFFFFFFFUL;
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

/// The log of writes (WAL) lets readers and a writer go on beside each other, by memory that the
/// processes of one machine share. Where several machines may come, a journal that goes by file
/// locks alone is what works.
std::string journal_for(const std::string& path) {
  const char* wanted = std::getenv("WEIR_JOURNAL");
  if (wanted == nullptr || *wanted == '\0') return is_shared_by_machines(path) ? "delete" : "wal";
  const std::string mode = wanted;
  if (mode == "wal" || mode == "delete") return mode;
  throw InputError("WEIR_JOURNAL: must be wal or delete, not '" + mode + "'");
}

void choose_journal(SQLite::Database& db, const std::string& path) {
  const std::string wanted = journal_for(path);
  if (db.execAndGet("PRAGMA journal_mode").getString() != wanted)
    db.exec("PRAGMA journal_mode = " + wanted);
  // A log of writes survives a power cut whole without waiting for the disk at every commit.
  db.exec(wanted == "wal" ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
}

/// SQLite refuses at once, whatever the time to wait, where waiting could be a deadlock: two
/// programs that both begin the log of writes, or one that opens while another closes.
template <class Work>
auto patiently(Work work) {
  const auto give_up =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(kWaitForOthersMs);
  while (true) {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      const bool is_busy = (error.getErrorCode() & 0xff) == SQLITE_BUSY;
      if (!is_busy || std::chrono::steady_clock::now() > give_up) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// Another program may be making the tables at the same moment: only one of them does.
void make_tables(SQLite::Database& db, const std::string& path) {
  choose_journal(db, path);
  WriteTransaction transaction(db);
  if (!is_new(db)) return;
  db.exec(kResultsSchema);
  db.exec(kFramesSchema);
  db.exec(kSetAsideSchema);
  db.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
  set_version(db);
  transaction.commit();
}

/// Version 1 had swept seeds among the parameters.
void drop_swept_seeds(SQLite::Database& db) {
  std::vector<std::pair<std::int64_t, std::string>> changed;
  SQLite::Statement query(
      db, "SELECT id, parameters FROM runs WHERE parameters LIKE '%experiment.seed%'");
  while (query.executeStep()) {
    const std::vector<std::string> all = texts_from_json(query.getColumn(1).getString());
    std::vector<std::string> kept;
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
      if (all[i] != "experiment.seed") kept.insert(kept.end(), {all[i], all[i + 1]});
    }
    changed.emplace_back(query.getColumn(0).getInt64(), to_json(kept));
  }
  for (const auto& [id, parameters] : changed) {
    SQLite::Statement update(db, "UPDATE runs SET parameters = ? WHERE id = ?");
    update.bind(1, parameters);
    update.bind(2, id);
    update.exec();
  }
}

/// All or nothing, and only by the first of several programs that come at once.
void migrate(SQLite::Database& db, const std::string& path) {
  try {
    WriteTransaction transaction(db);
    if (pragma(db, "user_version") != 1) return;
    db.exec(kFromVersion1);
    db.exec(kFramesSchema);
    db.exec(kSetAsideSchema);
    drop_swept_seeds(db);
    set_version(db);
    transaction.commit();
  } catch (const SQLite::Exception& error) {
    throw InputError(path + ": holds results of an older version of weir, which cannot be " +
                     "brought up to date: " + error.what());
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path + ": the results database is damaged: " + error.what());
  }
}

/// Of several programs that come at once, the first adds it.
void add_cpu_seconds(SQLite::Database& db) {
  const auto is_there = [&] {
    return db.execAndGet(
                 "SELECT count(*) FROM pragma_table_info('runs') WHERE name = 'cpu_seconds'")
               .getInt() != 0;
  };
  if (is_there()) return;
  WriteTransaction transaction(db);
  if (!is_there()) db.exec(kCpuSeconds);
  transaction.commit();
}

/// Refuses a database that is not ours, or of a version that is not known.
void check_tables(SQLite::Database& db, const std::string& path) {
  if (pragma(db, "application_id") != kApplicationId) {
    throw InputError(path + ": is an SQLite database, but not one with results of weir");
  }
  if (pragma(db, "user_version") == 1) migrate(db, path);
  const int version = pragma(db, "user_version");
  if (version == ResultsStore::kSchemaVersion) return;
  throw InputError(fmt::format(
      "{}: holds results of {} version of weir (tables of version {}, this program has {}); name "
      "another file, or use that version",
      path, version < ResultsStore::kSchemaVersion ? "an unknown older" : "a newer", version,
      ResultsStore::kSchemaVersion));
}

/// The database with its tables as this version has them.
SQLite::Database open_with_tables(const std::string& path, int create) {
  SQLite::Database db(path, SQLite::OPEN_READWRITE | create, kWaitForOthersMs);
  if (create != 0 && is_new(db)) make_tables(db, path);
  check_tables(db, path);
  if (create != 0) choose_journal(db, path);  // a copy, or one that was written again
  // What version 2 has had from some day on.
  add_cpu_seconds(db);
  if (!db.tableExists("frames")) db.exec(kFramesSchema);
  if (!db.tableExists("set_aside_frames")) db.exec(kSetAsideSchema);
  db.exec("PRAGMA foreign_keys = ON");
  return db;
}

}  // namespace

InputError explained(const std::string& path, const SQLite::Exception& error) {
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB:
      return InputError(path + ": is not a results database");
    case SQLITE_CORRUPT:
      return InputError(path + ": the results database is damaged: " + error.what());
    case SQLITE_FULL:
      return InputError(path + ": cannot write results: the disk is full");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return InputError(path + ": another program has held the results database for a minute");
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return InputError(path + ": cannot write results: no permission to write");
    case SQLITE_IOERR:
      return InputError(path + ": cannot write results: " + error.what() +
                        (is_shared_by_machines(path)
                             ? " (disk or quota full, or a network file system without locks?)"
                             : " (disk or quota full?)"));
    case SQLITE_CANTOPEN:
      return InputError(path + ": cannot open the results database");
    default:
      return InputError(path + ": results database: " + error.what());
  }
}

FileIdentity file_identity(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

std::string write_again(SQLite::Database& db, const std::string& path) {
  const int runs = db.execAndGet("SELECT count(*) FROM runs").getInt();
  const std::string gone = path + ": was moved or deleted while runs were going on; ";
  if (file_identity(path) != FileIdentity{}) {
    throw InputError(gone + "another file stands there now, and what has ended since is lost");
  }
  try {
    make_folder_of(path);
    SQLite::Statement copy(db, "VACUUM INTO ?");
    copy.bind(1, path);
    copy.exec();
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}the {} runs that it held cannot be written there again: {}",
                                 gone, runs, error.what()));
  }
  return fmt::format(
      "{}the {} runs that it held were written there again. The same command goes "
      "on from here.",
      gone, runs);
}

SQLite::Database open_results(const std::string& path, ResultsStore::Mode mode) {
  if (mode == ResultsStore::Mode::create) {
    make_folder_of(path);
  } else if (std::error_code error; !fs::exists(path, error)) {
    throw InputError(path + ": there is no such results file");
  }
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(path + ": is a folder, not a results file");
  const int create = mode == ResultsStore::Mode::create ? SQLite::OPEN_CREATE : 0;
  try {
    return patiently([&] { return open_with_tables(path, create); });
  } catch (const SQLite::Exception& e) {
    throw explained(path, e);
  }
}

}  // namespace weir::experiment

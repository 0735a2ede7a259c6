#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/experiment/store/results_store.hpp"

namespace weir::experiment {

/// Opens the database of a ResultsStore, makes its tables where there are none and brings those of
/// older versions up to date. Throws InputError with the file's name.
SQLite::Database open_results(const std::string& path, ResultsStore::Mode mode);

/// What an SQLite error means to the user of `path`.
InputError explained(const std::string& path, const SQLite::Exception& error);

/// Which file a name stands for: device and number; zeros when there is none.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;
FileIdentity file_identity(const std::string& path);

/// Writes a database whose file has gone to where it was. Returns what to tell the user. Throws
/// InputError when another file stands there, or that cannot be done.
std::string write_again(SQLite::Database& db, const std::string& path);

/// One transaction, undone unless commit() was reached.
class WriteTransaction {
 public:
  explicit WriteTransaction(SQLite::Database& db) : db_(db) { db_.exec("BEGIN IMMEDIATE"); }
  WriteTransaction(const WriteTransaction&) = delete;
  WriteTransaction& operator=(const WriteTransaction&) = delete;
  ~WriteTransaction() {
    if (!done_) db_.tryExec("ROLLBACK");
  }
  void commit() {
    db_.exec("COMMIT");
    done_ = true;
  }

 private:
  SQLite::Database& db_;
  bool done_ = false;
};

/// Everything read until its end stands as at one moment, whatever other programs write.
class ReadTransaction {
 public:
  explicit ReadTransaction(SQLite::Database& db) : db_(db) { db_.exec("BEGIN"); }
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;
  ~ReadTransaction() { db_.tryExec("ROLLBACK"); }

 private:
  SQLite::Database& db_;
};

}  // namespace weir::experiment

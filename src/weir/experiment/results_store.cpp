#include "weir/experiment/results_store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/experiment/results_json.hpp"
#include "weir/experiment/results_schema.hpp"

namespace weir::experiment {

namespace {

namespace fs = std::filesystem;

constexpr int kWaitForOthersMs = 60'000;

/// What an SQLite error means to the user of `path`.
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
                        " (disk or quota full?)");
    case SQLITE_CANTOPEN:
      return InputError(path + ": cannot open the results database");
    default:
      return InputError(path + ": results database: " + error.what());
  }
}

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

bool is_new(SQLite::Database& db) {
  return pragma(db, "user_version") == 0 && pragma(db, "application_id") == 0 &&
         db.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

/// Another program may be making the tables at the same moment: only one of them does.
void make_tables(SQLite::Database& db) {
  db.exec("PRAGMA journal_mode = WAL");
  WriteTransaction transaction(db);
  if (!is_new(db)) return;
  db.exec(kResultsSchema);
  db.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
  db.exec(fmt::format("PRAGMA user_version = {}", ResultsStore::kSchemaVersion));
  transaction.commit();
}

/// Refuses a database that is not ours, or not of this version.
void check_tables(SQLite::Database& db, const std::string& path) {
  if (pragma(db, "application_id") != kApplicationId) {
    throw InputError(path + ": is an SQLite database, but not one with results of weir");
  }
  const int version = pragma(db, "user_version");
  if (version == ResultsStore::kSchemaVersion) return;
  throw InputError(fmt::format(
      "{}: holds results of {} version of weir (tables of version {}, this program has {}); name "
      "another file, or use that version",
      path, version < ResultsStore::kSchemaVersion ? "an older" : "a newer", version,
      ResultsStore::kSchemaVersion));
}

SQLite::Database open(const std::string& path, ResultsStore::Mode mode) {
  if (mode == ResultsStore::Mode::create) {
    make_folder_of(path);
  } else if (std::error_code error; !fs::exists(path, error)) {
    throw InputError(path + ": there is no such results file");
  }
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(path + ": is a folder, not a results file");
  const int create = mode == ResultsStore::Mode::create ? SQLite::OPEN_CREATE : 0;
  try {
    SQLite::Database db(path, SQLite::OPEN_READWRITE | create, kWaitForOthersMs);
    if (create != 0 && is_new(db)) make_tables(db);
    check_tables(db, path);
    db.exec("PRAGMA synchronous = NORMAL");
    db.exec("PRAGMA foreign_keys = ON");
    return db;
  } catch (const SQLite::Exception& e) {
    throw explained(path, e);
  }
}

}  // namespace

struct ResultsStore::Connection {
  Connection(const std::string& path, Mode mode) : db(open(path, mode)) {}

  SQLite::Database db;
  std::mutex mutex;
};

namespace {

/// A statement that is run once a row.
class Insert {
 public:
  Insert(SQLite::Database& db, const char* sql) : statement_(db, sql) {}

  template <class... Values>
  void row(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
    statement_.exec();
    statement_.reset();
  }

 private:
  void bind(int index, double value) {
    if (std::isnan(value)) {
      statement_.bind(index);
    } else {
      statement_.bind(index, value);
    }
  }
  template <class Value>
  void bind(int index, const Value& value) {
    statement_.bind(index, value);
  }

  SQLite::Statement statement_;
};

void write_numbers(SQLite::Database& db, std::int64_t run, const metrics::RunResult& result) {
  Insert scalars(db, "INSERT INTO scalars VALUES (?, ?, ?, ?, ?)");
  for (const metrics::Scalar& s : result.scalars) {
    scalars.row(run, s.name.metric, s.name.label, s.value,
                metrics::metric_kind(s.name.metric).unit);
  }
  Insert series(db, "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const metrics::Series& s : result.series) {
    series.row(run, s.name.metric, s.name.label, metrics::metric_kind(s.name.metric).unit,
               s.start.count, s.bin.count, to_json(s.values));
  }
  Insert histograms(db, "INSERT INTO histograms VALUES (?, ?, ?, ?)");
  for (const metrics::NamedHistogram& h : result.histograms) {
    histograms.row(run, h.name.metric, h.name.label, to_json(h.histogram));
  }
}

void write_network(SQLite::Database& db, std::int64_t run, const metrics::RunResult& result) {
  Insert links(db, "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const metrics::LinkSummary& l : result.links) {
    links.row(run, l.name, l.group, l.utilization, l.wait, l.bytes, l.packets, l.queued_max);
  }
  Insert trees(db, "INSERT INTO trees VALUES (?, ?, ?, ?, ?, ?)");
  for (const metrics::TreeRecord& t : result.trees) {
    trees.row(run, t.at.count, t.root, t.depth, branches_to_json(t), to_json(t.leaves));
  }
}

std::vector<std::string> flat(const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::vector<std::string> out;
  for (const auto& [key, value] : parameters) {
    out.push_back(key);
    out.push_back(value);
  }
  return out;
}

constexpr const char* kSameRun =
    " FROM runs WHERE experiment = ? AND case_name = ? AND configuration_hash = ? AND seed = ? AND "
    "version = ?";

void bind_key(SQLite::Statement& statement, const RunRecord& run) {
  statement.bind(1, run.experiment);
  statement.bind(2, run.case_name);
  statement.bind(3, run.configuration_hash);
  statement.bind(4, static_cast<std::int64_t>(run.seed));
  statement.bind(5, run.version);
}

/// Runs `work`, with SQLite's errors told as the user's.
template <class Work>
auto guarded(const std::string& path, std::mutex& mutex, Work work) {
  const std::scoped_lock lock(mutex);
  try {
    return work();
  } catch (const SQLite::Exception& e) {
    throw explained(path, e);
  } catch (const nlohmann::json::exception& e) {
    throw InputError(path + ": the results database is damaged: " + e.what());
  }
}

}  // namespace

ResultsStore::ResultsStore(std::string path, Mode mode)
    : path_(std::move(path)), connection_(std::make_unique<Connection>(path_, mode)) {}

ResultsStore::~ResultsStore() = default;

std::int64_t ResultsStore::write(const RunRecord& run) {
  SQLite::Database& db = connection_->db;
  return guarded(path_, connection_->mutex, [&] {
    WriteTransaction transaction(db);
    SQLite::Statement remove(db, std::string("DELETE") + kSameRun);
    bind_key(remove, run);
    remove.exec();
    Insert runs(db, "INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    runs.row(run.experiment, run.case_name, to_json(flat(run.parameters)), run.configuration,
             run.configuration_hash, static_cast<std::int64_t>(run.seed), run.version, run.status,
             run.error, run.host, run.started, run.finished,
             fmt::format("{:016x}", run.result.fingerprint), to_json(run.result.notes));
    const std::int64_t id = db.getLastInsertRowid();
    write_numbers(db, id, run.result);
    write_network(db, id, run.result);
    transaction.commit();
    return id;
  });
}

bool ResultsStore::is_done(const RunRecord& run) const {
  return guarded(path_, connection_->mutex, [&] {
    SQLite::Statement query(connection_->db,
                            std::string("SELECT count(*)") + kSameRun + " AND status = 'done'");
    bind_key(query, run);
    query.executeStep();
    return query.getColumn(0).getInt() > 0;
  });
}

std::vector<RunRecord> ResultsStore::list() const {
  return guarded(path_, connection_->mutex, [&] {
    std::vector<RunRecord> runs;
    SQLite::Statement query(
        connection_->db,
        "SELECT id, experiment, case_name, parameters, configuration, "
        "configuration_hash, seed, version, status, error, host, started, finished, "
        "fingerprint, notes FROM runs ORDER BY id");
    while (query.executeStep()) {
      const auto text = [&](int column) { return query.getColumn(column).getString(); };
      RunRecord run;
      run.id = query.getColumn(0).getInt64();
      run.experiment = text(1);
      run.case_name = text(2);
      const std::vector<std::string> parameters = texts_from_json(text(3));
      for (std::size_t i = 0; i + 1 < parameters.size(); i += 2) {
        run.parameters.emplace_back(parameters[i], parameters[i + 1]);
      }
      run.configuration = text(4);
      run.configuration_hash = text(5);
      run.seed = static_cast<std::uint64_t>(query.getColumn(6).getInt64());
      run.version = text(7);
      run.status = text(8);
      run.error = text(9);
      run.host = text(10);
      run.started = text(11);
      run.finished = text(12);
      run.result.fingerprint = std::stoull(text(13), nullptr, 16);
      run.result.notes = texts_from_json(text(14));
      runs.push_back(std::move(run));
    }
    return runs;
  });
}

namespace {

/// Rows of `table` that belong to a run, in the order of its key.
template <class Row>
void each_row(SQLite::Database& db, const char* columns, const char* table, std::int64_t run,
              Row row) {
  SQLite::Statement query(db, fmt::format("SELECT {} FROM {} WHERE run = ?", columns, table));
  query.bind(1, run);
  while (query.executeStep()) row(query);
}

metrics::MetricName name_in(SQLite::Statement& row) {
  return {row.getColumn(0).getString(), row.getColumn(1).getString()};
}

void read_numbers(SQLite::Database& db, std::int64_t run, const ResultParts& parts,
                  metrics::RunResult& out) {
  each_row(db, "metric, label, value", "scalars", run, [&](SQLite::Statement& row) {
    const SQLite::Column value = row.getColumn(2);
    out.scalars.push_back({name_in(row), value.isNull() ? std::nan("") : value.getDouble()});
  });
  if (parts.series) {
    each_row(db, "metric, label, start, bin, data", "series", run, [&](SQLite::Statement& row) {
      out.series.push_back({name_in(row), Time(row.getColumn(2).getInt64()),
                            Time(row.getColumn(3).getInt64()),
                            numbers_from_json(row.getColumn(4).getString())});
    });
  }
  if (parts.histograms) {
    each_row(db, "metric, label, data", "histograms", run, [&](SQLite::Statement& row) {
      out.histograms.push_back({name_in(row), histogram_from_json(row.getColumn(2).getString())});
    });
  }
}

void read_network(SQLite::Database& db, std::int64_t run, const ResultParts& parts,
                  metrics::RunResult& out) {
  if (parts.links) {
    each_row(db, "port, link_group, utilization, wait, bytes, packets, queued_max", "links", run,
             [&](SQLite::Statement& row) {
               out.links.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(),
                                    row.getColumn(2).getDouble(), row.getColumn(3).getDouble(),
                                    row.getColumn(4).getInt64(), row.getColumn(5).getInt64(),
                                    row.getColumn(6).getInt64()});
             });
  }
  if (parts.trees) {
    each_row(db, "at, root, depth, branches, leaves", "trees", run, [&](SQLite::Statement& row) {
      metrics::TreeRecord tree;
      tree.at = Time(row.getColumn(0).getInt64());
      tree.root = row.getColumn(1).getString();
      tree.depth = row.getColumn(2).getInt();
      branches_from_json(row.getColumn(3).getString(), tree);
      tree.leaves = texts_from_json(row.getColumn(4).getString());
      out.trees.push_back(std::move(tree));
    });
  }
}

}  // namespace

void ResultsStore::read_result(RunRecord& run, const ResultParts& parts) const {
  guarded(path_, connection_->mutex, [&] {
    metrics::RunResult result;
    result.notes = run.result.notes;
    result.fingerprint = run.result.fingerprint;
    read_numbers(connection_->db, run.id, parts, result);
    read_network(connection_->db, run.id, parts, result);
    run.result = std::move(result);
    return 0;
  });
}

std::vector<RunRecord> ResultsStore::read_all(const ResultParts& parts) const {
  std::vector<RunRecord> runs = list();
  for (RunRecord& run : runs) read_result(run, parts);
  return runs;
}

}  // namespace weir::experiment

#include "weir/experiment/store/results_store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/experiment/store/campaign_rows.hpp"
#include "weir/experiment/store/results_database.hpp"
#include "weir/experiment/store/results_json.hpp"
#include "weir/experiment/store/results_rows.hpp"

namespace weir::experiment {

struct ResultsStore::Connection {
  Connection(const std::string& path, Mode mode)
      : db(open_results(path, mode)), file(file_identity(path)) {}

  SQLite::Database db;
  FileIdentity file;
  std::mutex mutex;
};

namespace {

std::vector<std::string> flat(const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::vector<std::string> out;
  for (const auto& [key, value] : parameters) {
    out.push_back(key);
    out.push_back(value);
  }
  return out;
}

constexpr const char* kOfSameRun =
    " WHERE experiment = ?1 AND case_name = ?2 AND configuration_hash = ?3 AND seed = ?4 AND "
    "version = ?5";

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

std::int64_t ResultsStore::write(const RunRecord& run, Existing existing) {
  SQLite::Database& db = connection_->db;
  const std::int64_t written = guarded(path_, connection_->mutex, [&] {
    WriteTransaction transaction(db);
    if (existing == Existing::keep) {
      const std::optional<RunRecord> there = run_like(run);
      if (there && there->status == "done") return there->id;
    }
    SQLite::Statement remove(db, std::string("DELETE FROM runs") + kOfSameRun);
    bind_key(remove, run);
    remove.exec();
    Insert runs(db,
                "INSERT INTO runs (experiment, case_name, place, parameters, configuration, "
                "configuration_hash, seed, version, status, error, fingerprint, notes, host, "
                "started, finished, wall_seconds, cpu_seconds) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    runs.row(run.experiment, run.case_name, run.place, to_json(flat(run.parameters)),
             run.configuration, run.configuration_hash, static_cast<std::int64_t>(run.seed),
             run.version, run.status, run.error, fmt::format("{:016x}", run.result.fingerprint),
             to_json(run.result.notes), run.host, run.started, run.finished,
             run.result.wall_seconds, run.result.cpu_seconds);
    const std::int64_t id = db.getLastInsertRowid();
    write_numbers(db, id, run.result);
    write_network(db, id, run.result);
    transaction.commit();
    return id;
  });
  ensure_in_place();
  return written;
}

void ResultsStore::ensure_in_place() {
  guarded(path_, connection_->mutex, [&] {
    if (file_identity(path_) == connection_->file) return 0;
    const std::string message = write_again(connection_->db, path_);
    connection_->db = open_results(path_, Mode::existing);
    connection_->file = file_identity(path_);
    throw InputError(message);
  });
}

void ResultsStore::tell(const CampaignState& state, bool is_first) {
  guarded(path_, connection_->mutex, [&] {
    WriteTransaction transaction(connection_->db);
    write_campaign(connection_->db, state, is_first);
    transaction.commit();
    return 0;
  });
}

std::vector<CampaignState> ResultsStore::campaigns() const {
  return guarded(path_, connection_->mutex, [&] { return read_campaigns(connection_->db); });
}

bool ResultsStore::is_done(const RunRecord& run) const {
  return guarded(path_, connection_->mutex, [&] {
    SQLite::Statement query(connection_->db, std::string("SELECT count(*) FROM runs") + kOfSameRun +
                                                 " AND status = 'done'");
    bind_key(query, run);
    query.executeStep();
    return query.getColumn(0).getInt() > 0;
  });
}

bool ResultsStore::replan(const RunRecord& run) {
  SQLite::Database& db = connection_->db;
  return guarded(path_, connection_->mutex, [&] {
    WriteTransaction transaction(db);
    SQLite::Statement update(db, std::string("UPDATE runs SET place = ?6, parameters = ?7, ") +
                                     "configuration = ?8" + kOfSameRun);
    bind_key(update, run);
    update.bind(6, run.place);
    update.bind(7, to_json(flat(run.parameters)));
    update.bind(8, run.configuration);
    const bool is_there = update.exec() > 0;
    transaction.commit();
    return is_there;
  });
}

std::vector<RunRecord> ResultsStore::all_runs() const {
  std::vector<RunRecord> runs;
  SQLite::Statement query(connection_->db,
                          fmt::format("SELECT {} FROM runs ORDER BY experiment, place, case_name, "
                                      "configuration_hash, seed, version",
                                      kRunColumns));
  while (query.executeStep()) runs.push_back(record_in(query));
  return runs;
}

std::optional<RunRecord> ResultsStore::run_like(const RunRecord& run) const {
  SQLite::Statement query(connection_->db,
                          fmt::format("SELECT {} FROM runs{}", kRunColumns, kOfSameRun));
  bind_key(query, run);
  return query.executeStep() ? std::optional(record_in(query)) : std::nullopt;
}

void ResultsStore::fill_result(RunRecord& run, const ResultParts& parts) const {
  metrics::RunResult result;
  result.notes = run.result.notes;
  result.fingerprint = run.result.fingerprint;
  result.wall_seconds = run.result.wall_seconds;
  result.cpu_seconds = run.result.cpu_seconds;
  read_numbers(connection_->db, run.id, parts, result);
  read_network(connection_->db, run.id, parts, result);
  run.result = std::move(result);
}

std::vector<RunRecord> ResultsStore::list() const {
  return guarded(path_, connection_->mutex, [&] { return all_runs(); });
}

std::optional<RunRecord> ResultsStore::find(const RunRecord& run) const {
  return guarded(path_, connection_->mutex, [&] { return run_like(run); });
}

void ResultsStore::read_result(RunRecord& run, const ResultParts& parts) const {
  guarded(path_, connection_->mutex, [&] {
    fill_result(run, parts);
    return 0;
  });
}

std::optional<RunRecord> ResultsStore::read(const RunRecord& run, const ResultParts& parts) const {
  return guarded(path_, connection_->mutex, [&] {
    const ReadTransaction one_moment(connection_->db);
    std::optional<RunRecord> found = run_like(run);
    if (found) fill_result(*found, parts);
    return found;
  });
}

std::vector<RunRecord> ResultsStore::read_all(const ResultParts& parts) const {
  return guarded(path_, connection_->mutex, [&] {
    const ReadTransaction one_moment(connection_->db);
    std::vector<RunRecord> runs = all_runs();
    for (RunRecord& run : runs) fill_result(run, parts);
    return runs;
  });
}

}  // namespace weir::experiment

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weir/base/metric_registry.hpp"
#include "weir/experiment/store/campaign_state.hpp"
#include "weir/experiment/store/results_record.hpp"

namespace weir::experiment {

/// Which parts of a run's result are read.
struct ResultParts {
  bool series = true;
  bool histograms = true;
  bool links = true;
  bool trees = true;
  bool frames = false;
  bool events = false;  ///< RunResult::set_aside_events; set-aside trees come with `trees`
  /// Only these series, of a metric without a label all. They take most of the memory of many runs.
  std::optional<std::set<MetricName>> series_of = std::nullopt;

  [[nodiscard]] bool has_series(const MetricName& name) const {
    return series && (!series_of || series_of->contains(name) ||
                      series_of->contains(MetricName{name.metric, ""}));
  }
};

/// An SQLite database of runs (WAL, so that readers and one writer do not disturb each other). A
/// run is written in one transaction: it is there whole or not at all. Lists are JSON text, so that
/// the tables can be read with SQL alone: SELECT value FROM series, json_each(series.data).
///
/// A run is known by (experiment, case, configuration hash, seed, version) and is there once. Every
/// member may be called from several threads, and several programs may use one file. Tables of an
/// older version are brought up to date when the file is opened. InputError with the file's name:
/// no database, not weir's, of a newer version, not writable, disk full, held by another program
/// for a minute.
class ResultsStore {
 public:
  /// Version of the tables. Raised with every change of them.
  static constexpr int kSchemaVersion = 2;

  enum class Mode : std::uint8_t {
    create,    ///< the file is made when it is not there, and folders on the way to it
    existing,  ///< the file must be there
  };

  ResultsStore(std::string path, Mode mode);
  ResultsStore(const ResultsStore&) = delete;
  ResultsStore& operator=(const ResultsStore&) = delete;
  ~ResultsStore();

  /// What becomes of a run that is there with status "done" when it is written again.
  enum class Existing : std::uint8_t {
    replace,
    keep,  ///< another program was faster; its record, which others may be reading, stays
  };

  /// Writes a run, finished or failed. Returns its id.
  std::int64_t write(const RunRecord& run, Existing existing = Existing::replace);
  /// True when a run with the same experiment, case, hash, seed and version is there with status
  /// "done".
  [[nodiscard]] bool is_done(const RunRecord& run) const;

  /// Gives the run that is there its place, parameters and configuration in a new plan: names and
  /// figures may have changed. False when it is not there.
  bool replan(const RunRecord& run);
  /// The same run as it was written: everything but the results.
  [[nodiscard]] std::optional<RunRecord> find(const RunRecord& run) const;

  /// All runs, by experiment and place in its plan, whatever finished first: everything but the
  /// results.
  [[nodiscard]] std::vector<RunRecord> list() const;
  /// The same run with its scalars and the parts asked for, as they were at one moment.
  [[nodiscard]] std::optional<RunRecord> read(const RunRecord& run, const ResultParts& parts) const;
  /// All runs with their scalars and the parts asked for, as they were at one moment.
  [[nodiscard]] std::vector<RunRecord> read_all(const ResultParts& parts) const;
  /// Fills in the result of a run that list() or find() gave.
  void read_result(RunRecord& run, const ResultParts& parts) const;

  /// Says what this program is doing, for others that look on. `is_first`: for the first time.
  void tell(const CampaignState& state, bool is_first);
  /// What programs that bring runs here have said last, those that are over among them.
  [[nodiscard]] std::vector<CampaignState> campaigns() const;

  /// Throws InputError when the file is no longer where it was: someone deleted or moved it, or its
  /// folder. What it held is then written there again, so that nothing is lost; write() asks by
  /// itself.
  void ensure_in_place();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Connection;

  [[nodiscard]] std::vector<RunRecord> all_runs() const;
  [[nodiscard]] std::optional<RunRecord> run_like(const RunRecord& run) const;
  void fill_result(RunRecord& run, const ResultParts& parts) const;

  std::string path_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace weir::experiment

#include "weir/experiment/store/merge.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "weir/base/problems.hpp"
#include "weir/experiment/store/results_database.hpp"
#include "weir/experiment/store/run_difference.hpp"

namespace weir::experiment {
namespace {

using Key = std::tuple<std::string, std::string, std::string, std::uint64_t, std::string>;

Key key_of(const RunRecord& run) {
  return {run.experiment, run.case_name, run.configuration_hash, run.seed, run.version};
}

bool is_done(const RunRecord& run) { return run.status == "done"; }

std::string name_of_run(const RunRecord& run) {
  return fmt::format("{}{} with seed {}", run.experiment,
                     run.case_name.empty() ? "" : ", case '" + run.case_name + "'", run.seed);
}

/// A database that is read, beside the store that writes into `out`.
struct Source {
  explicit Source(const std::string& path)
      : store(path, ResultsStore::Mode::existing),
        rows(open_results(path, ResultsStore::Mode::existing)) {}

  ResultsStore store;
  SQLite::Database rows;
};

/// Where the record is that will be kept.
struct Kept {
  std::size_t source = 0;  ///< 0: it is in `out` already
  RunRecord run;
};

class Merge {
 public:
  Merge(ResultsStore& out, const std::vector<std::string>& from) : out_(out) {
    sources_.push_back(std::make_unique<Source>(out.path()));
    for (const std::string& path : from) sources_.push_back(std::make_unique<Source>(path));
  }

  MergeReport run() {
    for (RunRecord& run : sources_[0]->store.list()) {
      Key key = key_of(run);
      kept_.emplace(std::move(key), Kept{0, std::move(run)});
    }
    Problems problems;
    for (std::size_t s = 1; s < sources_.size(); ++s) {
      for (const RunRecord& run : sources_[s]->store.list())
        problems.attempt([&] { consider(s, run); });
    }
    problems.raise();
    copy();
    return report_;
  }

 private:
  void consider(std::size_t source, const RunRecord& run) {
    const auto [there, is_new] = kept_.emplace(key_of(run), Kept{source, run});
    if (is_new) {
      ++report_.added;
      return;
    }
    Kept& kept = there->second;
    if (is_done(run) && !is_done(kept.run)) {
      if (kept.source == 0) ++report_.completed;
      kept = {source, run};
      return;
    }
    ++report_.same;
    if (is_done(run)) refuse_difference(source, run, kept);
  }

  void refuse_difference(std::size_t source, const RunRecord& run, const Kept& kept) {
    std::string what;
    if (run.result.fingerprint != kept.run.result.fingerprint) {
      what = fmt::format("fingerprint is {:016x} and {:016x}", kept.run.result.fingerprint,
                         run.result.fingerprint);
    } else {
      what =
          run_difference(sources_[kept.source]->rows, kept.run.id, sources_[source]->rows, run.id);
    }
    if (what.empty()) return;
    throw InputError(fmt::format("{} is not the same in {} and {}: {}", name_of_run(run),
                                 sources_[kept.source]->store.path(),
                                 sources_[source]->store.path(), what));
  }

  void copy() {
    const ResultParts kAll{true, true, true, true, true, true};
    for (auto& [key, kept] : kept_) {
      if (kept.source == 0) continue;
      sources_[kept.source]->store.read_result(kept.run, kAll);
      out_.write(kept.run, ResultsStore::Existing::keep);
      kept.run.result = {};
    }
  }

  ResultsStore& out_;
  std::vector<std::unique_ptr<Source>> sources_;  ///< the first is `out`
  std::map<Key, Kept> kept_;
  MergeReport report_;
};

}  // namespace

MergeReport merge_results(ResultsStore& out, const std::vector<std::string>& from) {
  try {
    return Merge(out, from).run();
  } catch (const SQLite::Exception& error) {
    throw explained(out.path(), error);
  }
}

}  // namespace weir::experiment

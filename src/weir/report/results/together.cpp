#include "weir/report/results/together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "weir/base/error.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/results/results_writer.hpp"

namespace weir::report {
namespace {

namespace fs = std::filesystem;
using experiment::ResultParts;
using experiment::ResultsStore;
using experiment::RunRecord;

constexpr const char* kResultsKey = "results";
constexpr std::size_t kMostDifferences = 12;

/// The last `parts` parts of a path.
std::string end_of(const fs::path& path, std::size_t parts) {
  std::vector<std::string> all;
  for (const fs::path& part : path) all.push_back(part.string());
  fs::path end;
  for (std::size_t i = all.size() - std::min(parts, all.size()); i < all.size(); ++i) end /= all[i];
  return end.string();
}

std::vector<std::string> shortest_names(const std::vector<fs::path>& folders) {
  for (std::size_t parts = 1;; ++parts) {
    std::vector<std::string> names;
    for (const fs::path& folder : folders) names.push_back(end_of(folder, parts));
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  }
}

/// What a run is but for its results folder and seed.
using CaseOfFolder = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>;

std::map<CaseOfFolder, RunRecord> cases_of(const ResultsStore& store) {
  std::map<CaseOfFolder, RunRecord> cases;
  for (RunRecord& run : latest_runs(store.list())) {
    CaseOfFolder key{run.case_name, run.parameters};
    std::erase_if(key.second, [](const auto& one) { return one.first == "experiment.seed"; });
    cases.try_emplace(std::move(key), std::move(run));
  }
  return cases;
}

/// The settings of a run that change what is measured, as TOML.
std::map<std::string, std::string> settings_of(const RunRecord& run, const std::string& path) {
  std::map<std::string, std::string> settings;
  for (const experiment::KeyedValue& one :
       experiment::flattened(experiment::parse_stored_experiment(run.configuration, path))) {
    const bool counts = !one.key.starts_with("results.") && !one.key.starts_with("plot") &&
                        one.key != "experiment.name" && one.key != "experiment.title" &&
                        one.key != "experiment.description" && one.key != "experiment.seed";
    if (counts) settings.emplace(one.key, to_toml(one.value));
  }
  return settings;
}

std::string value_in(const std::map<std::string, std::string>& settings, const std::string& key) {
  const auto found = settings.find(key);
  return found == settings.end() ? "not set" : found->second;
}

/// (key, value in the first, value in the other) of what differs.
std::set<std::tuple<std::string, std::string, std::string>> changes(
    const std::map<std::string, std::string>& first,
    const std::map<std::string, std::string>& other) {
  std::set<std::tuple<std::string, std::string, std::string>> out;
  for (const auto* one : {&first, &other}) {
    for (const auto& [key, value] : *one) {
      const std::string before = value_in(first, key);
      const std::string after = value_in(other, key);
      if (before != after) out.emplace(key, before, after);
    }
  }
  return out;
}

std::string shortened(const std::string& value) {
  constexpr std::size_t kMost = 60;
  return value.size() <= kMost ? value : value.substr(0, kMost) + "...";
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  const std::vector<std::string> some(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, names.size())));
  const std::string more =
      names.size() > kMost ? fmt::format(" and {} more", names.size() - kMost) : "";
  return fmt::format("{}{}", fmt::join(some, "; "), more);
}

std::string name_of_case(const CaseOfFolder& one) {
  std::string name = one.first;
  for (const auto& [key, value] : one.second)
    name += fmt::format("{}{} = {}", name.empty() ? "" : ", ", key, value);
  return name.empty() ? "the run" : name;
}

/// Cases with the same values in both are told together.
class SettingsComparison {
 public:
  SettingsComparison(const ResultsStore& first, const ResultsStore& other)
      : first_(cases_of(first)), other_(cases_of(other)) {
    for (const auto& [key, run] : first_) {
      const auto found = other_.find(key);
      if (found == other_.end()) {
        only_first_.push_back(name_of_case(key));
        continue;
      }
      ++common_;
      for (const auto& change :
           changes(settings_of(run, first.path()), settings_of(found->second, other.path())))
        changed_[change].push_back(name_of_case(key));
      if (run.version != found->second.version)
        changed_[{"version of weir", run.version, found->second.version}].push_back(
            name_of_case(key));
    }
    for (const auto& [key, run] : other_)
      if (first_.count(key) == 0) only_other_.push_back(name_of_case(key));
  }

  [[nodiscard]] std::vector<std::string> sentences(const std::string& first,
                                                   const std::string& other) const {
    std::vector<std::string> out;
    for (const auto& [change, cases] : changed_) {
      const auto& [key, before, after] = change;
      const std::string where =
          cases.size() == common_ ? "" : fmt::format(", for {}", listed(cases));
      out.push_back(fmt::format("{} is {} in {} and {} in {}{}", key, shortened(before), first,
                                shortened(after), other, where));
    }
    if (out.size() > kMostDifferences) {
      const std::size_t more = out.size() - kMostDifferences;
      out.resize(kMostDifferences);
      out.push_back(fmt::format("{} more settings differ between {} and {}", more, first, other));
    }
    if (!only_first_.empty())
      out.push_back(fmt::format("only {} has {}", first, listed(only_first_)));
    if (!only_other_.empty())
      out.push_back(fmt::format("only {} has {}", other, listed(only_other_)));
    if (out.empty()) out.push_back(fmt::format("{} and {} have the same settings", first, other));
    return out;
  }

 private:
  std::map<CaseOfFolder, RunRecord> first_;
  std::map<CaseOfFolder, RunRecord> other_;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> changed_;
  std::vector<std::string> only_first_;
  std::vector<std::string> only_other_;
  std::size_t common_ = 0;
};

}  // namespace

ResultsTogether::ResultsTogether(const std::vector<std::string>& paths) {
  std::vector<fs::path> folders;
  for (const std::string& path : paths) {
    stores_.push_back(
        std::make_unique<ResultsStore>(results_file(path), ResultsStore::Mode::existing));
    const fs::path file = fs::canonical(stores_.back()->path());
    const fs::path folder = file.filename() == "results.sqlite" ? file.parent_path() : file;
    if (std::find(folders.begin(), folders.end(), folder) != folders.end())
      throw InputError(fmt::format("'{}' is named twice", path));
    folders.push_back(folder);
  }
  names_ = shortest_names(folders);
}

std::string ResultsTogether::folder() const {
  if (stores_.size() > 1) return ".";
  const std::string folder = fs::path(stores_.front()->path()).parent_path().string();
  return folder.empty() ? "." : folder;
}

namespace {

/// Runs of several folders as those of one experiment.
class JoinedRuns {
 public:
  void add(std::vector<RunRecord> runs, const std::string& name, std::size_t store) {
    for (RunRecord& run : latest_runs(std::move(runs))) {
      origins_.emplace_back(store, run.id);
      run.id = static_cast<std::int64_t>(origins_.size());
      run.parameters.insert(run.parameters.begin(), {kResultsKey, name});
      runs_.push_back(std::move(run));
    }
  }
  std::vector<RunRecord> runs() {
    const auto last =
        std::max_element(runs_.begin(), runs_.end(),
                         [](const auto& a, const auto& b) { return a.finished < b.finished; });
    if (last == runs_.end()) return {};
    const std::string experiment = last->experiment;
    for (RunRecord& run : runs_) run.experiment = experiment;
    return std::move(runs_);
  }
  /// (folder, id there) of each, by id less one.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::int64_t>> origins() const {
    return origins_;
  }

 private:
  std::vector<RunRecord> runs_;
  std::vector<std::pair<std::size_t, std::int64_t>> origins_;
};

}  // namespace

std::vector<RunRecord> ResultsTogether::read_all(const ResultParts& parts) const {
  if (stores_.size() == 1) return stores_.front()->read_all(parts);
  JoinedRuns joined;
  for (std::size_t i = 0; i < stores_.size(); ++i)
    joined.add(stores_[i]->read_all(parts), names_[i], i);
  return joined.runs();
}

PageRuns ResultsTogether::page_runs() const {
  if (stores_.size() == 1) return report::page_runs(*stores_.front());
  JoinedRuns joined;
  for (std::size_t i = 0; i < stores_.size(); ++i)
    joined.add(stores_[i]->read_all({false, false, false, false}), names_[i], i);
  return {joined.runs(),
          [this, origins = joined.origins()](RunRecord& run, const ResultParts& parts) {
            const std::int64_t id = run.id;
            const auto& [store, there] = origins.at(static_cast<std::size_t>(id) - 1);
            run.id = there;
            stores_[store]->read_result(run, parts);
            run.id = id;
          }};
}

std::vector<std::string> ResultsTogether::differences() const {
  std::vector<std::string> all;
  for (std::size_t i = 1; i < stores_.size(); ++i) {
    const std::vector<std::string> one =
        SettingsComparison(*stores_.front(), *stores_[i]).sentences(names_.front(), names_[i]);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace weir::report

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/error.hpp"
#include "weir/base/version.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/report/page/builder.hpp"
#include "weir/report/page/figures.hpp"
#include "weir/report/table/summary.hpp"

namespace weir::report {

using experiment::Configuration;
using experiment::RunRecord;
using nlohmann::json;

namespace {

std::string text_at(const Configuration& configuration, std::string_view key) {
  const ConfigValue* value = experiment::find_value(configuration.resolved, key);
  return value != nullptr && value->is_text() ? value->text() : "";
}

json columns_of(const std::optional<Configuration>& configuration,
                const std::vector<RunRecord>& runs) {
  json columns = json::array();
  if (configuration && configuration->results->columns) {
    for (const std::string& name : *configuration->results->columns) columns.push_back(name);
    return columns;
  }
  for (const auto& name : default_columns(runs)) columns.push_back(to_string(name));
  return columns;
}

}  // namespace

std::optional<Configuration> configuration_of(const RunRecord& run) {
  try {
    return experiment::resolve(
        experiment::parse_stored_experiment(run.configuration, "the results"));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

json page_head(const std::vector<RunRecord>& runs, const PageOptions& options,
               const RunReader& read) {
  std::optional<Configuration> last;
  for (auto run = runs.rbegin(); run != runs.rend() && !last; ++run) last = configuration_of(*run);
  const std::string name = last ? last->name : runs.back().experiment;
  std::string title = options.title;
  if (title.empty() && last) title = last->title;
  PageFigures figures = last ? page_figures(*last, runs, read) : PageFigures{};
  return {{"format", 1},
          {"title", title.empty() ? name : title},
          {"name", name},
          {"description", last ? text_at(*last, "experiment.description") : ""},
          {"weir", version()},
          {"provenance", {{"generated", experiment::utc_now()}, {"results", options.results}}},
          {"columns", columns_of(last, runs)},
          {"figures", std::move(figures.asked)},
          {"drawn", std::move(figures.drawn)},
          {"look", page_look()}};
}

namespace {

bool is_called(const RunRecord& run, const std::string& name) {
  return name == run.case_name || name == label_of(run) || name == std::to_string(run.id);
}

/// "a,b" names two runs, unless one is called so.
std::vector<std::string> split(const std::vector<RunRecord>& runs, const std::string& name) {
  const auto is_it = [&](const RunRecord& run) { return is_called(run, name); };
  if (std::any_of(runs.begin(), runs.end(), is_it)) return {name};
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t comma = std::min(name.find(',', at), name.size());
    const std::size_t first = std::min(name.find_first_not_of(' ', at), comma);
    parts.push_back(name.substr(first, comma - first));
    at = comma + 1;
  }
  return parts;
}

InputError no_such_run(const std::vector<RunRecord>& runs, const std::string& name) {
  std::vector<std::string> known;
  for (const RunRecord& run : runs) known.insert(known.end(), {run.case_name, label_of(run)});
  return InputError(fmt::format("--runs: no run is called '{}'{}", name, suggestion(name, known)));
}

}  // namespace

std::vector<RunRecord> selected(const std::vector<RunRecord>& runs,
                                const std::vector<std::string>& names) {
  if (runs.empty()) throw InputError("there are no runs to report on");
  if (names.empty()) return runs;
  std::vector<bool> is_named(runs.size(), false);
  for (const std::string& given : names) {
    for (const std::string& name : split(runs, given)) {
      bool found = false;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!is_called(runs[i], name)) continue;
        is_named[i] = found = true;
      }
      if (!found) throw no_such_run(runs, name);
    }
  }
  std::vector<RunRecord> chosen;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (is_named[i]) chosen.push_back(runs[i]);
  }
  return chosen;
}

}  // namespace weir::report

#include "weir/report/table/summary.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weir/report/table/text_table.hpp"

namespace weir::report {

using experiment::RunRecord;

namespace {

/// What a summary shows when it is there, in order: of runs with hot and cold traffic, and of
/// others.
const std::vector<MetricName>& candidates(bool by_class) {
  static const std::vector<MetricName> plain{
      {"saturation_load", ""}, {"efficiency", ""},  {"throughput", ""},
      {"latency_mean", ""},    {"latency_p99", ""}, {"slowdown_p50", ""},
      {"slowdown_p99", ""},    {"fairness", ""},    {"completion_time", ""},
      {"out_of_order", ""},    {"tree_ports", ""},  {"set_aside_queues_max", ""}};
  static const std::vector<MetricName> classes{
      {"saturation_load", ""},    {"efficiency", ""},          {"throughput", "hot"},
      {"throughput", "cold"},     {"latency_mean", "cold"},    {"latency_p99", "cold"},
      {"latency_p99", "victim"},  {"behind_hot_mean", "cold"}, {"slowdown_p99", "cold"},
      {"slowdown_p99", "victim"}, {"completion_time", ""},     {"out_of_order", ""},
      {"tree_ports", ""},         {"set_aside_queues_max", ""}};
  return by_class ? classes : plain;
}

/// The same of networks that were measured without simulating.
const std::vector<MetricName>& network_candidates() {
  static const std::vector<MetricName> names{{"hosts", ""},
                                             {"switches", ""},
                                             {"cables", ""},
                                             {"diameter", ""},
                                             {"paths_max", ""},
                                             {"link_routes_max", "up"},
                                             {"link_routes_max", "switch"},
                                             {"link_destinations_max", "down"},
                                             {"zero_load_latency_max", ""}};
  return names;
}

/// The same of queueing models.
const std::vector<MetricName>& queue_candidates() {
  static const std::vector<MetricName> names{
      {"queue_length", ""},           {"queue_length", "1"},
      {"queue_length", "2"},          {"blocking_probability", ""},
      {"queue_throughput", ""},       {"response_time", ""},
      {"busy_probability", ""},       {"credit_stall", ""},
      {"simulated_queue_length", ""}, {"error_measure", "queue_length"}};
  return names;
}

/// The workload ended by itself: everything that was generated was delivered.
bool is_complete(const RunRecord& run) {
  const double* generated = run.result.scalar("messages_generated");
  const double* completed = run.result.scalar("messages_completed");
  return generated != nullptr && completed != nullptr && *generated == *completed;
}

/// Columns that say the same for every run tell nothing.
bool is_worth_showing(const MetricName& name, const std::vector<RunRecord>& runs) {
  if (name.metric == "completion_time" && !std::all_of(runs.begin(), runs.end(), is_complete)) {
    return false;
  }
  bool any = false;
  bool any_nonzero = false;
  for (const RunRecord& run : runs) {
    const double* value = run.result.scalar(name.metric, name.label);
    if (value == nullptr || std::isnan(*value)) continue;
    any = true;
    any_nonzero = any_nonzero || *value != 0;
  }
  return any && (any_nonzero || name.metric == "efficiency" || name.metric == "throughput");
}

/// Keys that a sweep set, over all runs, in order of first use.
std::vector<std::string> swept_keys(const std::vector<RunRecord>& runs) {
  std::vector<std::string> keys;
  for (const RunRecord& run : runs) {
    for (const auto& parameter : run.parameters) {
      if (std::find(keys.begin(), keys.end(), parameter.first) == keys.end())
        keys.push_back(parameter.first);
    }
  }
  // With named cases, what they set is in the name; only what differs within a case is shown.
  std::erase_if(keys, [&](const std::string& key) {
    std::set<std::pair<std::string, std::string>> values;
    std::set<std::string> cases;
    for (const RunRecord& run : runs) {
      cases.insert(run.case_name);
      for (const auto& [k, v] : run.parameters) {
        if (k == key) values.emplace(run.case_name, v);
      }
    }
    return values.size() <= cases.size() && cases.size() > 1;
  });
  return keys;
}

std::string value_of(const RunRecord& run, const std::string& key) {
  for (const auto& [k, v] : run.parameters) {
    if (k == key) return v;
  }
  return "";
}

template <class Get>
bool differ(const std::vector<RunRecord>& runs, Get get) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const RunRecord& r) { return get(r) != get(runs.front()); });
}

bool has_class_columns(const std::vector<RunRecord>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const RunRecord& run) {
    return run.result.scalar("throughput", "cold") != nullptr;
  });
}

/// Failures, then the notes: each once, with the runs that it is of.
std::string notes_of(const std::vector<RunRecord>& runs, bool show_seed) {
  std::string out;
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;
  for (const RunRecord& run : runs) {
    const std::string who = show_seed ? name_of(run) : label_of(run);
    if (run.status != "done") out += "failed: " + who + ": " + run.error + "\n";
    for (const std::string& note : run.result.notes) {
      auto known = std::find_if(notes.begin(), notes.end(),
                                [&](const auto& other) { return other.first == note; });
      if (known == notes.end()) known = notes.insert(notes.end(), {note, {}});
      known->second.push_back(who);
    }
  }
  constexpr std::size_t kMostNamed = 3;
  for (const auto& [note, whose] : notes) {
    std::string who = fmt::format("{}", fmt::join(whose, "; "));
    if (whose.size() == runs.size() && runs.size() > 1) {
      who = "all runs";
    } else if (whose.size() > kMostNamed) {
      who = fmt::format("{} and {} more", whose.front(), whose.size() - 1);
    }
    out += "note: " + who + ": " + note + "\n";
  }
  return out;
}

/// The labels under which the runs have a metric.
std::vector<std::string> labels_of(const std::vector<RunRecord>& runs, const std::string& metric) {
  std::set<std::string> labels;
  for (const RunRecord& run : runs) {
    for (const auto& scalar : run.result.scalars)
      if (scalar.name.metric == metric) labels.insert(scalar.name.label);
  }
  labels.erase("");
  return {labels.begin(), labels.end()};
}

/// A column without a number in any run, or in some since the file does not turn it on.
std::string missing(const std::vector<RunRecord>& runs, const MetricName& name) {
  const auto is_done = [](const RunRecord& run) { return run.status == "done"; };
  const auto has_it = [&](const RunRecord& run) {
    return run.result.scalar(name.metric, name.label) != nullptr;
  };
  const auto done = std::count_if(runs.begin(), runs.end(), is_done);
  const auto there = std::count_if(runs.begin(), runs.end(),
                                   [&](const auto& run) { return is_done(run) && has_it(run); });
  const MetricKind& kind = metric_kind(name.metric);
  const bool is_key = kind.needs.rfind("metrics.", 0) == 0;
  // Who has the metric under other labels has turned it on.
  const bool is_on = std::all_of(runs.begin(), runs.end(), [&](const RunRecord& run) {
    return !is_done(run) ||
           std::any_of(run.result.scalars.begin(), run.result.scalars.end(),
                       [&](const auto& s) { return s.name.metric == name.metric; });
  });
  if (there == done || (there > 0 && (!is_key || is_on))) return "";
  const std::string where = there > 0  ? std::to_string(done - there) + " of the runs have no "
                            : done > 1 ? "no run has "
                                       : "the run has no ";
  const std::vector<std::string> labels = labels_of(runs, name.metric);
  const std::string why = there == 0 && !labels.empty()
                              ? "; labels are others" + suggestion(name.label, labels)
                              : needs_of(name.metric);
  return "note: " + where + to_string(name) + why + "\n";
}

}  // namespace

std::string cell_text(const RunRecord& run, const MetricName& name) {
  const auto& all = run.result.scalars;
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == name; });
  if (it == all.end()) return "-";
  if (it->quality == metrics::Quality::not_stationary) return std::string(to_string(it->quality));
  return format_interval(it->value, it->half_width, metric_kind(name.metric).unit);
}

std::string title_of(const MetricName& name) {
  std::string text = name.metric;
  std::replace(text.begin(), text.end(), '_', ' ');
  return name.label.empty() ? text : text + " [" + name.label + "]";
}

std::string label_of(const RunRecord& run) {
  if (!run.case_name.empty()) return run.case_name;
  std::string text;
  for (const auto& [key, value] : run.parameters)
    text += (text.empty() ? "" : ", ") + key + " = " + value;
  return text.empty() ? run.experiment : text;
}

std::string name_of(const RunRecord& run) {
  std::string text = run.case_name;
  for (const auto& [key, value] : run.parameters) {
    text += (text.empty() ? "" : ", ") + key + " = " + value;
  }
  return (text.empty() ? "" : text + ", ") + "seed = " + std::to_string(run.seed);
}

std::vector<MetricName> default_columns(const std::vector<RunRecord>& runs) {
  std::vector<MetricName> columns;
  const bool by_class = has_class_columns(runs);
  for (const MetricName& name : candidates(by_class)) {
    if (is_worth_showing(name, runs)) columns.push_back(name);
  }
  for (const auto* names : {&network_candidates(), &queue_candidates()}) {
    for (const MetricName& name : *names) {
      if (is_worth_showing(name, runs)) columns.push_back(name);
    }
  }
  return columns;
}

std::string summary_table(const std::vector<RunRecord>& runs,
                          const std::vector<MetricName>& columns, bool color, std::size_t width) {
  if (runs.empty()) return "no runs\n";
  const bool show_experiment = differ(runs, [](const RunRecord& r) { return r.experiment; });
  const bool show_case = std::any_of(runs.begin(), runs.end(),
                                     [](const RunRecord& r) { return !r.case_name.empty(); });
  const bool show_seed = differ(runs, [](const RunRecord& r) { return r.seed; });
  const std::vector<std::string> keys = swept_keys(runs);
  TextTable table;
  if (show_experiment || (!show_case && keys.empty())) table.add_column("experiment", Align::left);
  if (show_case) table.add_column("case", Align::left);
  for (const std::string& key : keys) table.add_column(key, Align::left);
  if (show_seed) table.add_column("seed", Align::right);
  const std::size_t keys_shown = table.column_count();
  for (const MetricName& name : columns) table.add_column(title_of(name), Align::right);
  for (const RunRecord& run : runs) {
    std::vector<std::string> cells;
    if (show_experiment || (!show_case && keys.empty())) cells.push_back(run.experiment);
    if (show_case) cells.push_back(run.case_name);
    for (const std::string& key : keys) cells.push_back(value_of(run, key));
    if (show_seed) cells.push_back(std::to_string(run.seed));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (run.status != "done") {
        cells.emplace_back(c == 0 ? "failed" : "");
      } else {
        cells.push_back(cell_text(run, columns[c]));
      }
    }
    table.add_row(std::move(cells));
  }
  std::string notes = notes_of(runs, show_seed);
  for (const MetricName& name : columns) notes += missing(runs, name);
  return table.render({color, width, keys_shown}) + notes;
}

}  // namespace weir::report

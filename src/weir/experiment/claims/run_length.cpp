#include "weir/experiment/claims/run_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weir/experiment/claims/alternatives.hpp"
#include "weir/experiment/claims/plan.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment::claims {
namespace {

/// Shortest and longest of the runs that end in the same way.
struct Durations {
  Time shortest = Time::max();
  Time longest{0};
};

const std::string* text_at(const ConfigTable& resolved, std::string_view key) {
  const ConfigValue* value = find_value(resolved, key);
  return value != nullptr && value->is_text() ? &value->text() : nullptr;
}

/// "until the network is empty"; empty: at the end of the duration.
std::string end_of(const ConfigTable& resolved) {
  if (const std::string* until = text_at(resolved, "experiment.until")) {
    return *until == "workload" ? "until all workloads are done" : "until the network is empty";
  }
  if (const std::string* name = text_at(resolved, "experiment.until.delivered")) {
    return fmt::format("until all messages of {} are delivered", *name);
  }
  if (const std::string* metric = text_at(resolved, "experiment.until.metric")) {
    return fmt::format("until {} is known well enough", *metric);
  }
  return "";
}

std::string range_text(const Durations& range, bool is_bound) {
  if (range.longest.count == 0) return "";
  std::string text = to_string(range.longest);
  if (range.shortest != range.longest) text = to_string(range.shortest) + " to " + text;
  return is_bound ? text + " at most" : text;
}

/// Of models without time: packets that arrive, the fewest and the most.
class Arrivals {
 public:
  void add(const ConfigTable& resolved) {
    const ConfigValue* value = find_value(resolved, "queue.simulate");
    if (value == nullptr || !value->is_integer() || value->integer() == 0) return;
    fewest_ = fewest_ ? std::min(*fewest_, value->integer()) : value->integer();
    most_ = std::max(most_, value->integer());
  }
  [[nodiscard]] std::string text() const {
    if (!fewest_) return "";
    return *fewest_ == most_ ? fmt::format("{} arrivals", most_)
                             : fmt::format("{} to {} arrivals", *fewest_, most_);
  }

 private:
  std::optional<std::int64_t> fewest_;
  std::int64_t most_ = 0;
};

}  // namespace

std::string run_length(const Plan& plan) {
  std::map<std::string, Durations> ranges;  // by what ends a run
  Arrivals arrivals;
  for (const Plan::Point& point : plan.points()) {
    const std::string* kind = text_at(point.resolved, "experiment.kind");
    if (kind != nullptr && !run_kind_registry().find(*kind, {}, "experiment.kind").make.simulates) {
      if (*kind == "queue") arrivals.add(point.resolved);
      continue;
    }
    Durations& range = ranges[end_of(point.resolved)];
    const std::string* duration = text_at(point.resolved, "experiment.duration");
    if (duration == nullptr) continue;
    range.shortest = std::min(range.shortest, parse_time(*duration));
    range.longest = std::max(range.longest, parse_time(*duration));
  }
  std::string text = arrivals.text();
  for (const auto& [end, range] : ranges) {
    const std::string own = range_text(range, !end.empty());
    if (!text.empty()) text += "; ";
    text += own + (own.empty() || end.empty() ? "" : ", ") + end;
  }
  return text;
}

void add_run_lengths(Findings& findings, const Document& document) {
  const std::vector<Change> changes = changes_of(document, findings.values);
  for (const DocumentExperiment& experiment : document.experiments) {
    const auto runs = findings.runs.find(experiment.name);
    if (runs == findings.runs.end()) continue;
    for (const Scale scale : kScales) {
      std::optional<Provenance>& run = runs->second.at(scale);
      if (run) run->length = run_length(Plan(experiment, scale, changes));
    }
  }
  for (Findings& other : findings.alternatives) add_run_lengths(other, document);
}

}  // namespace weir::experiment::claims

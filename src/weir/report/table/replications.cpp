#include "weir/report/table/replications.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "weir/metrics/student_t.hpp"

namespace weir::report {

using experiment::RunRecord;
using metrics::Quality;

namespace {

using Group = std::vector<const RunRecord*>;

/// Groups in the order of their first runs.
std::vector<Group> groups_of(const std::vector<RunRecord>& runs) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string,
                      std::vector<std::pair<std::string, std::string>>>,
           std::size_t>
      index;
  for (const RunRecord& run : runs) {
    const auto [at, is_new] = index.emplace(
        std::tuple(run.experiment, run.case_name, run.version, run.parameters), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&run);
  }
  return groups;
}

/// Rows of other versions or configurations may share seeds; only different seeds are replications.
bool has_different_seeds(const Group& group) {
  std::set<std::uint64_t> seeds;
  for (const RunRecord* run : group) seeds.insert(run->seed);
  return group.size() > 1 && seeds.size() == group.size();
}

/// The names of all scalars, in the order of the first run that has them.
std::vector<MetricName> names_in(const Group& group) {
  std::vector<MetricName> names;
  std::set<MetricName> known;
  for (const RunRecord* run : group) {
    for (const metrics::Scalar& scalar : run->result.scalars) {
      if (known.insert(scalar.name).second) names.push_back(scalar.name);
    }
  }
  return names;
}

const metrics::Scalar* find(const RunRecord& run, const MetricName& name) {
  const auto& all = run.result.scalars;
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == name; });
  return it == all.end() ? nullptr : &*it;
}

metrics::Scalar mean_of(const Group& group, const MetricName& name) {
  std::vector<double> values;
  for (const RunRecord* run : group) {
    const metrics::Scalar* scalar = find(*run, name);
    if (scalar == nullptr) continue;
    if (scalar->quality == Quality::not_stationary) {
      constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
      return {name, kNothing, kNothing, Quality::not_stationary};
    }
    if (!std::isnan(scalar->value)) values.push_back(scalar->value);
  }
  const metrics::MeanInterval interval = metrics::mean_interval(values);
  return {name, interval.mean, interval.half_width,
          interval.count > 1 ? Quality::estimated : Quality::plain};
}

RunRecord one_of(const Group& group) {
  RunRecord out = *group.front();
  out.id = 0;
  out.seed = 0;
  out.result = {};
  Group done;
  for (const RunRecord* run : group) {
    if (run->status == "done") {
      done.push_back(run);
      continue;
    }
    out.result.notes.push_back(fmt::format("seed {} failed: {}", run->seed, run->error));
  }
  for (const RunRecord* run : done) {
    for (const std::string& note : run->result.notes) {
      const auto& all = out.result.notes;
      if (std::find(all.begin(), all.end(), note) == all.end()) out.result.notes.push_back(note);
    }
    out.result.wall_seconds += run->result.wall_seconds;
    out.result.cpu_seconds += run->result.cpu_seconds;
  }
  out.status = done.empty() ? "failed" : "done";
  out.error = done.empty() ? group.front()->error : "";
  if (done.empty()) out.result.notes.clear();
  for (const MetricName& name : names_in(done)) out.result.scalars.push_back(mean_of(done, name));
  return out;
}

}  // namespace

std::vector<RunRecord> across_seeds(const std::vector<RunRecord>& runs) {
  std::vector<RunRecord> out;
  for (const Group& group : groups_of(runs)) {
    if (has_different_seeds(group)) {
      out.push_back(one_of(group));
    } else {
      for (const RunRecord* run : group) out.push_back(*run);
    }
  }
  return out;
}

bool has_replications(const std::vector<RunRecord>& runs) {
  const std::vector<Group> groups = groups_of(runs);
  return std::any_of(groups.begin(), groups.end(), has_different_seeds);
}

std::string replications_text(const std::vector<RunRecord>& runs) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  for (const Group& group : groups_of(runs)) {
    const auto done = static_cast<std::size_t>(std::count_if(
        group.begin(), group.end(), [](const RunRecord* run) { return run->status == "done"; }));
    if (done == 0) continue;
    fewest = std::min(fewest, done);
    most = std::max(most, done);
  }
  const std::string count =
      fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  return fmt::format("Means of {} seeds ± half width of the 95 % interval.", count);
}

}  // namespace weir::report

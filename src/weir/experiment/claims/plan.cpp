#include "weir/experiment/claims/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "weir/experiment/claims/means.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment::claims {
namespace {

using SweptValues = std::vector<std::pair<std::string, std::string>>;

ExperimentFile open(const DocumentExperiment& experiment, Scale scale) {
  std::error_code ignored;
  if (!std::filesystem::exists(experiment.file, ignored)) {
    throw InputError(experiment.position, "experiment.file",
                     fmt::format("there is no file '{}'", experiment.file));
  }
  return {read_experiment(experiment.file), {experiment.overrides(scale)}};
}

const std::string* setting(const SweptValues& settings, const std::string& key) {
  const auto it = std::find_if(settings.begin(), settings.end(),
                               [&](const auto& one) { return one.first == key; });
  return it == settings.end() ? nullptr : &it->second;
}

/// Finds the one point that a value of a claim is read from.
class Selector {
 public:
  Selector(const ClaimValue& value, const Plan& plan) : value_(value), plan_(plan) {
    for (std::size_t i = 0; i < plan.points().size(); ++i) left_.push_back(i);
  }

  std::size_t find(const SweptValues& grid) {
    if (value_.case_name) keep_case(*value_.case_name);
    for (const KeyedValue& one : value_.where) keep_setting(one);
    for (const auto& wanted : grid) {
      if (names(wanted.first)) continue;  // the value stands beside the grid
      std::erase_if(left_, [&](std::size_t i) {
        const std::string* own = setting(point(i).settings, wanted.first);
        return own == nullptr || *own != wanted.second;
      });
    }
    if (left_.empty()) throw InputError(value_.source.position, value_.key, "selects no run");
    if (left_.size() > 1) {
      throw InputError(value_.source.position, value_.key,
                       fmt::format("selects {} points, which differ in {}; say which with case "
                                   "and where",
                                   left_.size(), differences()));
    }
    return left_.front();
  }

 private:
  [[nodiscard]] const Plan::Point& point(std::size_t i) const { return plan_.points()[i]; }
  [[nodiscard]] bool names(const std::string& key) const {
    return std::any_of(value_.where.begin(), value_.where.end(),
                       [&](const KeyedValue& one) { return one.key == key; });
  }

  void keep_case(const std::string& name) {
    std::vector<std::string> cases;
    for (const Plan::Point& one : plan_.points()) {
      if (!one.case_name.empty() && (cases.empty() || cases.back() != one.case_name)) {
        cases.push_back(one.case_name);
      }
    }
    std::erase_if(left_, [&](std::size_t i) { return point(i).case_name != name; });
    if (!left_.empty()) return;
    throw InputError(position_of(value_.source, "case"), value_.key + ".case",
                     cases.empty()
                         ? "the experiment has no [[case]]"
                         : fmt::format("no case is called '{}'{}", name, suggestion(name, cases)));
  }

  void keep_setting(const KeyedValue& wanted) {
    std::set<std::string> there;
    std::vector<std::size_t> kept;
    for (const std::size_t i : left_) {
      const ConfigValue* own = find_value(point(i).resolved, wanted.key);
      if (own == nullptr) continue;
      there.insert(short_text(*own));
      if (means(wanted.value, *own)) kept.push_back(i);
    }
    if (kept.empty()) refuse_setting(wanted, there);
    left_ = std::move(kept);
  }

  [[noreturn]] void refuse_setting(const KeyedValue& wanted,
                                   const std::set<std::string>& there) const {
    const std::string key = fmt::format("{}.where.{}", value_.key, wanted.key);
    if (there.empty()) {
      std::set<std::string> known;
      for (const std::size_t i : left_) {
        for (const KeyedValue& one : flattened(point(i).resolved)) known.insert(one.key);
      }
      const std::vector<std::string> names(known.begin(), known.end());
      const std::string nearest = nearest_name(wanted.key, names);
      throw InputError(wanted.value.position, key,
                       nearest.empty()
                           ? "no run has this key"
                           : fmt::format("no run has this key (did you mean '{}'?)", nearest));
    }
    throw InputError(wanted.value.position, key,
                     fmt::format("no run has {} here (there are: {})", short_text(wanted.value),
                                 fmt::join(there, ", ")));
  }

  /// "case (a, b), switch.speedup (1.0, 2.0)"
  [[nodiscard]] std::string differences() const {
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    const auto note = [&](const std::string& key, const std::string& value) {
      auto at = std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.first == key; });
      if (at == all.end()) at = all.insert(at, {key, {}});
      if (std::find(at->second.begin(), at->second.end(), value) == at->second.end()) {
        at->second.push_back(value);
      }
    };
    for (const std::size_t i : left_) {
      if (!point(i).case_name.empty()) note("case", point(i).case_name);
      for (const auto& [key, value] : point(i).settings) note(key, value);
    }
    std::string text;
    for (const auto& [key, values] : all) {
      if (values.size() < 2) continue;
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", key, fmt::join(values, ", "));
    }
    return text.empty() ? "nothing" : text;
  }

  const ClaimValue& value_;
  const Plan& plan_;
  std::vector<std::size_t> left_;
};

/// Values of a swept key in the order of the plan; none: it is not swept.
std::vector<std::string> swept_values(const Plan& plan, const std::string& key) {
  std::vector<std::string> values;
  for (const Plan::Point& point : plan.points()) {
    const std::string* value = setting(point.settings, key);
    if (value == nullptr) continue;
    if (std::find(values.begin(), values.end(), *value) == values.end()) values.push_back(*value);
  }
  return values;
}

std::vector<SweptValues> grid_of(const Claim& claim, const Plan& plan) {
  std::vector<SweptValues> all{SweptValues{}};
  for (const std::string& key : claim.grid) {
    const std::vector<std::string> values = swept_values(plan, key);
    if (values.empty()) {
      // A scale that fixes the setting leaves no grid.
      if (find_value(plan.overrides(), key) != nullptr) continue;
      std::vector<std::string> swept;
      for (const auto& one : plan.points().front().settings) swept.push_back(one.first);
      throw InputError(claim.grid_position, fmt::format("claim[{}].grid", claim.id),
                       fmt::format("'{}' is not swept{}", key, suggestion(key, swept)));
    }
    std::vector<SweptValues> longer;
    for (const SweptValues& settings : all) {
      for (const std::string& value : values) {
        longer.push_back(settings);
        longer.back().emplace_back(key, value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

Plan::Plan(const DocumentExperiment& experiment, Scale scale, const std::vector<Change>& changes)
    : variants_(open(experiment, scale).variants()), overrides_(experiment.overrides(scale)) {
  add_points(changes);
  if (changes.empty() || is_changed_) return;
  throw InputError(experiment.position, fmt::format("experiment[{}]", experiment.name),
                   "none of its runs is one that the values of the unknown change");
}

void Plan::add_points(const std::vector<Change>& changes) {
  ConfigTable laid;  // over the runs of the point
  for (std::size_t i = 0; i < variants_.size(); ++i) {
    Variant& variant = variants_[i];
    const bool is_next_seed = !points_.empty() && points_.back().case_name == variant.case_name &&
                              points_.back().settings == variant.settings;
    if (!is_next_seed && !changes.empty()) {
      laid = changes_for(changes, resolve(variant.table).resolved);
    }
    if (!laid.empty()) {
      lay_over(variant.table, laid);
      is_changed_ = true;
    }
    if (!is_next_seed) {
      const Configuration configuration = resolve(variant.table);
      points_.push_back({variant.case_name, variant.settings, configuration.resolved, {}});
      if (i == 0) first_ = configuration;
      const auto& is_drawn = configuration.kind->is_drawn;
      is_drawn_ = is_drawn_ || !is_drawn || is_drawn(configuration);
    }
    points_.back().runs.push_back(i);
  }
}

std::size_t Plan::draws() const {
  std::size_t most = 0;
  for (const Point& point : points_) most = std::max(most, point.runs.size());
  return most;
}

std::vector<std::size_t> Selection::runs(const Plan& plan) const {
  std::set<std::size_t> found;
  for (const Selected& one : combinations) {
    for (const std::size_t point : one.points) {
      const auto& runs = plan.points()[point].runs;
      found.insert(runs.begin(), runs.end());
    }
  }
  return {found.begin(), found.end()};
}

Selection select(const Claim& claim, const Plan& plan) {
  Selection out;
  const std::vector<SweptValues> grid = grid_of(claim, plan);
  for (const ClaimReading& reading : claim.readings) {
    for (const SweptValues& at : grid) {
      Selection::Selected one;
      one.reading = &reading;
      one.at = reading.names;
      one.at.insert(one.at.end(), at.begin(), at.end());
      for (const ClaimValue& value : reading.values) {
        one.points.push_back(Selector(value, plan).find(at));
      }
      out.combinations.push_back(std::move(one));
    }
  }
  return out;
}

}  // namespace weir::experiment::claims

#include "weir/experiment/config/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>

#include "weir/base/problems.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/management/presets.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/read_sections.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/config/section_keys.hpp"
#include "weir/experiment/config/sections.hpp"

namespace weir::experiment {
namespace {

constexpr std::size_t kMostRuns = 1'000'000;
constexpr std::string_view kSeedKey = "experiment.seed";

bool is_number(const ConfigValue& value) {
  return value.is_integer() || std::holds_alternative<double>(value.data);
}

void check_axis(const std::string& key, const ConfigValue& list) {
  const std::string where = "sweep." + key;
  if (!list.is_array()) {
    throw InputError(list.position, where,
                     fmt::format("must be a list of values, not {}", list.kind_name()));
  }
  if (list.array().empty()) {
    throw InputError(list.position, where, "has no values: the sweep would have no runs");
  }
  const ConfigValue& first = list.array().front();
  for (const ConfigValue& value : list.array()) {
    const bool same_kind = value.data.index() == first.data.index();
    if (same_kind || (is_number(value) && is_number(first))) continue;
    throw InputError(value.position, where,
                     fmt::format("the list mixes {} and {}", first.kind_name(), value.kind_name()));
  }
}

bool is_of_no_single_run(std::string_view section) {
  constexpr std::string_view kOuter[] = {"case", "sweep",   "replicate",
                                         "plot", "include", "plugins"};
  return std::find(std::begin(kOuter), std::end(kOuter), section) != std::end(kOuter);
}

/// Refuses keys that no run could have; those of models are checked with each run.
void check_swept_section(const std::string& key, const ConfigValue& list) {
  ConfigTable one = nested(key, list);
  one.position = list.position;
  check_section_names(one);
  if (!is_of_no_single_run(key.substr(0, key.find('.')))) return;
  throw InputError(list.position, "sweep." + key, "belongs to no single run");
}

void check_case_sections(const ConfigTable& set, const std::string& where) {
  check_section_names(set);
  for (const ConfigEntry& entry : set.entries()) {
    if (!is_of_no_single_run(entry.key)) continue;
    throw InputError(entry.value.position, where + ".set." + entry.key, "belongs to no single run");
  }
}

/// What figures call by these names is not a group of cases.
bool is_taken(std::string_view group) {
  constexpr std::string_view kTaken[] = {"case", "metric", "time"};
  return std::find(std::begin(kTaken), std::end(kTaken), group) != std::end(kTaken);
}

/// Value i of a list in a name. A table has the keys that tell it from the others of the same
/// model: "arn" beside "arn, isolation = afi".
std::string text_among(const ConfigArray& values, std::size_t i) {
  const std::string model = short_text(values[i]);
  if (!values[i].is_table()) return model;
  std::string text = model;
  for (const KeyedValue& own : flattened(values[i].table())) {
    const bool tells_apart =
        std::any_of(values.begin(), values.end(), [&](const ConfigValue& other) {
          if (short_text(other) != model) return false;
          const ConfigValue* there =
              other.is_table() ? find_value(other.table(), own.key) : nullptr;
          return there == nullptr || short_text(*there) != short_text(own.value);
        });
    if (tells_apart) text += fmt::format(", {} = {}", own.key, short_text(own.value));
  }
  return text;
}

}  // namespace

std::string short_key(const std::string& key, const std::vector<std::string>& all) {
  std::size_t start = key.size();
  for (;;) {
    const std::size_t dot = start == 0 ? std::string::npos : key.rfind('.', start - 1);
    start = dot == std::string::npos ? 0 : dot;
    std::string tail = key.substr(start == 0 ? 0 : start + 1);
    const auto shared = std::count_if(all.begin(), all.end(), [&](const std::string& other) {
      return other == tail || other.ends_with("." + tail);
    });
    if (tail == "model" && start != 0) continue;
    if (shared <= 1 || start == 0) return tail;
  }
}

std::string short_text(const ConfigValue& value) {
  if (value.is_text()) return value.text();
  const ConfigValue* model = value.is_table() ? value.table().find("model") : nullptr;
  if (model != nullptr) return short_text(*model);
  ConfigTable table;
  table.set("v", value);
  std::string text = to_toml(table).substr(4);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

ExperimentFile::ExperimentFile(ConfigTable file, const std::vector<ConfigTable>& overrides) {
  Problems problems;
  for (const ConfigTable& one : overrides) problems.attempt([&] { lay_over(overrides_, one); });
  table_ = std::move(file);
  problems.attempt([&] { read_axes(table_, overrides_); });
  problems.attempt([&] { read_replicate(table_, overrides_); });
  for (const char* name : {"sweep", "replicate"}) {
    table_.erase(name);
    overrides_.erase(name);
  }
  problems.attempt([&] { lay_over(table_, overrides_); });
  const bool needs_cases = table_.contains("case");
  problems.attempt([&] { read_cases(table_); });
  table_.erase("case");
  overrides_.erase("case");
  const bool are_few = problems.attempt([&] { check_count(); });
  if (problems.empty()) return;
  // What else is wrong, unless it could come from the cases that are not there. Of too many the
  // first one stands for all.
  if (!needs_cases || !cases_.empty()) {
    problems.attempt([&] {
      if (are_few) return check_variants(variants());
      const Case* first = cases_.empty() ? nullptr : &cases_.front();
      check_variants({variant(first, Point(axes_.size(), 0))});
    });
  }
  problems.raise();
}

namespace {

/// No swept key is what runs of this kind set by themselves.
void check_swept(const Variant& variant, const Configuration& configuration) {
  if (!configuration.kind->sets) return;
  const std::vector<std::string> set = configuration.kind->sets(configuration);
  for (const auto& [key, value] : variant.settings) {
    if (std::find(set.begin(), set.end(), key) == set.end()) continue;
    throw InputError(position_of(variant.table, key), "sweep." + key,
                     "changes nothing: experiment.find sets this load in each simulation");
  }
}

}  // namespace

void check_variants(const std::vector<Variant>& variants) {
  Problems problems;
  for (const Variant& variant : variants)
    problems.attempt([&] { check_swept(variant, resolve(variant.table)); });
  problems.raise();
}

void ExperimentFile::read_case_groups(const ConfigArray& list) {
  Problems problems;
  for (std::size_t i = 0; i < list.size(); ++i)
    problems.attempt([&] { read_case(list[i], fmt::format("case[{}]", i)); });
  problems.raise();
}

void ExperimentFile::read_case(const ConfigValue& value, const std::string& where) {
  if (!value.is_table()) throw InputError(value.position, where, "must be a table");
  const Checked<CaseKeys> keys = case_keys().check(value.table(), where);
  const ConfigValue& set = keys->set;
  if (!set.is_table()) {
    throw keys.error(&CaseKeys::set, R"(must be a table, as in { "queueing.model" = "dbbm" })");
  }
  const std::string& group = keys->group;
  if (group.find('.') != std::string::npos || is_taken(group)) {
    throw keys.error(&CaseKeys::group, fmt::format("'{}' means something else in figures", group));
  }
  Case made{keys->name, expanded(set.table()), value.position, {}};
  spell_out_models(made.set);
  check_case_sections(made.set, where);
  if (made.name.empty()) throw keys.error(&CaseKeys::name, "must not be empty");
  auto place = std::find_if(groups_.begin(), groups_.end(),
                            [&](const CaseGroup& known) { return known.name == group; });
  if (place == groups_.end()) place = groups_.insert(place, CaseGroup{group, {}});
  for (const Case& earlier : place->cases) {
    if (earlier.name != made.name) continue;
    throw keys.error(&CaseKeys::name, fmt::format("two cases are called '{}'", made.name));
  }
  place->cases.push_back(std::move(made));
}

/// Each case so far with each of the group, whose settings are laid over it.
void ExperimentFile::cross(const CaseGroup& group) {
  std::vector<Case> crossed;
  std::set<std::string> names;
  for (const Case& one : cases_) {
    for (const Case& other : group.cases) {
      Case both = one;
      both.name += (both.name.empty() ? "" : ", ") + other.name;
      both.position = other.position;
      both.parts.emplace_back(group.name, other.name);
      lay_over(both.set, other.set);
      if (!names.insert(both.name).second) {
        throw InputError(other.position, "case",
                         fmt::format("two combinations are called '{}'", both.name));
      }
      crossed.push_back(std::move(both));
    }
  }
  cases_ = std::move(crossed);
}

void ExperimentFile::read_cases(const ConfigTable& file) {
  const ConfigValue* list = file.find("case");
  if (list == nullptr) return;
  if (!list->is_array()) throw InputError(list->position, "case", "must be [[case]] tables");
  Problems problems;
  problems.attempt([&] { read_case_groups(list->array()); });
  std::size_t count = 1;
  for (const CaseGroup& group : groups_) {
    count *= group.cases.size();
    if (count <= kMostRuns) continue;
    throw InputError(list->position, "case", fmt::format("makes more than {} runs", kMostRuns));
  }
  if (!groups_.empty()) {
    cases_ = {Case{}};
    for (const CaseGroup& group : groups_) problems.attempt([&] { cross(group); });
  }
  problems.raise();
}

void ExperimentFile::read_axes(const ConfigTable& file, const ConfigTable& overrides) {
  ConfigTable lists;
  for (const ConfigTable* table : {&file, &overrides}) {
    const ConfigValue* value = table->find("sweep");
    if (value == nullptr) continue;
    if (!value->is_table()) throw InputError(value->position, "sweep", "must be a section");
    lay_over(lists, expanded(value->table()));
  }
  Problems problems;
  for (const KeyedValue& axis : flattened(lists)) {
    if (!problems.attempt([&] { check_swept_section(axis.key, axis.value); })) continue;
    const bool is_list = problems.attempt([&] { check_axis(axis.key, axis.value); });
    if (find_value(overrides, axis.key) != nullptr) continue;
    // Of a wrong list one value stands for all, so that nothing seems to be missing.
    ConfigArray values = axis.value.is_array() ? axis.value.array() : ConfigArray{axis.value};
    if (!is_list && values.size() > 1) values.resize(1);
    if (!values.empty()) axes_.push_back({axis.key, std::move(values), axis.value.position});
  }
  problems.raise();
}

void ExperimentFile::read_replicate(const ConfigTable& file, const ConfigTable& overrides) {
  ConfigTable both;
  for (const ConfigTable* table : {&file, &overrides}) {
    const ConfigValue* value = table->find("replicate");
    if (value == nullptr) continue;
    if (!value->is_table()) throw InputError(value->position, "replicate", "must be a section");
    lay_over(both, value->table());
  }
  seeds_ = replicate_keys().check(both, "replicate")->seeds;
  seeds_position_ = position_of(both, "seeds");
  const bool is_swept = std::any_of(axes_.begin(), axes_.end(),
                                    [](const Axis& axis) { return axis.key == kSeedKey; });
  if (seeds_ > 1 && is_swept) {
    throw InputError(seeds_position_, "replicate.seeds",
                     "the sweep lists values of experiment.seed already; give one of the two");
  }
}

void ExperimentFile::check_count() const {
  const auto fail = [](const SourcePosition& position, const std::string& key) {
    throw InputError(position, key, fmt::format("makes more than {} runs", kMostRuns));
  };
  std::size_t runs = std::max<std::size_t>(1, cases_.size());
  for (const Axis& axis : axes_) {
    runs *= axis.values.size();
    if (runs > kMostRuns) fail(axis.position, "sweep." + axis.key);
  }
  if (runs * static_cast<std::size_t>(seeds_) > kMostRuns) {
    fail(seeds_position_, "replicate.seeds");
  }
}

std::vector<ExperimentFile::Point> ExperimentFile::points() const {
  std::vector<Point> all{Point{}};
  for (const Axis& axis : axes_) {
    std::vector<Point> longer;
    for (const Point& point : all) {
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    }
    all = std::move(longer);
  }
  return all;
}

ConfigTable ExperimentFile::with(const Case* chosen, const Point& point) const {
  ConfigTable table = table_;
  if (chosen != nullptr) lay_over(table, chosen->set);
  ConfigTable settings;
  for (std::size_t i = 0; i < point.size(); ++i) {
    lay_over(settings, nested(axes_[i].key, axes_[i].values[point[i]]));
  }
  spell_out_models(settings);
  lay_over(table, settings);
  lay_over(table, overrides_);
  return table;
}

Variant ExperimentFile::variant(const Case* chosen, const Point& point) const {
  Variant made;
  made.table = with(chosen, point);
  if (chosen != nullptr) made.case_name = made.name = chosen->name;
  if (chosen != nullptr && chosen->parts.size() > 1) made.settings = chosen->parts;
  std::vector<std::string> keys;
  for (const Axis& axis : axes_) keys.push_back(axis.key);
  for (std::size_t i = 0; i < point.size(); ++i) {
    const std::string value = text_among(axes_[i].values, point[i]);
    made.name +=
        fmt::format("{}{} = {}", made.name.empty() ? "" : ", ", short_key(keys[i], keys), value);
    if (keys[i] != kSeedKey) made.settings.emplace_back(keys[i], value);
  }
  return made;
}

/// The seeds follow that of the run, whoever set it.
void ExperimentFile::replicate(Variant variant, std::vector<Variant>& all) const {
  if (seeds_ == 1) {
    all.push_back(std::move(variant));
    return;
  }
  const ConfigValue* written = find_value(variant.table, kSeedKey);
  const bool is_integer = written == nullptr || written->is_integer();  // else resolve() refuses it
  const std::int64_t first = written != nullptr && is_integer ? written->integer() : 1;
  if (first > std::numeric_limits<std::int64_t>::max() - seeds_) {
    throw InputError(seeds_position_, "replicate.seeds", "there are not so many seeds left");
  }
  for (std::int64_t i = 0; i < seeds_; ++i) {
    Variant one = variant;
    one.name += fmt::format("{}seed = {}", one.name.empty() ? "" : ", ", first + i);
    const ConfigValue seed(first + i, written != nullptr ? written->position : seeds_position_);
    if (is_integer) lay_over(one.table, nested(kSeedKey, seed));
    all.push_back(std::move(one));
  }
}

std::size_t ExperimentFile::run_count() const {
  std::size_t count = std::max<std::size_t>(1, cases_.size());
  for (const Axis& axis : axes_) count *= axis.values.size();
  return count * static_cast<std::size_t>(seeds_);
}

std::vector<Variant> ExperimentFile::variants() const {
  std::vector<const Case*> cases;
  for (const Case& one : cases_) cases.push_back(&one);
  if (cases.empty()) cases.push_back(nullptr);
  std::vector<Variant> all;
  const std::vector<Point> where = points();
  for (const Case* one : cases) {
    for (const Point& point : where) replicate(variant(one, point), all);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].place = static_cast<std::int64_t>(i);
  if (!has_variants()) all.front().name = experiment_name(all.front().table);
  return all;
}

ConfigArray ExperimentFile::written_groups() const {
  ConfigArray list;
  for (const CaseGroup& group : groups_) {
    for (const Case& one : group.cases) {
      ConfigTable set;
      for (const KeyedValue& changed : flattened(one.set)) set.set(changed.key, changed.value);
      ConfigTable table;
      table.set("name", ConfigValue(one.name, one.position));
      table.set("group", ConfigValue(group.name, one.position));
      table.set("set", ConfigValue(std::move(set), one.position));
      list.emplace_back(std::move(table), one.position);
    }
  }
  return list;
}

ConfigArray ExperimentFile::resolved_cases() const {
  // What a case of a group sets may become something else with those of the others.
  if (groups_.size() > 1) return written_groups();
  ConfigArray list;
  for (const Case& one : cases_) {
    const ConfigTable run = resolve(with(&one, {})).resolved;
    ConfigTable set;
    for (const KeyedValue& changed : flattened(one.set)) {
      const ConfigValue* value = find_value(run, changed.key);
      // Not there: an override has put another model in place of the case's.
      if (value != nullptr) set.set(changed.key, *value);
    }
    ConfigTable table;
    table.set("name", ConfigValue(one.name, one.position));
    table.set("set", ConfigValue(std::move(set), one.position));
    list.emplace_back(std::move(table), one.position);
  }
  return list;
}

ConfigTable ExperimentFile::resolved_axes() const {
  ConfigTable sweep;
  const Case* chosen = cases_.empty() ? nullptr : &cases_.front();
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    ConfigArray values;
    for (std::size_t i = 0; i < axes_[a].values.size(); ++i) {
      Point point(axes_.size(), 0);
      point[a] = i;
      const ConfigTable run = resolve(with(chosen, point)).resolved;
      const ConfigValue* value = find_value(run, axes_[a].key);
      values.push_back(value != nullptr ? *value : axes_[a].values[i]);
    }
    sweep.set(axes_[a].key, ConfigValue(std::move(values), axes_[a].position));
  }
  return sweep;
}

ConfigTable ExperimentFile::resolved() const {
  ConfigTable table = resolve(table_).resolved;
  const auto varies = [&](std::string_view key) {
    return std::any_of(axes_.begin(), axes_.end(), [&](const Axis& a) { return a.key == key; }) ||
           std::any_of(cases_.begin(), cases_.end(), [&](const Case& one) {
             return find_value(one.set, std::string(key)) != nullptr;
           });
  };
  if (varies("management.preset")) {
    take_preset_out(table, table_);
  } else if (varies("isolation.model")) {
    take_architecture_out(table, table_);
  }
  if (!cases_.empty()) table.set("case", ConfigValue(resolved_cases(), table.position));
  if (seeds_ > 1) {
    ConfigTable replicate;
    replicate.set("seeds", ConfigValue(seeds_, seeds_position_));
    table.set("replicate", ConfigValue(std::move(replicate), seeds_position_));
  }
  if (!axes_.empty()) table.set("sweep", ConfigValue(resolved_axes(), table.position));
  return table;
}

}  // namespace weir::experiment

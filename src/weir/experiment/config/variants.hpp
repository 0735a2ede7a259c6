#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/experiment/config/checkpoint_plan.hpp"

namespace weir::experiment {

/// One run of an experiment file: a case at one point of the sweep, with one of its seeds.
struct Variant {
  std::string name;  ///< of the case and the point; the experiment's where there is only one run
  std::string case_name;  ///< empty without cases
  /// Groups of cases with the name of the case, where there are several; swept keys with their
  /// values. The seed is not among them, swept or not: every run has one.
  std::vector<std::pair<std::string, std::string>> settings;
  ConfigTable table;       ///< complete experiment without `case` and `sweep`
  std::int64_t place = 0;  ///< in the plan
  CheckpointPlan checkpoints{};
};

/// An experiment file with the overrides of the command line. Overrides are laid over the file,
/// and again over each run: what they say holds whatever cases say. A swept key that they set is
/// not swept.
class ExperimentFile {
 public:
  /// Throws InputError when `case`, `sweep` or `replicate` are wrong, with all else that is wrong
  /// in the file.
  ExperimentFile(ConfigTable file, const std::vector<ConfigTable>& overrides);

  /// All cases times all points of the sweep times all seeds; the seeds run fastest, then the last
  /// swept key.
  [[nodiscard]] std::vector<Variant> variants() const;
  [[nodiscard]] std::size_t run_count() const;
  [[nodiscard]] bool has_variants() const {
    return !cases_.empty() || !axes_.empty() || seeds_ > 1;
  }
  [[nodiscard]] const ConfigTable& table() const { return table_; }

  /// The experiment with all defaults filled in, with its cases, sweep and seeds: reads back to
  /// itself. Throws InputError, also when it is complete only with its cases.
  [[nodiscard]] ConfigTable resolved() const;

 private:
  struct Case {
    std::string name;
    ConfigTable set;  ///< nested
    SourcePosition position;
    std::vector<std::pair<std::string, std::string>>
        parts;  ///< where there are groups: of each one
  };
  struct CaseGroup {
    std::string name;
    std::vector<Case> cases;
  };
  struct Axis {
    std::string key;
    ConfigArray values;
    SourcePosition position;
  };
  using Point = std::vector<std::size_t>;  ///< index of the value on each axis

  void read_cases(const ConfigTable& file);
  void read_case_groups(const ConfigArray& list);
  void read_case(const ConfigValue& value, const std::string& where);
  void cross(const CaseGroup& group);
  void read_axes(const ConfigTable& file, const ConfigTable& overrides);
  void read_replicate(const ConfigTable& file, const ConfigTable& overrides);
  void check_count() const;
  void replicate(Variant variant, std::vector<Variant>& all) const;
  [[nodiscard]] ConfigTable with(const Case* chosen, const Point& point) const;
  [[nodiscard]] std::vector<Point> points() const;
  [[nodiscard]] Variant variant(const Case* chosen, const Point& point) const;
  [[nodiscard]] ConfigArray resolved_cases() const;
  [[nodiscard]] ConfigArray written_groups() const;
  [[nodiscard]] ConfigTable resolved_axes() const;

  ConfigTable table_;  ///< without case and sweep
  ConfigTable overrides_;
  std::vector<CaseGroup> groups_;
  std::vector<Case> cases_;  ///< combinations of one of each group
  std::vector<Axis> axes_;
  std::int64_t seeds_ = 1;
  SourcePosition seeds_position_;
};

/// Checks every section of all of them. Throws an InputError of all that is wrong (Problems).
void check_variants(const std::vector<Variant>& variants);

/// A value as people write it in a name: texts without quotes.
std::string short_text(const ConfigValue& value);

/// The last part of a dotted key that tells it from the others in `all`: "load" for
/// traffic.0.arrivals.load.
std::string short_key(const std::string& key, const std::vector<std::string>& all);

}  // namespace weir::experiment

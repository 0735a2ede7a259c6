#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"

namespace weir::experiment {

/// One run of an experiment file: a case at one point of the sweep.
struct Variant {
  std::string name;  ///< of the case and the point; the experiment's where there is only one run
  std::string case_name;                                      ///< empty without cases
  std::vector<std::pair<std::string, std::string>> settings;  ///< swept keys with their values
  ConfigTable table;  ///< complete experiment without `case` and `sweep`
};

/// An experiment file with the overrides of the command line. Overrides are laid over the file,
/// and again over each run: what they say holds whatever cases say. A swept key that they set is
/// not swept.
class ExperimentFile {
 public:
  /// Throws InputError when `case` or `sweep` are wrong.
  ExperimentFile(ConfigTable file, const std::vector<ConfigTable>& overrides);

  /// All cases times all points of the sweep, the last swept key running fastest.
  [[nodiscard]] std::vector<Variant> variants() const;
  [[nodiscard]] std::size_t run_count() const;
  [[nodiscard]] bool has_variants() const { return !cases_.empty() || !axes_.empty(); }
  [[nodiscard]] const ConfigTable& table() const { return table_; }

  /// The experiment with all defaults filled in, with its cases and its sweep: reads back to
  /// itself. Throws InputError, also when it is complete only with its cases.
  [[nodiscard]] ConfigTable resolved() const;

 private:
  struct Case {
    std::string name;
    ConfigTable set;  ///< nested
    SourcePosition position;
  };
  struct Axis {
    std::string key;
    ConfigArray values;
    SourcePosition position;
  };
  using Point = std::vector<std::size_t>;  ///< index of the value on each axis

  void read_cases(const ConfigTable& file);
  void read_axes(const ConfigTable& file, const ConfigTable& overrides);
  [[nodiscard]] ConfigTable with(const Case* chosen, const Point& point) const;
  [[nodiscard]] std::vector<Point> points() const;
  [[nodiscard]] Variant variant(const Case* chosen, const Point& point) const;
  [[nodiscard]] ConfigArray resolved_cases() const;
  [[nodiscard]] ConfigTable resolved_axes() const;

  ConfigTable table_;  ///< without case and sweep
  ConfigTable overrides_;
  std::vector<Case> cases_;
  std::vector<Axis> axes_;
};

/// A value as people write it in a name: texts without quotes.
std::string short_text(const ConfigValue& value);

}  // namespace weir::experiment

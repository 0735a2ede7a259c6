#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/report/figure/plot_spec.hpp"

namespace weir::report {

/// A `[[plot]]` table, with what the figure has in another form.
struct PlotKeys : PlotSpec {
  ConfigValue metric;
  std::optional<ConfigValue> wanted_runs;
  std::optional<std::vector<double>> x_limits;
  std::optional<std::vector<double>> y_limits;
  std::optional<std::vector<std::string>> shade_limits;
  std::optional<ConfigValue> reference;
};

/// A table in `reference`.
struct ReferenceKeys : ReferenceSpec {
  std::optional<ConfigValue> pairs;
};

const Keys<PlotKeys>& plot_keys();
const Keys<ReferenceKeys>& reference_keys();

}  // namespace weir::report

#include "weir/report/results/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "weir/base/problems.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::report {
namespace {

PlotSpec read_figure(const ConfigTable& table, const std::string& where,
                     const std::vector<std::string>& swept) {
  PlotSpec spec = PlotSpec::read(table, where);
  Problems problems;
  const auto check = [&](const char* key, const std::string& value,
                         std::vector<std::string> also_known) {
    also_known.insert(also_known.end(), swept.begin(), swept.end());
    const bool is_known =
        std::find(also_known.begin(), also_known.end(), value) != also_known.end();
    if (value.empty() || is_known) return;
    problems.add(InputError(table.find(key)->position, where + "." + key,
                            "'" + value + "' is not swept" + suggestion(value, also_known)));
  };
  if (!spec.x_metric) check("x", spec.x, {"time", "case"});
  check("along", spec.along, {});
  check("panel", spec.panel, {"case", "metric"});
  problems.raise();
  return spec;
}

std::vector<PlotSpec> read_all_figures(const std::vector<ConfigTable>& plots,
                                       const experiment::Variant& first) {
  std::vector<std::string> swept;
  for (const auto& [key, value] : first.settings) swept.push_back(key);
  std::vector<PlotSpec> figures;
  Problems problems;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    problems.attempt(
        [&] { figures.push_back(read_figure(plots[i], fmt::format("plot[{}]", i), swept)); });
  }
  problems.raise();
  return figures;
}

/// What is no name of a metric at all is a mistake of the section, and told with it.
std::vector<MetricName> columns_in(const ConfigTable& table) {
  std::vector<MetricName> columns;
  const ConfigValue* list = experiment::find_value(table, "results.columns");
  if (list == nullptr || !list->is_array()) return columns;
  Problems problems;
  for (const ConfigValue& name : list->array()) {
    if (!name.is_text()) continue;
    problems.attempt([&] {
      columns.push_back(parse_metric_name(name.text(), name.position, "results.columns"));
      const MetricKind& kind = metric_kind(columns.back().metric);
      if ((kind.forms & metric_form::kScalar) != 0) return;
      throw InputError(name.position, "results.columns",
                       "'" + columns.back().metric + "' is no single number of a run");
    });
  }
  problems.raise();
  return columns;
}

/// The tables among them: all else is a mistake of the file, and told with it.
std::vector<ConfigTable> plots_in(const ConfigTable& table) {
  std::vector<ConfigTable> plots;
  const ConfigValue* list = table.find("plot");
  if (list == nullptr || !list->is_array()) return plots;
  for (const ConfigValue& value : list->array()) {
    if (!value.is_table()) return {};
    plots.push_back(placed_table(value));
  }
  return plots;
}

}  // namespace

void check_experiment(const std::vector<experiment::Variant>& variants) {
  Problems problems;
  problems.attempt([&] { experiment::check_variants(variants); });
  const experiment::Variant& first = variants.front();
  problems.attempt([&] { (void)read_all_figures(plots_in(first.table), first); });
  problems.attempt([&] { (void)columns_in(first.table); });
  problems.raise();
}

experiment::ExperimentFile checked_experiment(const ConfigTable& file,
                                              const std::vector<ConfigTable>& overrides) {
  Problems problems;
  std::optional<experiment::ExperimentFile> made;
  problems.attempt([&] {
    made.emplace(file, overrides);
    check_experiment(made->variants());
  });
  if (!made) {
    // Without its cases and sweep nobody knows what figures may be drawn over.
    const std::vector<ConfigTable> plots = plots_in(file);
    for (std::size_t i = 0; i < plots.size(); ++i)
      problems.attempt([&] { (void)PlotSpec::read(plots[i], fmt::format("plot[{}]", i)); });
    problems.attempt([&] { (void)columns_in(file); });
  }
  problems.raise();
  return std::move(*made);
}

std::vector<PlotSpec> read_figures(const experiment::Configuration& configuration,
                                   const experiment::Variant& first) {
  return read_all_figures(configuration.plots, first);
}

std::vector<MetricName> read_columns(const experiment::Configuration& configuration) {
  return columns_in(configuration.source);
}

ConfigTable resolved_experiment(const experiment::ExperimentFile& file) {
  ConfigTable table = file.resolved();
  ConfigValue* plots = table.find("plot");
  if (plots == nullptr) return table;
  ConfigArray resolved;
  for (const ConfigValue& plot : plots->array()) {
    const std::string where = fmt::format("plot[{}]", resolved.size());
    resolved.emplace_back(PlotSpec::resolved(plot.table(), where), plot.position);
  }
  plots->data = std::move(resolved);
  return table;
}

}  // namespace weir::report

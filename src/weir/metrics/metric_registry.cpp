#include "weir/metrics/metric_registry.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "weir/metrics/metric_table.hpp"

namespace weir::metrics {

namespace {

using metric_form::kHistogram;
using metric_form::kScalar;
using metric_form::kSeries;

/// "(ns; scalar, series)", for people.
std::string form_text(const MetricKind& kind) {
  std::string text = kind.unit.empty() ? "count" : kind.unit == "1" ? "ratio" : kind.unit;
  std::string_view separator = "; ";
  for (const auto& [bit, name] : {std::pair(kScalar, "scalar"), std::pair(kSeries, "series"),
                                  std::pair(kHistogram, "histogram")}) {
    if ((kind.forms & bit) == 0) continue;
    text.append(separator).append(name);
    separator = ", ";
  }
  return "(" + text + ")";
}

}  // namespace

Registry<MetricKind>& metric_registry() {
  static Registry<MetricKind> registry("metric");
  return registry;
}

MetricTable::MetricTable(const std::vector<MetricRow>& rows) {
  for (const MetricRow& row : rows) {
    const MetricKind kind{row.unit, row.forms};
    metric_registry().add({{row.name, row.meaning + " " + form_text(kind), row.source, {}}, kind});
  }
}

const MetricKind& metric_kind(std::string_view name) {
  try {
    return metric_registry().find(name, {}, "metric").make;
  } catch (const InputError& error) {
    throw std::logic_error(error.what());
  }
}

std::string to_string(const MetricName& name) {
  return name.label.empty() ? name.metric : name.metric + "[" + name.label + "]";
}

MetricName parse_metric_name(std::string_view text, const SourcePosition& position,
                             std::string_view key) {
  MetricName name;
  const std::size_t open = text.find('[');
  name.metric = std::string(text.substr(0, open));
  if (open != std::string_view::npos) {
    if (text.back() != ']' || text.size() == open + 2) {
      throw InputError(position, key,
                       "'" + std::string(text) + "' is not of the form metric[label]");
    }
    name.label = std::string(text.substr(open + 1, text.size() - open - 2));
  }
  (void)metric_registry().find(name.metric, position, key);
  return name;
}

}  // namespace weir::metrics

#include "weir/base/metric_registry.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace weir {

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
  if (kind.sampled != 0) {
    const bool all = kind.sampled == kind.forms;
    const bool is_series = (kind.sampled & kSeries) != 0;
    text.append(all         ? "; sampled"
                : is_series ? "; the series is sampled"
                            : "; the scalar is sampled");
    text += " at the ends of bins, metrics.bin: what happens between them is not seen";
  }
  return "(" + text + ")";
}

std::string needs_text(const MetricKind& kind) {
  if (!kind.needs.empty()) return ". Needs " + kind.needs;
  return kind.series_needs.empty() ? "" : ". Its series needs " + kind.series_needs;
}

}  // namespace

Registry<MetricKind>& metric_registry() {
  static Registry<MetricKind> registry("metric");
  return registry;
}

MetricTable::MetricTable(const std::vector<MetricRow>& rows, const std::string& needs) {
  for (const MetricRow& row : rows) {
    const MetricKind kind{row.unit, row.forms, row.sampled, row.needs.empty() ? needs : row.needs,
                          row.series_needs};
    metric_registry().add(
        {{row.name, row.meaning + needs_text(kind) + " " + form_text(kind), row.source, {}}, kind});
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

std::string needs_of(std::string_view metric, std::uint8_t form) {
  const MetricKind& kind = metric_kind(metric);
  if (!kind.needs.empty()) return "; it needs " + kind.needs;
  const bool of_series = form == kSeries && !kind.series_needs.empty();
  return of_series ? "; its series needs " + kind.series_needs : "";
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

}  // namespace weir

#include "weir/experiment/claims/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "weir/metrics/statistics.hpp"

namespace weir::experiment::claims {
namespace {

/// " (the run has a[x], a[y])", for a label that is not there.
template <class List>
std::string labels_text(const List& list, const MetricName& wanted) {
  std::vector<std::string> there;
  for (const auto& one : list) {
    if (one.name.metric == wanted.metric) there.push_back(to_string(one.name));
  }
  constexpr std::size_t kMost = 8;
  if (there.empty() || there.size() > kMost) return "";
  return fmt::format(" (the run has {})", fmt::join(there, ", "));
}

Reading problem(std::string text) {
  Reading out;
  out.problem = std::move(text);
  return out;
}

Reading nothing(std::string text) {
  Reading out = problem(std::move(text));
  out.is_nothing = true;
  return out;
}

double reduced(const std::vector<double>& bins, ClaimValue::Reduce how) {
  switch (how) {
    case ClaimValue::Reduce::mean:
      return metrics::mean(bins);
    case ClaimValue::Reduce::min:
      return metrics::minimum(bins);
    case ClaimValue::Reduce::max:
      return metrics::maximum(bins);
    case ClaimValue::Reduce::last:
      break;
  }
  return bins.back();
}

Reading read_series(const ClaimValue& value, const RunRecord& run) {
  const std::string name = to_string(value.metric);
  const metrics::Series* series = run.result.find_series(value.metric.metric, value.metric.label);
  if (series == nullptr) {
    return nothing(fmt::format("the run has no series {}{}{}", name,
                               labels_text(run.result.series, value.metric),
                               needs_of(value.metric.metric, metric_form::kSeries)));
  }
  std::vector<double> bins;
  for (std::size_t k = 0; k < series->values.size(); ++k) {
    const Time start = series->start + series->bin * static_cast<std::int64_t>(k);
    const bool is_inside =
        (!value.from || start >= *value.from) && (!value.to || start + series->bin <= *value.to);
    if (is_inside && !std::isnan(series->values[k])) bins.push_back(series->values[k]);
  }
  if (bins.empty()) return nothing(fmt::format("{} has no bins in this time", name));
  Reading out;
  out.value = reduced(bins, value.reduce);
  return out;
}

Reading read_scalar(const ClaimValue& value, const RunRecord& run) {
  const std::string name = to_string(value.metric);
  const auto& all = run.result.scalars;
  const auto it = std::find_if(all.begin(), all.end(),
                               [&](const auto& one) { return one.name == value.metric; });
  if (it == all.end()) {
    return nothing(fmt::format("the run has no {}{}{}", name, labels_text(all, value.metric),
                               needs_of(value.metric.metric)));
  }
  if (it->quality == metrics::Quality::not_stationary) {
    return problem(fmt::format("{} is not stationary", name));
  }
  if (std::isnan(it->value)) return nothing(fmt::format("{}: there was nothing to measure", name));
  Reading out;
  out.value = it->value;
  out.half_width = it->half_width;
  return out;
}

}  // namespace

Reading read(const ClaimValue& value, const RunRecord& run) {
  Reading out = value.is_series ? read_series(value, run) : read_scalar(value, run);
  if (out.is_nothing && value.otherwise) {
    out = Reading{};
    out.value = *value.otherwise;
    return out;
  }
  const double factor = unit_of_metric(value.metric.metric).factor / value.unit.factor;
  out.value *= factor;
  out.half_width *= factor;
  return out;
}

}  // namespace weir::experiment::claims

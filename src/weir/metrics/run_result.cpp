#include "weir/metrics/run_result.hpp"

#include <stdexcept>
#include <utility>

namespace weir::metrics {

namespace {

MetricName checked(std::string_view metric, std::string_view label, std::uint8_t form) {
  if ((metric_kind(metric).forms & form) == 0) {
    throw std::logic_error("the metric '" + std::string(metric) +
                           "' is not described in this form");
  }
  return {std::string(metric), std::string(label)};
}

}  // namespace

void RunResult::add_scalar(std::string_view metric, std::string_view label, double value) {
  scalars.push_back({checked(metric, label, metric_form::kScalar), value});
}

void RunResult::add_series(std::string_view metric, std::string_view label, Time start, Time bin,
                           std::vector<double> values) {
  series.push_back({checked(metric, label, metric_form::kSeries), start, bin, std::move(values)});
}

void RunResult::add_histogram(std::string_view metric, std::string_view label,
                              const Histogram& histogram) {
  histograms.push_back({checked(metric, label, metric_form::kHistogram), histogram});
}

void RunResult::add_run(std::uint64_t events, std::uint64_t packet_hops, Time simulated,
                        double wall_seconds) {
  add_scalar("events", "", static_cast<double>(events));
  add_scalar("packet_hops", "", static_cast<double>(packet_hops));
  add_scalar("simulated_time", "", to_nanoseconds(simulated));
  add_scalar("wall_time", "", wall_seconds);
  if (wall_seconds > 0) {
    add_scalar("hops_per_second", "", static_cast<double>(packet_hops) / wall_seconds);
  }
}

const double* RunResult::scalar(std::string_view metric, std::string_view label) const {
  for (const Scalar& s : scalars) {
    if (s.name.metric == metric && s.name.label == label) return &s.value;
  }
  return nullptr;
}

const Series* RunResult::find_series(std::string_view metric, std::string_view label) const {
  for (const Series& s : series) {
    if (s.name.metric == metric && s.name.label == label) return &s;
  }
  return nullptr;
}

}  // namespace weir::metrics

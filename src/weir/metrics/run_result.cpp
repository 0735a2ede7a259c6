#include "weir/metrics/run_result.hpp"

#include <stdexcept>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::metrics {

namespace {

MetricName checked(std::string_view metric, std::string_view label, std::uint8_t form,
                   Reading reading = Reading::exact) {
  const MetricKind& kind = metric_kind(metric);
  if ((kind.forms & form) == 0) {
    throw std::logic_error("the metric '" + std::string(metric) +
                           "' is not described in this form");
  }
  if (((kind.sampled & form) != 0) != (reading == Reading::sampled)) {
    throw std::logic_error("the metric '" + std::string(metric) + "' is described as " +
                           (reading == Reading::sampled ? "exact" : "sampled") + ", but is not");
  }
  return {std::string(metric), std::string(label)};
}

}  // namespace

std::string_view to_string(Quality quality) {
  switch (quality) {
    case Quality::plain:
      return "plain";
    case Quality::estimated:
      return "estimated";
    case Quality::not_stationary:
      return "not stationary";
  }
  throw std::logic_error("no such quality");
}

Quality parse_quality(std::string_view text) {
  for (const Quality quality : {Quality::plain, Quality::estimated, Quality::not_stationary}) {
    if (text == to_string(quality)) return quality;
  }
  throw InputError("'" + std::string(text) + "' is no quality of a number");
}

void RunResult::add_scalar(std::string_view metric, std::string_view label, double value,
                           Reading reading) {
  scalars.push_back(
      {.name = checked(metric, label, metric_form::kScalar, reading), .value = value});
}

void RunResult::add_series(std::string_view metric, std::string_view label, Time start, Time bin,
                           std::vector<double> values, Reading reading) {
  series.push_back(
      {checked(metric, label, metric_form::kSeries, reading), start, bin, std::move(values)});
}

void RunResult::add_histogram(std::string_view metric, std::string_view label,
                              const Histogram& histogram) {
  histograms.push_back({checked(metric, label, metric_form::kHistogram), histogram});
}

void RunResult::add_run(std::uint64_t events, std::uint64_t packet_hops, Time simulated,
                        double seconds) {
  add_scalar("events", "", static_cast<double>(events));
  add_scalar("packet_hops", "", static_cast<double>(packet_hops));
  add_scalar("simulated_time", "", to_nanoseconds(simulated));
  wall_seconds = seconds;
}

double RunResult::hops_per_second() const {
  const double* hops = scalar("packet_hops");
  const double seconds = cpu_seconds > 0 ? cpu_seconds : wall_seconds;
  return hops != nullptr && seconds > 0 ? *hops / seconds
                                        : std::numeric_limits<double>::quiet_NaN();
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

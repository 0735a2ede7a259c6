#include "weir/report/page/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/base/metric_registry.hpp"
#include "weir/report/figure/sampling.hpp"
#include "weir/report/page/bibliography.hpp"

namespace weir::report {

using experiment::Configuration;
using experiment::RunRecord;
using nlohmann::json;

namespace {

/// Histograms keep values in ps; the page has them in the unit of the metric.
constexpr double kPsPerNs = 1e3;
constexpr std::size_t kMostBuckets = 200;

json named(const MetricName& name) { return {{"metric", name.metric}, {"label", name.label}}; }

json page_scalars_of(const RunRecord& run) {
  json out = json::array();
  for (const metrics::Scalar& scalar : run.result.scalars) {
    json one = named(scalar.name);
    one["value"] = page_number(scalar.value);
    one["half_width"] = page_number(scalar.half_width);
    one["quality"] = metrics::to_string(scalar.quality);
    out.push_back(std::move(one));
  }
  return out;
}

/// Where the measuring window begins.
double warmup_ns(const RunRecord& run, const Configuration* configuration) {
  if (const double* detected = run.result.scalar("warmup_detected")) return *detected;
  return configuration == nullptr ? 0.0 : to_nanoseconds(configuration->warmup);
}

/// Of single ports there are frames.
bool is_of_one_port(const MetricName& name) {
  return name.metric == "link_utilization" || name.metric == "link_wait" ||
         name.metric == "link_queued" || name.metric == "set_aside_at_side";
}

json series_to_json(const metrics::Series& series) {
  json one = named(series.name);
  one["start_ns"] = to_nanoseconds(series.start);
  one["bin_ns"] = to_nanoseconds(series.bin);
  json values = json::array();
  for (const double value : series.values) values.push_back(page_number(value));
  one["values"] = std::move(values);
  return one;
}

json histogram_to_json(const metrics::NamedHistogram& histogram) {
  json one = named(histogram.name);
  json buckets = json::array();
  for (const auto& [middle, count] : buckets_of(histogram.histogram, kMostBuckets)) {
    buckets.push_back({page_number(middle / kPsPerNs), count});
  }
  one["buckets"] = std::move(buckets);
  return one;
}

std::string without_form(const std::string& purpose) {
  return purpose.substr(0, purpose.rfind(" ("));
}

}  // namespace

json page_number(double value) {
  constexpr double kExact = 9e15;
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < kExact) {
    return static_cast<std::int64_t>(value);
  }
  return rounded(value);
}

json run_to_json(const RunRecord& run, const Configuration* configuration) {
  json parameters = json::array();
  for (const auto& [key, value] : run.parameters) parameters.push_back({key, value});
  const double wall = run.result.wall_seconds;
  const double cpu = run.result.cpu_seconds;
  const Time end = end_of(run, configuration);
  return {{"id", run.id},
          {"case", run.case_name},
          {"parameters", std::move(parameters)},
          {"seed", run.seed},
          {"status", run.status},
          {"error", run.error},
          {"host", run.host},
          {"started", run.started},
          {"finished", run.finished},
          {"wall_seconds", wall > 0 ? page_number(wall) : json(nullptr)},
          {"cpu_seconds", cpu > 0 ? page_number(cpu) : json(nullptr)},
          {"version", run.version},
          {"hash", run.configuration_hash},
          {"fingerprint", fmt::format("{:016x}", run.result.fingerprint)},
          {"configuration", run.configuration},
          {"notes", run.result.notes},
          {"duration_ns", to_nanoseconds(end)},
          {"warmup_ns", warmup_ns(run, configuration)},
          {"scalars", page_scalars_of(run)},
          {"marks", configuration == nullptr ? json::array() : marks_of(*configuration, end)}};
}

json lines_of(const RunRecord& run, std::size_t most_points) {
  json series = json::array();
  for (const metrics::Series& one : run.result.series) {
    if (!is_of_one_port(one.name)) series.push_back(series_to_json(thinned(one, most_points)));
  }
  json histograms = json::array();
  for (const metrics::NamedHistogram& one : run.result.histograms) {
    histograms.push_back(histogram_to_json(one));
  }
  return {{"series", std::move(series)}, {"histograms", std::move(histograms)}};
}

void collect_metrics(const metrics::RunResult& result, std::set<std::string>& names) {
  for (const auto& one : result.scalars) names.insert(one.name.metric);
  for (const auto& one : result.series) names.insert(one.name.metric);
  for (const auto& one : result.histograms) names.insert(one.name.metric);
}

json metrics_to_json(const std::set<std::string>& names) {
  json out = json::object();
  for (const ModelInfo* info : metric_registry().models()) {
    if (!names.contains(info->name)) continue;
    out[info->name] = {{"unit", metric_kind(info->name).unit},
                       {"meaning", without_form(info->purpose)},
                       {"source", citation_text(info->citation)}};
  }
  return out;
}

Time end_of(const RunRecord& run, const Configuration* configuration) {
  const double* simulated = run.result.scalar("simulated_time");
  if (simulated != nullptr && std::isfinite(*simulated)) {
    return Time(static_cast<std::int64_t>(std::llround(*simulated * kPsPerNs)));
  }
  return configuration == nullptr ? Time(0) : configuration->duration.value_or(Time(0));
}

}  // namespace weir::report

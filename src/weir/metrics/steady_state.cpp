#include "weir/metrics/steady_state.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace weir::metrics {

namespace {

constexpr double kFewestPackets = 1'000;
constexpr double kTolerance = 0.1;  ///< of MSER-5
constexpr double kGbpsPerBytePerPicosecond = 8e3;
constexpr double kNanoseconds = 1e-3;  ///< a picosecond

using Totals = TrafficTotals;

/// A mean as a ratio of two sums over slices.
struct SteadyMean {
  std::string_view metric;
  std::uint64_t Totals::*sum;
  std::uint64_t Totals::*weight;  ///< null: time
  bool is_share = false;          ///< of the capacity
};

constexpr std::array<SteadyMean, 7> kMeans{{
    {"latency_mean", &Totals::latency, &Totals::packets},
    {"network_latency_mean", &Totals::network_latency, &Totals::packets},
    {"message_latency_mean", &Totals::message_latency, &Totals::messages},
    {"throughput", &Totals::delivered, nullptr},
    {"efficiency", &Totals::delivered, nullptr, true},
    {"offered", &Totals::generated, nullptr},
    {"injected", &Totals::injected, nullptr},
}};

constexpr auto kNames = [] {
  std::array<std::string_view, kMeans.size()> names;
  for (std::size_t i = 0; i < kMeans.size(); ++i) names[i] = kMeans[i].metric;
  return names;
}();

const SteadyMean& find(std::string_view metric) {
  for (const SteadyMean& mean : kMeans) {
    if (mean.metric == metric) return mean;
  }
  throw std::logic_error("no steady-state mean is called '" + std::string(metric) + "'");
}

RatioSlice slice_of(const SteadyMean& mean, const SliceSequence& sequence, std::size_t k) {
  const Totals& slice = sequence.slices[k];
  const auto sum = static_cast<double>(slice.*mean.sum);
  if (mean.weight == nullptr) {
    return {sum * kGbpsPerBytePerPicosecond, static_cast<double>(sequence.length_of(k).count)};
  }
  return {sum * kNanoseconds, static_cast<double>(slice.*mean.weight)};
}

/// MSER-5 over the slices in which there is something to average.
Truncation cut_of(const SteadyMean& mean, const SliceSequence& sequence) {
  std::vector<double> values;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < sequence.slices.size(); ++k) {
    const RatioSlice slice = slice_of(mean, sequence, k);
    if (!(slice.weight > 0)) continue;
    values.push_back(slice.sum / slice.weight);
    places.push_back(k);
  }
  Truncation cut = mser5(values, kTolerance);
  cut.first = cut.first == 0 ? 0 : cut.first < places.size() ? places[cut.first] : places.back();
  const std::size_t half = sequence.slices.size() / 2;
  if (cut.first > half) cut.is_settled = false;
  if (!cut.is_settled) cut.first = half;
  return cut;
}

}  // namespace

std::span<const std::string_view> estimated_metrics() { return kNames; }

bool is_estimated(std::string_view metric) {
  return std::find(kNames.begin(), kNames.end(), metric) != kNames.end();
}

BatchMeans estimate_mean(std::string_view metric, const SliceSequence& sequence, std::size_t first,
                         Rate capacity, double confidence) {
  const SteadyMean& mean = find(metric);
  std::vector<RatioSlice> slices;
  double weight = 0;
  for (std::size_t k = first; k < sequence.slices.size(); ++k) {
    slices.push_back(slice_of(mean, sequence, k));
    if (mean.is_share) slices.back().sum /= static_cast<double>(capacity.count) * 1e-9;
    weight += slices.back().weight;
  }
  BatchMeans out = batch_means(slices, confidence);
  if (mean.weight != nullptr && weight < kFewestPackets && out.verdict == Verdict::estimated) {
    out.verdict = Verdict::too_short;
    out.half_width = std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

Truncation find_warm_up(const SliceSequence& sequence) {
  Truncation latest{0, true};
  const bool is_silent = std::all_of(sequence.slices.begin(), sequence.slices.end(),
                                     [](const Totals& slice) { return slice.packets == 0; });
  if (is_silent) return latest;
  for (const char* metric : {"throughput", "latency_mean", "network_latency_mean"}) {
    const Truncation cut = cut_of(find(metric), sequence);
    latest.first = std::max(latest.first, cut.first);
    latest.is_settled = latest.is_settled && cut.is_settled;
  }
  return latest;
}

}  // namespace weir::metrics

// Queueing models: how long sweeps over them take. See docs/mechanisms/queueing-models.md.

#include <benchmark/benchmark.h>

#include "weir/analysis/credit_tandem.hpp"
#include "weir/analysis/threshold_queue.hpp"

namespace weir::bench {
namespace {

constexpr int kPoints = 1000;

/// A thousand points of AJT over the arrival rate, `capacity` packets a lane.
void thresholds(benchmark::State& state) {
  const std::int64_t capacity = state.range(0);
  for (auto _ : state) {
    double sum = 0;
    for (int i = 1; i <= kPoints; ++i) {
      const analysis::ArrivalJobThresholdQueue queue{
          12.0 * i / kPoints, 5, 7, {8, 16, 12}, capacity, {capacity / 2, capacity / 2}};
      sum += queue.solve().mean_length;
    }
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(thresholds)->Arg(8)->Arg(100)->Unit(benchmark::kMillisecond);

/// The same in closed form: independent of the capacity.
void closed_form(benchmark::State& state) {
  const std::int64_t capacity = state.range(0);
  for (auto _ : state) {
    double sum = 0;
    for (int i = 1; i <= kPoints; ++i) {
      const analysis::ArrivalJobThresholdQueue queue{
          12.0 * i / kPoints, 5, 7, {8, 16, 12}, capacity, {capacity / 2, capacity / 2}};
      sum += queue.levels().solve_closed_form().mean_length;
    }
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(closed_form)->Arg(8)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// A thousand tandems of n packets on both sides.
void tandem(benchmark::State& state) {
  for (auto _ : state) {
    double sum = 0;
    for (int i = 1; i <= kPoints; ++i) {
      const analysis::CreditTandem queue{10.0 * i / kPoints, 6, 8, state.range(0), state.range(0)};
      sum += queue.solve().throughput;
    }
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(tandem)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weir::bench

BENCHMARK_MAIN();

#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/cases.hpp"
#include "bench/cpu_clock.hpp"
#include "bench/hold_model.hpp"
#include "bench/network.hpp"
#include "bench/pointer_chase.hpp"

namespace weir::bench {

/// How long to measure.
struct Effort {
  int windows = 9;
  double window_hops = 1.5e6;
  double warm_up_hops = 12e6;        ///< at most
  Time warm_up = microseconds(600);  ///< at most
  std::size_t floor_reads = 400'000;
  std::size_t holds = 400'000;
};

/// Cost of the machine's own steps, measured between the windows of everything else.
class Floor {
 public:
  explicit Floor(std::size_t reads) : reads_(reads), small_(8U << 20), large_(64U << 20) {}
  void measure() {
    ns_8_mib.push_back(small_.measure(reads_));
    ns_64_mib.push_back(large_.measure(reads_));
  }
  std::vector<double> ns_8_mib;
  std::vector<double> ns_64_mib;

 private:
  std::size_t reads_;
  PointerChase small_;
  PointerChase large_;
};

struct CaseResult {
  Case what;
  std::size_t hosts = 0;
  double hops_per_second = 0;
  double ns_per_hop = 0;
  double fastest_ns_per_hop = 0;
  double floor_8_mib = 0;  ///< medians of what was measured between this case's windows
  double floor_64_mib = 0;
  double events_per_hop = 0;
  double events_per_second = 0;
  double simulated_us = 0;
  std::uint64_t hops = 0;         ///< in all windows
  std::uint64_t allocations = 0;  ///< in all windows
  double allocated_bytes = 0;     ///< growth of the heap in all windows
  double model_bytes_per_host = 0;
  double heap_peak = 0;
  double resident_peak = 0;
  double over_reference = 0;  ///< median of the ratios of windows; 0 outside comparisons
};

/// Peak resident memory of the process since the last reset, in bytes; 0 where the system does not
/// tell.
inline double resident_peak() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    double kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  return 0;
}
inline void reset_peaks() {
  malloc_trim(0);
  heap.peak = heap.live;
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// Runs the fabric until its queues have filled, and says how much simulated time a window takes.
inline Time warm_up(fabric::Fabric& fabric, const Effort& effort) {
  const Time step = effort.warm_up / 40;
  while (fabric.now() < effort.warm_up &&
         static_cast<double>(fabric.counters().packet_hops) < effort.warm_up_hops) {
    fabric.run_until(fabric.now() + step);
  }
  const auto before = static_cast<double>(fabric.counters().packet_hops);
  const Time from = fabric.now();
  fabric.run_until(from + step);
  const double hops_per_ps = (static_cast<double>(fabric.counters().packet_hops) - before) /
                             static_cast<double>((fabric.now() - from).count);
  return Time(static_cast<std::int64_t>(effort.window_hops / hops_per_ps));
}

struct Window {
  double ns_per_hop = 0;
  std::uint64_t allocations = 0;
};

/// CPU time and allocations of one window, with the checks that fall into it.
inline Window measure_window(fabric::Fabric& fabric, Time length) {
  const std::uint64_t before = heap.allocations;
  const double start = cpu_seconds();
  const std::uint64_t hops = fabric.counters().packet_hops;
  fabric.run_until(fabric.now() + length);
  const double spent = cpu_seconds() - start;
  return {spent * 1e9 / static_cast<double>(fabric.counters().packet_hops - hops),
          heap.allocations - before};
}

/// One case under way: windows are measured one at a time.
class Measurement {
 public:
  Measurement(const Case& what, const Effort& effort)
      : what_(what), heap_before_(static_cast<double>(heap.live)), simulation_(what) {
    length_ = warm_up(simulation_.fabric(), effort);
    before_ = simulation_.fabric().counters();
  }

  void measure(Floor& floor) {
    floor.measure();
    small_.push_back(floor.ns_8_mib.back());
    large_.push_back(floor.ns_64_mib.back());
    const auto live = static_cast<double>(heap.live);
    const Window window = measure_window(simulation_.fabric(), length_);
    costs_.push_back(window.ns_per_hop);
    allocations_ += window.allocations;
    grown_ += static_cast<double>(heap.live) - live;
  }

  /// ns per hop of each window.
  [[nodiscard]] const std::vector<double>& costs() const { return costs_; }

  [[nodiscard]] CaseResult result() {
    const fabric::Fabric& fabric = simulation_.fabric();
    CaseResult r;
    r.what = what_;
    r.hosts = simulation_.hosts();
    r.ns_per_hop = median(costs_);
    r.fastest_ns_per_hop = *std::min_element(costs_.begin(), costs_.end());
    r.hops_per_second = 1e9 / r.ns_per_hop;
    r.floor_8_mib = median(small_);
    r.floor_64_mib = median(large_);
    r.hops = fabric.counters().packet_hops - before_.packet_hops;
    r.events_per_hop = static_cast<double>(fabric.counters().events - before_.events) /
                       static_cast<double>(r.hops);
    r.events_per_second = r.events_per_hop * r.hops_per_second;
    r.simulated_us = to_nanoseconds(fabric.now()) * 1e-3;
    r.allocations = allocations_;
    r.allocated_bytes = grown_;
    r.model_bytes_per_host = static_cast<double>(fabric.memory()) / static_cast<double>(r.hosts);
    r.heap_peak = static_cast<double>(heap.peak) - heap_before_;
    r.resident_peak = resident_peak();
    return r;
  }

 private:
  Case what_;
  double heap_before_ = 0;
  Simulation simulation_;
  Time length_{};
  fabric::Counters before_;
  std::vector<double> costs_;
  std::vector<double> small_;
  std::vector<double> large_;
  std::uint64_t allocations_ = 0;
  double grown_ = 0;
};

inline CaseResult measure_case(const Case& what, const Effort& effort, Floor& floor) {
  reset_peaks();
  Measurement measurement(what, effort);
  for (int w = 0; w < effort.windows; ++w) measurement.measure(floor);
  return measurement.result();
}

/// Measures the cases window by window in turn. Peaks of memory are those of all together.
inline std::vector<CaseResult> measure_comparison(const Comparison& comparison,
                                                  const Effort& effort, Floor& floor) {
  reset_peaks();
  std::vector<std::unique_ptr<Measurement>> all;
  for (const Case& c : comparison.cases) all.push_back(std::make_unique<Measurement>(c, effort));
  for (int w = 0; w < effort.windows; ++w) {
    for (const auto& measurement : all) measurement->measure(floor);
  }
  std::vector<CaseResult> results;
  for (const auto& measurement : all) {
    results.push_back(measurement->result());
    std::vector<double> ratios;
    for (std::size_t w = 0; w < measurement->costs().size(); ++w) {
      ratios.push_back(measurement->costs()[w] / all.front()->costs()[w]);
    }
    results.back().over_reference = median(std::move(ratios));
  }
  return results;
}

/// The event set against a standard heap, both in the hold model.
struct HoldResult {
  std::size_t pending = 0;
  Delays delays = Delays::network;
  double heap_ns = 0;
  double engine_ns = 0;
};

inline HoldResult measure_hold(std::size_t pending, Delays delays, const Effort& effort) {
  HoldModel<StandardHeap> standard(pending, delays);
  HoldModel<EngineQueue> engine(pending, delays);
  std::vector<double> heap_ns;
  std::vector<double> engine_ns;
  for (int w = 0; w < effort.windows; ++w) {
    heap_ns.push_back(standard.measure(effort.holds));
    engine_ns.push_back(engine.measure(effort.holds));
  }
  return {pending, delays, median(heap_ns), median(engine_ns)};
}

}  // namespace weir::bench

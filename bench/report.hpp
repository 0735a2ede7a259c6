#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/measure.hpp"

namespace weir::bench {

struct Report {
  Floor* floor = nullptr;
  std::vector<HoldResult> holds;
  std::vector<CaseResult> cases;
  struct Compared {
    Comparison what;
    std::vector<CaseResult> cases;
  };
  std::vector<Compared> comparisons;
};

/// One aim of the project, as a ratio measured in one run.
struct Aim {
  std::string text;
  double value = 0;
  double limit = 0;
  bool at_least = false;
  [[nodiscard]] bool met() const { return at_least ? value >= limit : value <= limit; }
};

inline std::string label(const CaseResult& r) { return label(r.what); }

inline void print_hold_header() {
  fmt::print("\nEvent sets, hold model, ns per take and push\n{:>9}  {:<8} {:>10} {:>8} {:>7}\n",
             "pending", "delays", "std heap", "engine", "ratio");
}
inline void print_hold(const HoldResult& h) {
  fmt::print("{:>9}  {:<8} {:>10.1f} {:>8.1f} {:>6.1f}x\n", h.pending,
             h.delays == Delays::network ? "network" : "random", h.heap_ns, h.engine_ns,
             h.heap_ns / h.engine_ns);
  std::fflush(stdout);
}

inline void print_case_header() {
  fmt::print(
      "\nPacket-hops on one core (medians; reads: cost of a hop in random reads of the "
      "same minutes)\n{:<14} {:>6} {:<13} {:<12} {:>7} {:>7} {:>6} {:>6} {:>7} {:>8} {:>8} "
      "{:>7} {:>9} {:>9}\n",
      "network", "hosts", "load", "switches", "Mhop/s", "ns/hop", "reads8", "read64", "ev/hop",
      "Mevent/s", "allocs", "grew", "B/host", "peak MiB");
}
inline void print_case(const CaseResult& r) {
  fmt::print(
      "{:<14} {:>6} {:<13} {:<12} {:>7.2f} {:>7.1f} {:>6.1f} {:>6.2f} {:>7.2f} {:>8.1f} "
      "{:>8} {:>6.1f}M {:>9.0f} {:>9.0f}\n",
      r.what.network.label, r.hosts, r.what.load.label(), r.what.switches(),
      r.hops_per_second * 1e-6, r.ns_per_hop, r.ns_per_hop / r.floor_8_mib,
      r.ns_per_hop / r.floor_64_mib, r.events_per_hop, r.events_per_second * 1e-6, r.allocations,
      r.allocated_bytes / 1048576.0, r.model_bytes_per_host, r.resident_peak / 1048576.0);
  std::fflush(stdout);
}

inline void add_growth(const Report& report, std::vector<Aim>& aims) {
  for (const CaseResult& large : report.cases) {
    if (large.hosts != 4'096) continue;
    for (const CaseResult& small : report.cases) {
      if (small.hosts != 64 || small.what.load.label() != large.what.load.label() ||
          small.what.switches() != large.what.switches()) {
        continue;
      }
      aims.push_back({"growth of a hop from 64 to 4096 hosts, " + large.what.load.label() + ", " +
                          large.what.switches(),
                      large.ns_per_hop / small.ns_per_hop, 2.0});
    }
  }
}

inline void add_comparisons(const Report& report, std::vector<Aim>& aims) {
  for (const Report::Compared& comparison : report.comparisons) {
    for (std::size_t i = 1; i < comparison.cases.size(); ++i) {
      const CaseResult& r = comparison.cases[i];
      aims.push_back({"a hop against " + comparison.what.against + ": " + label(r),
                      r.over_reference, comparison.what.aim});
    }
  }
}

inline std::vector<Aim> aims(const Report& report) {
  std::vector<Aim> all;
  std::uint64_t allocations = 0;
  for (const CaseResult& r : report.cases) {
    if (r.hosts <= 512)
      all.push_back({"8 MiB reads a hop: " + label(r), r.ns_per_hop / r.floor_8_mib, 8.0});
    if (r.hosts == 4'096)
      all.push_back({"64 MiB reads a hop: " + label(r), r.ns_per_hop / r.floor_64_mib, 2.5});
    if (r.hosts == 64) allocations += r.allocations;
    const double gib = r.resident_peak / 1073741824.0;
    if (r.hosts == 4'096) all.push_back({"GiB resident: " + label(r), gib, 1.0});
    if (r.hosts == 65'536) all.push_back({"GiB resident: " + label(r), gib, 16.0});
  }
  add_growth(report, all);
  add_comparisons(report, all);
  for (const HoldResult& h : report.holds) {
    if (h.pending != 100'000) continue;
    all.push_back({fmt::format("event set against std heap at 1e5 pending, {} delays",
                               h.delays == Delays::network ? "network" : "random"),
                   h.heap_ns / h.engine_ns, 8.0, true});
  }
  all.push_back(
      {"allocations in steady state, 64 hosts, all loads", static_cast<double>(allocations), 0.0});
  return all;
}

inline void print_aims(const Report& report) {
  fmt::print("\nFloor (medians over the run): {:.1f} ns a read in 8 MiB, {:.1f} ns in 64 MiB\n",
             median(report.floor->ns_8_mib), median(report.floor->ns_64_mib));
  fmt::print("\nAims\n");
  for (const Aim& aim : aims(report)) {
    fmt::print("{:<6} {:>9.2f} {} {:<5} {}\n", aim.met() ? "met" : "MISSED", aim.value,
               aim.at_least ? ">=" : "<=", aim.limit, aim.text);
  }
}

inline nlohmann::json to_json(const CaseResult& r) {
  return {{"network", r.what.network.label},
          {"hosts", r.hosts},
          {"load", r.what.load.label()},
          {"switches", r.what.switches()},
          {"ns_per_hop", r.ns_per_hop},
          {"fastest_ns_per_hop", r.fastest_ns_per_hop},
          {"hops_per_second", r.hops_per_second},
          {"floor_ns_8_mib", r.floor_8_mib},
          {"floor_ns_64_mib", r.floor_64_mib},
          {"events_per_hop", r.events_per_hop},
          {"events_per_second", r.events_per_second},
          {"hops", r.hops},
          {"simulated_us", r.simulated_us},
          {"allocations", r.allocations},
          {"allocated_bytes", r.allocated_bytes},
          {"model_bytes_per_host", r.model_bytes_per_host},
          {"heap_peak_bytes", r.heap_peak},
          {"resident_peak_bytes", r.resident_peak}};
}

inline nlohmann::json to_json(const Report& report) {
  nlohmann::json json;
  json["floor"] = {{"ns_8_mib", median(report.floor->ns_8_mib)},
                   {"ns_64_mib", median(report.floor->ns_64_mib)}};
  for (const HoldResult& h : report.holds) {
    json["event_sets"].push_back({{"pending", h.pending},
                                  {"delays", h.delays == Delays::network ? "network" : "random"},
                                  {"std_heap_ns", h.heap_ns},
                                  {"engine_ns", h.engine_ns}});
  }
  for (const CaseResult& r : report.cases) json["fabric"].push_back(to_json(r));
  for (const Report::Compared& comparison : report.comparisons) {
    for (const CaseResult& r : comparison.cases) {
      json["comparisons"].push_back(to_json(r));
      json["comparisons"].back()["over_reference"] = r.over_reference;
    }
  }
  for (const Aim& aim : aims(report)) {
    json["aims"].push_back({{"text", aim.text},
                            {"value", aim.value},
                            {"limit", aim.limit},
                            {"at_least", aim.at_least},
                            {"met", aim.met()}});
  }
  return json;
}

}  // namespace weir::bench

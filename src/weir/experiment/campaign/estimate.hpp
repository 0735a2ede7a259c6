#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/variants.hpp"
#include "weir/experiment/run/network.hpp"

namespace weir::experiment {

/// What runs will need, found out without running them.
struct Estimate {
  Configuration first;
  std::shared_ptr<const Network> network;  ///< of the first run
  std::size_t networks = 0;                ///< different ones
  std::vector<std::string> notes;          ///< of all runs, each once
  double memory = 0;       ///< bytes, of the largest run; without what waits at hosts and metrics
  double packet_hops = 0;  ///< of all runs
  double seconds = 0;      ///< on one core
};

/// What finding out may cost.
struct EstimateEffort {
  double packet_hops = 5e6;  ///< simulated in all
  double seconds = 4;        ///< CPU time of that, about
};

/// Checks all runs and builds their networks; of runs that differ only in the seed, one. What they
/// offer is counted from a sample of the sources; how much of that gets through, and how fast, is
/// found by simulating a part of some of them (RunKind::probe). Throws InputError as the runs
/// would.
Estimate estimate(const std::vector<Variant>& variants, const EstimateEffort& effort = {});

/// What the runs of a plan will need, as far as that could be found out in a given time. The others
/// are taken to be like the mean of those.
struct PlanEstimate {
  std::vector<double> packet_hops;  ///< by run; 0: not asked about, or nothing is known
  double memory = 0;   ///< bytes, of the largest run; without what waits at hosts and metrics
  double seconds = 0;  ///< of all runs, on one core; 0: nothing is known
  std::string no_checkpoints;  ///< key of what keeps one of them from having any; empty: nothing
};

/// Estimates `runs` of a plan for `seconds` at most, but at least the first. Runs that cannot work
/// need nothing.
PlanEstimate estimate_plan(const std::vector<Variant>& plan, const std::vector<std::size_t>& runs,
                           NetworkCache& networks, double seconds);

}  // namespace weir::experiment

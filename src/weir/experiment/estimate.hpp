#pragma once

#include <memory>
#include <vector>

#include "weir/experiment/configuration.hpp"
#include "weir/experiment/network.hpp"
#include "weir/experiment/variants.hpp"

namespace weir::experiment {

/// What runs will need, found out without running them.
struct Estimate {
  Configuration first;
  std::shared_ptr<const Network> network;  ///< of the first run
  std::size_t networks = 0;                ///< different ones
  double memory = 0;                       ///< bytes, of the largest run
  double packet_hops = 0;                  ///< of all runs, when nothing holds packets up
  double seconds = 0;                      ///< on one core
};

/// Checks all runs and builds their networks. Traffic is estimated from a sample of the sources.
/// Throws InputError as the runs would.
Estimate estimate(const std::vector<Variant>& variants);

}  // namespace weir::experiment

#pragma once

#include <cstdint>
#include <vector>

#include "weir/analysis/markov_chain.hpp"

namespace weir::analysis {

/// What two stations behind each other do in steady state.
struct TandemMeasures {
  std::int64_t capacity_2 = 0;
  std::vector<double> distribution;  ///< P(i, j) at i * (capacity_2 + 1) + j
  double mean_length_1 = 0;          ///< L1, packets upstream with the one in service
  double mean_length_2 = 0;          ///< L2, downstream
  double mean_length = 0;            ///< both
  double throughput = 0;             ///< T
  double response_time = 0;          ///< R, of packets that are let in, through both
  double blocking = 0;               ///< an arriving packet finds the first station full
  double credit_stall = 0;           ///< P(packets upstream, but no credit)
  double utilization_1 = 0;          ///< P(the server works)
  double utilization_2 = 0;

  [[nodiscard]] double probability(std::int64_t i, std::int64_t j) const {
    return distribution[static_cast<std::size_t>(i * (capacity_2 + 1) + j)];
  }
};

/// Credit-based flow control of one link: Poisson arrivals at an upstream station of `capacity_1`
/// packets, which sends only with a credit; a credit is a free place of the `capacity_2` packets
/// downstream and is back at once. Exponential services; capacities count the packet in service.
/// What finds the upstream station full is lost, nothing is lost between the two.
/// Source: yan2012, section 4.2 (equations 4.1 to 4.11).
struct CreditTandem {
  double arrival_rate = 0;
  double rate_1 = 0;
  double rate_2 = 0;
  std::int64_t capacity_1 = 0;
  std::int64_t capacity_2 = 0;

  static constexpr std::int64_t kMostStates = 250'000;

  /// Throws InputError for rates not above 0, capacities below 1, more than kMostStates states.
  void check() const;
  [[nodiscard]] MarkovChain chain() const;
  /// Throws InputError as check(), and for methods that need smaller chains.
  [[nodiscard]] TandemMeasures solve(ChainMethod method = ChainMethod::automatic) const;
};

}  // namespace weir::analysis

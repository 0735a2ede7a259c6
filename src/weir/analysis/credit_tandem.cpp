#include "weir/analysis/credit_tandem.hpp"

#include <fmt/format.h>

#include "weir/analysis/ge_distribution.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {

void CreditTandem::check() const {
  check_rate(arrival_rate, "arrival_rate");
  check_rate(rate_1, "rate_1");
  check_rate(rate_2, "rate_2");
  const auto check_capacity = [](std::int64_t capacity, const char* name) {
    if (capacity >= 1 && capacity <= kMostStates) return;
    throw InputError(name, fmt::format("must be 1 to {} packets, not {}", kMostStates, capacity));
  };
  check_capacity(capacity_1, "capacity_1");
  check_capacity(capacity_2, "capacity_2");
  const std::int64_t states = (capacity_1 + 1) * (capacity_2 + 1);
  if (states > kMostStates) {
    throw InputError("capacity_1", fmt::format("{} and {} packets make {} states, more than {}",
                                               capacity_1, capacity_2, states, kMostStates));
  }
}

MarkovChain CreditTandem::chain() const {
  check();
  const auto n = static_cast<std::size_t>(capacity_1);
  const auto m = static_cast<std::size_t>(capacity_2);
  const auto at = [m](std::size_t i, std::size_t j) { return i * (m + 1) + j; };
  MarkovChain chain((n + 1) * (m + 1));
  for (std::size_t i = 0; i <= n; ++i) {
    for (std::size_t j = 0; j <= m; ++j) {
      if (i < n) chain.add(at(i, j), at(i + 1, j), arrival_rate);
      if (i > 0 && j < m) chain.add(at(i, j), at(i - 1, j + 1), rate_1);
      if (j > 0) chain.add(at(i, j), at(i, j - 1), rate_2);
    }
  }
  return chain;
}

TandemMeasures CreditTandem::solve(ChainMethod method) const {
  TandemMeasures out;
  out.capacity_2 = capacity_2;
  out.distribution = chain().stationary(method);
  for (std::int64_t i = 0; i <= capacity_1; ++i) {
    for (std::int64_t j = 0; j <= capacity_2; ++j) {
      const double p = out.probability(i, j);
      out.mean_length_1 += static_cast<double>(i) * p;
      out.mean_length_2 += static_cast<double>(j) * p;
      if (i == capacity_1) out.blocking += p;
      if (i > 0 && j == capacity_2) out.credit_stall += p;
      if (i > 0 && j < capacity_2) out.utilization_1 += p;
      if (j > 0) out.utilization_2 += p;
    }
  }
  out.mean_length = out.mean_length_1 + out.mean_length_2;
  out.throughput = rate_2 * out.utilization_2;
  out.response_time = out.mean_length / out.throughput;
  return out;
}

}  // namespace weir::analysis

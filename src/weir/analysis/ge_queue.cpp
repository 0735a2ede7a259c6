#include "weir/analysis/ge_queue.hpp"

#include <fmt/format.h>

#include <cmath>

#include "weir/analysis/coefficients.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

constexpr double kTail = 1e-15;                  ///< distributions without bound end there
constexpr std::size_t kLongestTail = 1'000'000;  ///< or there

void check_stable(double rho) {
  if (rho < 1) return;
  throw InputError("arrival_rate",
                   fmt::format("a queue without bound needs a load below 1, not {:.6g}; the "
                               "model ge takes a capacity",
                               rho));
}

/// Measures that follow from load and mean length where nothing is lost.
QueueMeasures lossless(double arrival_rate, double rho, double length) {
  QueueMeasures out;
  out.mean_length = length;
  out.throughput = arrival_rate;
  out.response_time = length / arrival_rate;
  out.busy_probability = out.offered_load = out.carried_load = rho;
  out.level_mass = {rho};
  return out;
}

/// P(0) = 1 - rho, P(n) = (1 - rho) g x^n.
QueueMeasures unbounded(const GeQueue& queue, double rho) {
  QueueMeasures out = lossless(queue.arrival_rate, rho,
                               unbounded_length(rho, queue.arrival_scv, queue.service_scv));
  const GeCoefficients c =
      ge_coefficients(rho, {2 / (queue.arrival_scv + 1), 2 / (queue.service_scv + 1)});
  out.distribution = {1 - rho};
  double next = (1 - rho) * c.g * c.x;
  while (next > kTail * (1 - c.x) && out.distribution.size() < kLongestTail) {
    out.distribution.push_back(next);
    next *= c.x;
  }
  return out;
}

/// Stationary distribution of M/D/1 seen at departures, which is that at any time: Ramaswami's
/// recursion, sums of positive numbers only.
std::vector<double> deterministic_distribution(double rho) {
  std::vector<double> arrivals{std::exp(-rho)};  // during a service
  std::vector<double> beyond{1.0};               // at least k
  const auto extend = [&](std::size_t k) {
    while (arrivals.size() <= k) {
      arrivals.push_back(arrivals.back() * rho / static_cast<double>(arrivals.size()));
    }
    while (beyond.size() <= k) {
      // From the far end: a difference from 1 would lose the digits of small tails.
      double tail = 0;
      double term = arrivals[beyond.size()];
      for (std::size_t j = beyond.size(); term > 0 && j < beyond.size() + 200; ++j) {
        tail += term;
        term *= rho / static_cast<double>(j + 1);
      }
      beyond.push_back(tail);
    }
  };
  extend(1);
  std::vector<double> out{1 - rho};
  double left = rho;
  const double served = arrivals[0];  // 1 - P(at least 1 arrives)
  while (left > kTail && out.size() < 20'000) {
    const std::size_t i = out.size();
    extend(i + 1);
    double sum = out[0] * beyond[i];
    for (std::size_t k = 1; k < i; ++k) sum += out[k] * beyond[i + 1 - k];
    out.push_back(sum / served);
    if (out.back() <= 0) break;
    left -= out.back();
  }
  return out;
}

}  // namespace

void GeQueue::check() const {
  if (capacity) {
    LevelQueue{arrival_rate, arrival_scv, service_scv, {{service_rate, *capacity}}}.check();
    return;
  }
  check_rate(arrival_rate, "arrival_rate");
  check_rate(service_rate, "service_rate");
  (void)stage_probability(arrival_scv, "arrival_scv");
  (void)stage_probability(service_scv, "service_scv");
  check_stable(arrival_rate / service_rate);
}

QueueMeasures GeQueue::solve() const {
  check();
  if (!capacity) return unbounded(*this, arrival_rate / service_rate);
  const LevelQueue chain{arrival_rate, arrival_scv, service_scv, {{service_rate, *capacity}}};
  return chain.solve(boundary);
}

QueueMeasures PoissonQueue::solve() const {
  check_rate(arrival_rate, "arrival_rate");
  check_rate(service_rate, "service_rate");
  if (!std::isfinite(service_scv) || service_scv < 0) {
    throw InputError("service_scv", fmt::format("must be at least 0, not {}", service_scv));
  }
  const double rho = arrival_rate / service_rate;
  check_stable(rho);
  if (service_scv >= 1) {
    return GeQueue{arrival_rate, 1, service_rate, service_scv}.solve();
  }
  QueueMeasures out = lossless(arrival_rate, rho, unbounded_length(rho, 1, service_scv));
  if (service_scv == 0) out.distribution = deterministic_distribution(rho);
  return out;
}

}  // namespace weir::analysis

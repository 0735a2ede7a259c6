#include "weir/experiment/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "weir/experiment/cables.hpp"
#include "weir/experiment/run_kind.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::experiment {
namespace {

/// Of a packet-hop on a usual machine, with everything that belongs to it.
constexpr double kSecondsPerHop = 0.35e-6;

/// Estimates runs one after the other; of those that differ only in the seed, the first.
class Estimator {
 public:
  Estimator(NetworkCache& networks, std::uint64_t work) : networks_(networks), work_(work) {}

  /// Throws InputError as the run would.
  const KindNeeds& of(const Variant& variant) {
    const auto key = std::pair(variant.case_name, variant.settings);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    const Configuration configuration = resolve(variant.table);
    const auto network = networks_.get(configuration);
    if (first_network_ == nullptr) {
      first_ = configuration;
      first_network_ = network;
    }
    KindNeeds needs =
        configuration.kind->needs(configuration, network, [&] { return mean_hops(network); });
    if (network) {
      for (std::string& note : network_notes(configuration, *network->graph)) {
        needs.notes.push_back(std::move(note));
      }
    }
    return known_.emplace(key, needs).first->second;
  }

  [[nodiscard]] const Configuration& first() const { return first_; }
  [[nodiscard]] const std::shared_ptr<const Network>& first_network() const {
    return first_network_;
  }
  [[nodiscard]] std::size_t networks() const { return mean_hops_.size(); }

 private:
  double mean_hops(const std::shared_ptr<const Network>& network) {
    const auto [hops, is_new] = mean_hops_.emplace(network, 0.0);
    if (is_new) hops->second = topology::statistics(*network->graph, work_).mean_hops;
    return hops->second;
  }

  NetworkCache& networks_;
  std::uint64_t work_;
  std::map<std::shared_ptr<const Network>, double> mean_hops_;
  std::map<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>, KindNeeds>
      known_;
  Configuration first_;
  std::shared_ptr<const Network> first_network_;
};

}  // namespace

Estimate estimate(const std::vector<Variant>& variants) {
  Estimate out;
  NetworkCache networks;
  Estimator estimator(networks, 20'000'000);
  for (const Variant& variant : variants) {
    const KindNeeds& needs = estimator.of(variant);
    out.memory = std::max(out.memory, needs.memory);
    out.packet_hops += needs.packet_hops;
    for (const std::string& note : needs.notes) {
      const bool is_new = std::find(out.notes.begin(), out.notes.end(), note) == out.notes.end();
      if (is_new) out.notes.push_back(note);
    }
  }
  out.first = estimator.first();
  out.network = estimator.first_network();
  out.networks = estimator.networks();
  out.seconds = out.packet_hops * kSecondsPerHop;
  return out;
}

PlanEstimate estimate_plan(const std::vector<Variant>& plan, const std::vector<std::size_t>& runs,
                           NetworkCache& networks, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  PlanEstimate out;
  out.packet_hops.resize(plan.size());
  Estimator estimator(networks, 1'000'000);
  double sum = 0;
  std::size_t asked = 0;
  for (const std::size_t run : runs) {
    const std::chrono::duration<double> used = Clock::now() - start;
    if (asked > 0 && used.count() > seconds) break;
    ++asked;
    try {
      const KindNeeds& needs = estimator.of(plan[run]);
      out.packet_hops[run] = needs.packet_hops;
      out.memory = std::max(out.memory, needs.memory);
      sum += needs.packet_hops;
    } catch (const InputError&) {
      // The run will say so.
    } catch (const std::bad_alloc&) {
    }
  }
  const double mean = asked == 0 ? 0.0 : sum / static_cast<double>(asked);
  for (std::size_t i = asked; i < runs.size(); ++i) out.packet_hops[runs[i]] = mean;
  out.seconds = mean * static_cast<double>(runs.size()) * kSecondsPerHop;
  return out;
}

}  // namespace weir::experiment

#include "weir/experiment/campaign/estimate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "weir/base/random.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/cables.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::experiment {
namespace {

/// Of a packet-hop on a usual machine, with everything that belongs to it; for runs that nobody
/// probes.
constexpr double kSecondsPerHop = 0.35e-6;

/// Runs that differ only in the seed.
struct Alike {
  const Variant* first = nullptr;
  std::shared_ptr<const Network> network;
  KindNeeds needs;
  std::size_t runs = 0;
  std::optional<Probe> probe;
};

/// Estimates runs one after the other; of those that differ only in the seed, the first.
class Estimator {
 public:
  Estimator(NetworkCache& networks, std::uint64_t work) : networks_(networks), work_(work) {}

  /// Throws InputError as the run would.
  const KindNeeds& of(const Variant& variant) {
    const auto key = std::pair(variant.case_name, variant.settings);
    const auto known = places_.find(key);
    if (known != places_.end()) {
      ++known_[known->second].runs;
      return known_[known->second].needs;
    }
    const Configuration configuration = resolve(variant.table);
    const auto network = networks_.get(configuration);
    if (known_.empty()) first_ = configuration;
    mean_hops_.emplace(network, std::nullopt);
    KindNeeds needs =
        configuration.kind->needs(configuration, network, [&] { return mean_hops(network); });
    if (network) {
      for (std::string& note : network_notes(configuration, *network->graph))
        needs.notes.push_back(std::move(note));
    }
    places_.emplace(key, known_.size());
    known_.push_back({&variant, network, std::move(needs), 1, std::nullopt});
    return known_.back().needs;
  }

  /// Probes as many as that effort allows, on all cores.
  void probe(const EstimateEffort& effort) {
    if (first_.kind->probe == nullptr) return;
    const std::vector<std::size_t> chosen = choose(effort.packet_hops);
    if (chosen.empty()) return;
    double expected = 0;
    for (const std::size_t i : chosen) expected += known_[i].needs.packet_hops;
    const bool is_small = expected <= effort.packet_hops;
    const double parts = is_small ? 1.0 : static_cast<double>(chosen.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < chosen.size(); i = next++) {
        probe(known_[chosen[i]], {effort.packet_hops / parts, effort.seconds / parts});
      }
    };
    const std::size_t threads = std::min<std::size_t>(thread_count(0), chosen.size());
    std::vector<std::future<void>> others;
    for (std::size_t t = 1; t < threads; ++t) {
      others.push_back(std::async(std::launch::async, work));
    }
    work();
    for (std::future<void>& one : others) one.get();
  }

  [[nodiscard]] const std::vector<Alike>& known() const { return known_; }
  [[nodiscard]] const Configuration& first() const { return first_; }
  [[nodiscard]] std::size_t networks() const { return mean_hops_.size(); }

 private:
  /// All, where they are small together; else some in a random order, so that no sweep keeps step
  /// with the choice.
  [[nodiscard]] std::vector<std::size_t> choose(double packet_hops) const {
    constexpr std::size_t kMost = 12;
    std::vector<std::size_t> chosen;
    double all = 0;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      chosen.push_back(i);
      all += known_[i].needs.packet_hops;
    }
    if (all <= packet_hops) return chosen;
    RandomStream random(1, 0, StreamPurpose::placement);
    for (std::size_t i = 0; i < std::min(kMost, chosen.size()); ++i) {
      std::swap(chosen[i], chosen[i + random.below(chosen.size() - i)]);
    }
    chosen.resize(std::min(kMost, chosen.size()));
    return chosen;
  }

  void probe(Alike& one, const ProbeLimits& limits) {
    const Configuration configuration = resolve(one.first->table);
    if (configuration.kind->probe == nullptr) return;
    try {
      one.probe = configuration.kind->probe(
          configuration, one.network, [&] { return mean_hops(one.network); }, limits);
    } catch (const RunError&) {
      // The run will say so.
    }
  }

  double mean_hops(const std::shared_ptr<const Network>& network) {
    const std::lock_guard lock(mutex_);
    std::optional<double>& hops = mean_hops_[network];
    if (!hops) hops = topology::statistics(*network->graph, work_).mean_hops;
    return *hops;
  }

  NetworkCache& networks_;
  std::uint64_t work_;
  std::mutex mutex_;
  std::map<std::shared_ptr<const Network>, std::optional<double>> mean_hops_;
  std::map<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>, std::size_t>
      places_;
  std::vector<Alike> known_;
  Configuration first_;
};

/// Runs that were not probed do to what they offer what those do that were.
void add_up(const std::vector<Alike>& known, Estimate& out) {
  double offered = 0;
  double carried = 0;
  double probed = 0;
  double simulated = 0;
  double seconds = 0;
  double set_up = 0;
  for (const Alike& one : known) {
    if (!one.probe) continue;
    offered += one.needs.packet_hops;
    carried += one.probe->packet_hops;
    simulated += one.probe->simulated;
    seconds += one.probe->seconds;
    set_up += one.probe->set_up;
    ++probed;
  }
  const double share = offered > 0 ? carried / offered : 1;
  double runs = 0;
  for (const Alike& one : known) {
    const double each = one.probe ? one.probe->packet_hops : one.needs.packet_hops * share;
    out.packet_hops += each * static_cast<double>(one.runs);
    runs += static_cast<double>(one.runs);
  }
  out.seconds = out.packet_hops * (simulated > 0 ? seconds / simulated : kSecondsPerHop);
  if (probed > 0) out.seconds += set_up / probed * runs;
}

}  // namespace

Estimate estimate(const std::vector<Variant>& variants, const EstimateEffort& effort) {
  Estimate out;
  NetworkCache networks;
  Estimator estimator(networks, 20'000'000);
  for (const Variant& variant : variants) {
    const KindNeeds& needs = estimator.of(variant);
    out.memory = std::max(out.memory, needs.memory);
    for (const std::string& note : needs.notes) {
      const bool is_new = std::find(out.notes.begin(), out.notes.end(), note) == out.notes.end();
      if (is_new) out.notes.push_back(note);
    }
  }
  estimator.probe(effort);
  add_up(estimator.known(), out);
  out.first = estimator.first();
  out.network = estimator.known().front().network;
  out.networks = estimator.networks();
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
      if (out.no_checkpoints.empty()) out.no_checkpoints = needs.no_checkpoints;
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

#include "weir/experiment/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "weir/experiment/simulation.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::experiment {
namespace {

constexpr std::size_t kSampledSources = 16;
constexpr int kSampledMessages = 500;
/// Of a packet-hop on a usual machine, with everything that belongs to it.
constexpr double kSecondsPerHop = 0.35e-6;

double packets_of(const fabric::MessageRequest& message, const fabric::FabricSettings& settings) {
  return static_cast<double>((message.size.count - 1) / settings.mtu.count + 1);
}

/// Packets that one source offers up to `end`, extrapolated from its first messages; a saturated
/// one fills its link.
double offered(fabric::MessageSource& source, const fabric::FabricSettings& settings, Rate link,
               Time end) {
  double packets = 0;
  Time first;
  Time last;
  Time clock;
  for (int i = 0; i < kSampledMessages; ++i) {
    const auto message = source.next(clock);
    if (!message || message->at >= end) return packets;
    if (i == 0) first = message->at;
    last = message->at;
    const double these = packets_of(*message, settings);
    packets += these;
    clock = message->at;
    if (!source.closed_loop()) continue;
    const auto wire =
        Bytes(message->size.count + settings.header.count * static_cast<std::int64_t>(these));
    clock += serialization_time(wire, link);
  }
  const double seen = to_seconds(last - first);
  const double all = to_seconds(end - first);
  return seen > 0 && end != Time::max() ? packets * std::max(1.0, all / seen) : packets;
}

double all_packets(const Configuration& configuration, const topology::Graph& graph) {
  const fabric::FabricSettings& settings = configuration.fabric;
  traffic::Traffic traffic = traffic::make_sources(
      configuration.traffic, {graph, settings.seed, settings.mtu, settings.header});
  const Time end = configuration.duration.value_or(Time::max());
  std::vector<std::vector<traffic::HostSource*>> by_class(traffic.classes.size());
  for (traffic::HostSource& one : traffic.sources) {
    by_class[one.source->traffic_class].push_back(&one);
  }
  double packets = 0;
  for (const auto& sources : by_class) {
    if (sources.empty()) continue;
    const std::size_t step = std::max<std::size_t>(1, sources.size() / kSampledSources);
    double sum = 0;
    std::size_t asked = 0;
    for (std::size_t i = 0; i < sources.size(); i += step, ++asked) {
      const Rate link = graph.port(graph.host_port(sources[i]->host)).link.rate;
      sum += offered(*sources[i]->source, settings, link, end);
    }
    packets += sum / static_cast<double>(asked) * static_cast<double>(sources.size());
  }
  return packets;
}

/// Of a full network: what it holds before the first packet, and packets in all buffers.
double memory_of(const Configuration& configuration, const Simulation& simulation) {
  const fabric::FabricSettings& settings = configuration.fabric;
  const std::int64_t buffers = settings.architecture == fabric::Architecture::cioq
                                   ? settings.ingress_buffer.count + settings.egress_buffer.count
                                   : settings.ingress_buffer.count;
  const double packets = static_cast<double>(simulation.fabric().graph().port_count()) *
                         static_cast<double>(buffers / settings.mtu.count);
  return static_cast<double>(simulation.fabric().memory()) + packets * sizeof(fabric::Packet);
}

struct Needs {
  double packet_hops = 0;
  double memory = 0;
};

/// Estimates runs one after the other; of those that differ only in the seed, the first.
class Estimator {
 public:
  Estimator(NetworkCache& networks, std::uint64_t work) : networks_(networks), work_(work) {}

  /// Throws InputError as the run would.
  const Needs& of(const Variant& variant) {
    const auto key = std::pair(variant.case_name, variant.settings);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    const Configuration configuration = resolve(variant.table);
    const auto network = networks_.get(configuration);
    if (first_network_ == nullptr) {
      first_ = configuration;
      first_network_ = network;
    }
    const Simulation simulation(configuration, network);
    const double hops = all_packets(configuration, *network->graph) * (mean_hops(network) + 1);
    return known_.emplace(key, Needs{hops, memory_of(configuration, simulation)}).first->second;
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
  std::map<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>, Needs> known_;
  Configuration first_;
  std::shared_ptr<const Network> first_network_;
};

}  // namespace

Estimate estimate(const std::vector<Variant>& variants) {
  Estimate out;
  NetworkCache networks;
  Estimator estimator(networks, 20'000'000);
  for (const Variant& variant : variants) {
    const Needs& needs = estimator.of(variant);
    out.memory = std::max(out.memory, needs.memory);
    out.packet_hops += needs.packet_hops;
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
      const Needs& needs = estimator.of(plan[run]);
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

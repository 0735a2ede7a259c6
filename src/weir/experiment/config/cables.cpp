#include "weir/experiment/config/cables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/experiment/config/run_kind.hpp"
#include "weir/traffic/model_choice.hpp"

namespace weir::experiment {
namespace {

/// Ties per packet from which on a run says so; runs with perturbed cables have a few hundredths.
constexpr double kManyTies = 0.1;

/// The rate of all links, if it is one.
std::optional<Rate> one_rate(const topology::Graph& graph) {
  std::optional<Rate> rate;
  for (const topology::Port& port : graph.ports()) {
    if (!port.to.valid()) continue;
    if (rate && port.link.rate != *rate) return std::nullopt;
    rate = port.link.rate;
  }
  return rate;
}

/// The time that every packet of the traffic occupies every link, if it is one.
std::optional<Time> one_packet_time(const Configuration& configuration, std::optional<Rate> rate) {
  const fabric::FabricSettings& settings = configuration.fabric;
  std::int64_t packet = 0;
  const auto is_one = [&](std::int64_t payload) {
    if (packet == 0) packet = payload;
    return payload == packet;
  };
  for (const traffic::TrafficEntry& entry : configuration.traffic) {
    if (!entry.sizes || !entry.arrivals) return std::nullopt;  // traces, storage traffic
    const auto sizes = (*entry.sizes->make)(entry.sizes->settings);
    for (const traffic::SizeDistribution::Outcome& outcome : sizes->outcomes()) {
      const std::int64_t mtu = settings.mtu.count;
      const std::int64_t size = outcome.size.count;
      if (outcome.smallest != outcome.size) return std::nullopt;
      if (size > mtu && !is_one(mtu)) return std::nullopt;
      if (size % mtu != 0 && !is_one(size % mtu)) return std::nullopt;
      if (size == mtu && !is_one(mtu)) return std::nullopt;
    }
  }
  if (packet == 0 || !rate) return std::nullopt;
  return serialization_time(Bytes(packet) + settings.header, *rate);
}

/// All delays are the same, or whole packets long: then nothing on the way pulls packets apart.
bool keep_step(const topology::Graph& graph, Time packet) {
  const topology::DelayRange delays = topology::delay_range(graph);
  if (delays.shortest == delays.longest) return true;
  for (const topology::Port& port : graph.ports()) {
    if (port.to.valid() && port.link.delay.count % packet.count != 0) return false;
  }
  return true;
}

/// Sources that send in step: back to back, or all at once.
bool is_regular(const traffic::TrafficEntry& entry, Rate rate,
                const fabric::FabricSettings& settings) {
  const std::string& name = entry.arrivals->name;
  if (name == "saturated" || name == "once") return true;
  if (name != "constant") return false;
  const Settings& arrivals = entry.arrivals->settings;
  if (arrivals.text("phase") != "random") return true;
  // A random phase is forgotten where a source is as fast as its link.
  const auto sizes = (*entry.sizes->make)(entry.sizes->settings);
  const traffic::MeanSize size = traffic::mean_size(*sizes, settings.mtu, settings.header);
  const double service = size.wire * 8e12 / static_cast<double>(rate.count);
  return std::any_of(entry.phases.begin(), entry.phases.end(), [&](const traffic::Phase& phase) {
    return traffic::mean_interval(traffic::load_keys().read(arrivals), {rate, size}, phase.load) <=
           service * (1 + 1e-9);
  });
}

bool has_one_source(const traffic::TrafficEntry& entry) {
  const ConfigValue* sources = entry.resolved.find("sources");
  return sources != nullptr && sources->is_array() && sources->array().size() == 1;
}

std::string drawn_note(const Configuration& configuration, const topology::Graph& graph) {
  if (!configuration.cables.are_drawn()) return {};
  const topology::DelayRange delays = topology::delay_range(graph);
  return fmt::format("cables are drawn by the seed: {} to {}, mean {:.4g} ns, with seed {}",
                     to_string(delays.shortest), to_string(delays.longest), delays.mean * 1e-3,
                     configuration.cables.seed);
}

}  // namespace

std::string tie_note(const Configuration& configuration, const topology::Graph& graph) {
  if (!configuration.kind->simulates || configuration.traffic.empty()) return {};
  const std::optional<Rate> rate = one_rate(graph);
  const std::optional<Time> packet = one_packet_time(configuration, rate);
  if (!packet || !keep_step(graph, *packet)) return {};
  std::size_t sources = 0;
  for (const traffic::TrafficEntry& entry : configuration.traffic) {
    // One class that is random keeps all of them from meeting by rule.
    if (!is_regular(entry, *rate, configuration.fabric)) return {};
    sources += has_one_source(entry) ? 1 : 2;
  }
  if (sources < 2) return {};
  return fmt::format(
      "systematic ties: all packets take {}, {}, and sources send in step, so that packets meet in "
      "the same instants throughout; link.perturbation, with [replicate] seeds, shows what the "
      "order of an instant does to the result",
      to_string(*packet),
      topology::delay_range(graph).longest == Time(0) ? "cables have no length"
                                                      : "cables are equally long");
}

topology::CableDelays read_cables(const Checked<LinkKeys>& link, ConfigTable& resolved) {
  topology::CableDelays out;
  out.perturbation = link->perturbation;
  if (link->per_metre) out.per_metre = *link->per_metre;
  if (!link->lengths) {
    if (!link->per_metre) return out;
    throw link.error(&LinkKeys::per_metre, "means nothing without `lengths`");
  }
  const ConfigValue& value = *link->lengths;
  const auto chosen = traffic::choose_model(topology::length_registry(), value, "link.lengths");
  out.lengths = (*chosen.make)(chosen.settings);
  resolved.set("lengths", chosen.resolved());
  const Time least = out.delay(out.lengths->shortest());
  if (out.perturbation > least) {
    throw link.error(&LinkKeys::perturbation,
                     fmt::format("{} is longer than the shortest cable of `lengths`, {}: it may be "
                                 "at most that",
                                 to_string(out.perturbation), to_string(least)));
  }
  return out;
}

std::vector<std::string> network_notes(const Configuration& configuration,
                                       const topology::Graph& graph) {
  std::vector<std::string> notes;
  for (std::string& note :
       std::vector{drawn_note(configuration, graph), tie_note(configuration, graph)}) {
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

void add_cable_delays(metrics::RunResult& result, const Configuration& configuration,
                      const topology::Graph& graph) {
  if (!configuration.cables.are_drawn()) return;
  const topology::DelayRange delays = topology::delay_range(graph);
  result.add_scalar("cable_delay_min", "", to_nanoseconds(delays.shortest));
  result.add_scalar("cable_delay_mean", "", delays.mean * 1e-3);
  result.add_scalar("cable_delay_max", "", to_nanoseconds(delays.longest));
}

void add_ties(metrics::RunResult& result, const fabric::Fabric& fabric) {
  const std::int64_t sent = fabric.sent().packets_of_switches;
  if (sent == 0) return;
  const double per_packet = static_cast<double>(fabric.counters().ties) / static_cast<double>(sent);
  result.add_scalar("ties_per_packet", "", per_packet);
  if (per_packet < kManyTies) return;
  result.notes.emplace_back(
      "many ties: switches often decided among what came in one instant (ties_per_packet), and "
      "that order may decide the result; link.perturbation shows what it does");
}

}  // namespace weir::experiment

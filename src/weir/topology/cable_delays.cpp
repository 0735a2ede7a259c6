#include "weir/topology/cable_delays.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "weir/base/error.hpp"

namespace weir::topology {
namespace {

/// Both directions of a cable are known by the lower of its two ports.
PortId cable_of(const Graph& graph, PortId port) {
  const PortId far = graph.port(port).to;
  return graph.port(far).to == port && far.value < port.value ? far : port;
}

Time drawn_length(const CableDelays& rule, PortId cable) {
  RandomStream random(rule.seed, cable.value, StreamPurpose::cable_lengths);
  return rule.delay(rule.lengths->draw(random));
}

/// What the seed adds to a cable: up to `most`, in either direction if it has a length.
Time drawn_change(const CableDelays& rule, PortId cable, bool has_length) {
  RandomStream random(rule.seed, cable.value, StreamPurpose::cable_perturbations);
  const auto most = static_cast<std::uint64_t>(rule.perturbation.count);
  if (!has_length) return Time(static_cast<std::int64_t>(random.below(most + 1)));
  return Time(static_cast<std::int64_t>(random.below(2 * most + 1)) - rule.perturbation.count);
}

}  // namespace

Registry<LengthFactory>& length_registry() {
  static Registry<LengthFactory> registry("lengths");
  return registry;
}

Time CableDelays::delay(double metres) const {
  return Time(std::llround(metres * static_cast<double>(per_metre.count)));
}

Graph with_drawn_delays(Graph graph, const CableDelays& rule) {
  if (!rule.are_drawn()) return graph;
  graph.has_drawn_delays_ = true;
  bool some_take_a_length = false;
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    const PortId port(p);
    if (!graph.port(port).to.valid()) continue;
    const PortId cable = cable_of(graph, port);
    LinkSpec& link = graph.ports_[p].link;
    if (rule.lengths && !link.has_own_delay) {
      link.delay = drawn_length(rule, cable);
      some_take_a_length = true;
    }
    if (rule.perturbation.count == 0) continue;
    if (link.delay.count > 0 && rule.perturbation > link.delay) {
      throw InputError(
          "link.perturbation",
          fmt::format("{} is longer than the cable of {}, {}: it may be at most that",
                      to_string(rule.perturbation), graph.name(port), to_string(link.delay)));
    }
    link.delay += drawn_change(rule, cable, link.delay.count > 0);
  }
  if (rule.lengths && !some_take_a_length) {
    throw InputError("link.lengths", "the topology sets the delays of all cables itself");
  }
  return graph;
}

DelayRange delay_range(const Graph& graph) {
  DelayRange out{Time::max(), Time(0), 0};
  double sum = 0;
  std::size_t links = 0;
  for (const Port& port : graph.ports()) {
    if (!port.to.valid()) continue;
    out.shortest = std::min(out.shortest, port.link.delay);
    out.longest = std::max(out.longest, port.link.delay);
    sum += static_cast<double>(port.link.delay.count);
    ++links;
  }
  out.mean = sum / static_cast<double>(links);
  return out;
}

}  // namespace weir::topology

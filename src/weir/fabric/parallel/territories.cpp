#include "weir/fabric/parallel/territories.hpp"

#include <metis.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::fabric {

namespace {

/// A packet costs its host, which makes or receives it, as much as two hops in switches.
constexpr double kHostWeight = 2;

/// With fewer switches a part METIS has too little choice for weights of their own.
constexpr std::size_t kFewSwitches = 8;

/// All weights together: far below what a sum of idx_t holds.
constexpr double kAllWeights = 1 << 26;

/// The switches of a network as METIS wants them.
struct SwitchGraph {
  std::vector<idx_t> first{0};  ///< per switch: of its neighbours; one more at the end
  std::vector<idx_t> neighbour;
  std::vector<idx_t> crossing;  ///< packets to and from each of them
  std::vector<idx_t> weight;    ///< per switch
};

/// At least 1, so that idle switches are spread, too.
idx_t scaled(double value, double sum) {
  return 1 + static_cast<idx_t>(sum > 0 ? value / sum * kAllWeights : 0);
}

SwitchGraph switches_of(const topology::Graph& graph, std::span<const double> packets) {
  std::vector<std::map<idx_t, double>> crossing(graph.switch_count());
  std::vector<double> work(graph.switch_count(), 0);
  const auto hosts = graph.host_count();
  double sum = 0;
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    const topology::Port& port = graph.port(PortId(static_cast<std::uint32_t>(p)));
    if (!port.to.valid()) continue;
    const double carries = packets.empty() ? 1 : packets[p];
    const NodeId far = graph.port(port.to).node;
    const bool is_from_host = graph.is_host(port.node);
    const bool is_to_host = graph.is_host(far);
    if (is_from_host && is_to_host) continue;
    const std::size_t one = (is_from_host ? far : port.node).index() - hosts;
    const double costs = carries * (is_from_host ? kHostWeight : is_to_host ? 1 + kHostWeight : 1);
    work[one] += costs;
    sum += costs;
    if (is_from_host || is_to_host) continue;
    const std::size_t other = far.index() - hosts;
    if (one == other) continue;
    crossing[one][static_cast<idx_t>(other)] += carries;
    crossing[other][static_cast<idx_t>(one)] += carries;
  }
  SwitchGraph out;
  for (const double its : work) out.weight.push_back(scaled(its, sum));
  for (const auto& some : crossing) {
    for (const auto& [other, its] : some) {
      out.neighbour.push_back(other);
      out.crossing.push_back(scaled(its, sum));
    }
    out.first.push_back(static_cast<idx_t>(out.neighbour.size()));
  }
  return out;
}

/// Work by ports and by packets in equal shares, so that what is idle is spread, too, and no switch
/// has more than its part: METIS cannot divide it.
SwitchGraph mixed(const SwitchGraph& by_ports, SwitchGraph by_packets, std::size_t parts) {
  std::vector<double> work;
  for (std::size_t s = 0; s < by_packets.weight.size(); ++s)
    work.push_back(static_cast<double>(by_ports.weight[s]) + by_packets.weight[s]);
  // What is cut off makes the parts smaller, too.
  for (int round = 0; round < 8; ++round) {
    const double most =
        std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(parts) / 2;
    for (double& its : work) its = std::min(its, most);
  }
  const double sum = std::accumulate(work.begin(), work.end(), 0.0);
  for (std::size_t s = 0; s < work.size(); ++s) by_packets.weight[s] = scaled(work[s], sum);
  return by_packets;
}

std::vector<idx_t> partition(SwitchGraph& switches, std::size_t parts) {
  auto count = static_cast<idx_t>(switches.weight.size());
  std::vector<idx_t> of_switch(switches.weight.size(), 0);
  if (parts == 1) return of_switch;
  idx_t constraints = 1;
  auto wanted = static_cast<idx_t>(parts);
  idx_t cut = 0;
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // one part may have 1 % more to do than the mean
  const int status = METIS_PartGraphRecursive(&count, &constraints, switches.first.data(),
                                              switches.neighbour.data(), switches.weight.data(),
                                              nullptr, switches.crossing.data(), &wanted, nullptr,
                                              nullptr, options.data(), &cut, of_switch.data());
  if (status != METIS_OK) throw RunError("METIS cannot divide this network");
  return of_switch;
}

}  // namespace

Territories territories_of(const topology::Graph& graph, std::vector<std::uint16_t> of_node,
                           std::size_t parts) {
  Territories out;
  out.parts = parts;
  out.of_node = std::move(of_node);
  out.of_port.reserve(graph.port_count());
  out.ports.resize(parts);
  for (const topology::Port& port : graph.ports()) {
    const std::uint16_t part = out.of_node[port.node.index()];
    out.ports[part].push_back(static_cast<std::uint32_t>(out.of_port.size()));
    out.of_port.push_back(part);
  }
  return out;
}

Territories divide(const topology::Graph& graph, std::size_t parts,
                   std::span<const double> packets) {
  parts = std::clamp<std::size_t>(parts, 1, std::max<std::size_t>(graph.switch_count(), 1));
  SwitchGraph switches = switches_of(graph, {});
  if (!packets.empty() && parts * kFewSwitches <= graph.switch_count())
    switches = mixed(switches, switches_of(graph, packets), parts);
  const std::vector<idx_t> of_switch = partition(switches, parts);
  std::vector<std::uint16_t> of_node(graph.node_count(), 0);
  const auto hosts = graph.host_count();
  for (std::size_t s = 0; s < of_switch.size(); ++s)
    of_node[hosts + s] = static_cast<std::uint16_t>(of_switch[s]);
  for (std::size_t h = 0; h < hosts; ++h) {
    const PortId at_switch = graph.port(graph.host_port(HostId(h))).to;
    if (at_switch.valid()) of_node[h] = of_node[graph.port(at_switch).node.index()];
  }
  return territories_of(graph, std::move(of_node), parts);
}

}  // namespace weir::fabric

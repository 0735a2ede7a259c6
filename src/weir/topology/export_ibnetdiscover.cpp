#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/export.hpp"
#include "weir/topology/export_names.hpp"

namespace weir::topology {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t kUnicastLids = 0xBFFF;
constexpr std::uint64_t kSwitchGuid = 0x0002c90200000000;
constexpr std::uint64_t kHostGuid = 0x0002c90300000000;

/// Data rate of one lane in bit/s after line coding, by the name that InfiniBand tools print.
struct WrittenLaneSpeed {
  const char* name;
  double rate;
};
constexpr std::array kWrittenLaneSpeeds = {
    WrittenLaneSpeed{"SDR", 2e9},
    WrittenLaneSpeed{"DDR", 4e9},
    WrittenLaneSpeed{"QDR", 8e9},
    WrittenLaneSpeed{"FDR10", 10e9},
    WrittenLaneSpeed{"FDR", 14.0625e9 * 64 / 66},
    WrittenLaneSpeed{"EDR", 25e9},
    WrittenLaneSpeed{"HDR", 50e9},
    WrittenLaneSpeed{"NDR", 100e9},
};

/// "4xEDR": the width and speed whose rate is nearest in ratio, four lanes where that is as near.
std::string width_and_speed(Rate rate) {
  std::string best;
  double best_distance = INFINITY;
  for (const int lanes : {4, 1, 8, 12, 2}) {
    for (const WrittenLaneSpeed& speed : kWrittenLaneSpeeds) {
      const double distance =
          std::abs(std::log(lanes * speed.rate / static_cast<double>(rate.count)));
      if (distance < best_distance - 1e-9) {
        best_distance = distance;
        best = fmt::format("{}x{}", lanes, speed.name);
      }
    }
  }
  return best;
}

/// Identity of each node on the made-up subnet.
class Subnet {
 public:
  explicit Subnet(const Graph& graph) : graph_(graph), names_(unique_names(graph)) {
    if (graph.node_count() > kUnicastLids) {
      throw InputError(fmt::format("{} nodes do not fit into a subnet of {} LIDs",
                                   graph.node_count(), kUnicastLids));
    }
    // A node description ends at the next quote.
    for (std::string& name : names_) std::replace(name.begin(), name.end(), '"', '\'');
  }

  [[nodiscard]] const std::string& name(NodeId n) const { return names_[n.index()]; }
  [[nodiscard]] std::uint64_t guid(NodeId n) const {
    return graph_.is_host(n) ? kHostGuid + 2ULL * n.value : kSwitchGuid + graph_.switch_of(n).value;
  }
  /// Switches answer on their own GUID; the port of a host has the one after its node's.
  [[nodiscard]] std::uint64_t port_guid(NodeId n) const {
    return guid(n) + (graph_.is_host(n) ? 1 : 0);
  }
  [[nodiscard]] std::size_t lid(NodeId n) const {
    return graph_.is_host(n) ? 1 + graph_.switch_count() + n.index()
                             : 1 + graph_.switch_of(n).index();
  }
  [[nodiscard]] std::string id(NodeId n) const {
    return fmt::format("{}-{:016x}", graph_.is_host(n) ? 'H' : 'S', guid(n));
  }
  /// `"H-..."[1](guid)` or `"S-..."[3]`, as the far end of a cable.
  [[nodiscard]] std::string far_end(const Port& port) const {
    std::string text = fmt::format("\"{}\"[{}]", id(port.node), port.number + 1);
    if (graph_.is_host(port.node)) text += fmt::format("({:x}) ", port_guid(port.node));
    return text;
  }

 private:
  const Graph& graph_;
  std::vector<std::string> names_;
};

void write_ids(const Subnet& subnet, NodeId node, const char* kind, int device, Out out) {
  fmt::format_to(out, "\nvendid=0x2c9\ndevid=0x{:x}\nsysimgguid=0x{:x}\n{}guid=0x{:x}", device,
                 subnet.guid(node), kind, subnet.guid(node));
}

void write_switch(const Graph& graph, const Subnet& subnet, NodeId node, Out out) {
  write_ids(subnet, node, "switch", 0xd2f0, out);
  fmt::format_to(out, "({:x})\nSwitch\t{} \"{}\"\t\t# \"{}\" enhanced port 0 lid {} lmc 0\n",
                 subnet.port_guid(node), graph.degree(node), subnet.id(node), subnet.name(node),
                 subnet.lid(node));
  for (const Port& port : graph.ports(node)) {
    if (!port.to.valid()) continue;
    const Port& peer = graph.port(port.to);
    fmt::format_to(out, "[{}]\t{}\t\t# \"{}\" lid {} {}\n", port.number + 1, subnet.far_end(peer),
                   subnet.name(peer.node), subnet.lid(peer.node), width_and_speed(port.link.rate));
  }
}

void write_host(const Graph& graph, const Subnet& subnet, NodeId node, Out out) {
  const Port& port = graph.ports(node).front();
  const Port& peer = graph.port(port.to);
  write_ids(subnet, node, "ca", 0x101b, out);
  fmt::format_to(out, "\nCa\t1 \"{}\"\t\t# \"{}\"\n", subnet.id(node), subnet.name(node));
  fmt::format_to(out, "[1]({:x}) \t{}\t\t# lid {} lmc 0 \"{}\" lid {} {}\n", subnet.port_guid(node),
                 subnet.far_end(peer), subnet.lid(node), subnet.name(peer.node),
                 subnet.lid(peer.node), width_and_speed(port.link.rate));
}

}  // namespace

std::string to_ibnetdiscover(const Graph& graph) {
  for (const Cable& cable : cables(graph, true)) {
    if (cable.one_way) {
      throw InputError(fmt::format(
          "{} has a one-way link, which InfiniBand fabrics have not: the {} network cannot be "
          "written as ibnetdiscover output",
          graph.name(cable.from), graph.family()));
    }
  }
  const Subnet subnet(graph);
  std::string text;
  const Out out(text);
  const NodeId first = graph.node(HostId(0));
  fmt::format_to(out,
                 "#\n# Topology file: generated network {}\n#\n"
                 "# Initiated from node {:016x} port {:016x}\n",
                 graph.family(), subnet.guid(first), subnet.port_guid(first));
  for (std::size_t n = graph.host_count(); n < graph.node_count(); ++n) {
    write_switch(graph, subnet, NodeId(n), out);
  }
  for (std::size_t h = 0; h < graph.host_count(); ++h) write_host(graph, subnet, NodeId(h), out);
  return text;
}

}  // namespace weir::topology

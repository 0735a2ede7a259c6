#include "weir/marking/output_counters.hpp"

#include <fmt/format.h>

#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::marking {

void OutputCounters::check(const fabric::Ports& ports, const fabric::Packets& packets,
                           const topology::Graph& graph,
                           const fabric::SwitchModel& switches) const {
  std::vector<std::uint32_t> found(outputs_.size());
  switches.for_each_packet([&](std::uint32_t port, std::uint32_t handle) {
    const fabric::Packet& packet = packets[handle];
    // Injection buffers of hosts are no part of a switch.
    if (!ports.is_host(port) && !packet.is_ack()) ++found[ports.output_of(packet)];
  });
  for (std::uint32_t p = 0; p < outputs_.size(); ++p) {
    const Output& o = outputs_[p];
    if (o.waiting == found[p] && o.marked <= o.planned) continue;
    throw RunError(fmt::format(
        "{}: the marker counts {} packets that wait for it and has marked {} of {} planned, but "
        "{} wait",
        graph.name(PortId(p)), o.waiting, o.marked, o.planned, found[p]));
  }
}

void OutputCounters::checkpoint(fabric::NodeState& state) { state.of_ports(outputs_); }

}  // namespace weir::marking

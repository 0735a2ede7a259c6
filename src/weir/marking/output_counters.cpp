#include "weir/marking/output_counters.hpp"

#include <fmt/format.h>

namespace weir::marking {

void OutputCounters::check(const fabric::Core& core, const fabric::SwitchModel& switches) const {
  std::vector<std::uint32_t> found(outputs_.size());
  switches.for_each_packet([&](std::uint32_t port, std::uint32_t handle) {
    const fabric::Packet& packet = core.packets[handle];
    // Injection buffers of hosts are no part of a switch.
    if (port >= core.host_count && !packet.is_ack()) ++found[output_of(core, packet)];
  });
  for (std::uint32_t p = 0; p < outputs_.size(); ++p) {
    const Output& o = outputs_[p];
    if (o.waiting == found[p] && o.marked <= o.planned) continue;
    throw RunError(fmt::format(
        "{}: the marker counts {} packets that wait for it and has marked {} of {} planned, but "
        "{} wait",
        core.graph.name(PortId(p)), o.waiting, o.marked, o.planned, found[p]));
  }
}

}  // namespace weir::marking

#include "weir/fabric/hooks/views.hpp"

#include "weir/fabric/host/flow_table.hpp"
#include "weir/fabric/parallel/border.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::fabric {

std::uint16_t Packets::connection_of(std::uint32_t flow) const {
  return core_->flows->connection_of(flow);
}

bool Ports::is_here(std::uint32_t port) const {
  return core_->border == nullptr || core_->border->is_own_port(port);
}

FabricView::FabricView(Core& core, HostServices& the_hosts, MessagesToHosts& messages_to_hosts,
                       SwitchModel& the_switches)
    : clock(core),
      ports(core),
      links(core),
      buffers(core),
      packets(core),
      measures(core),
      scheduler(core),
      messages(core),
      background(core),
      selection(core),
      graph(core.graph),
      routing(*core.models.routing),
      selector(*core.models.selection),
      settings(core.settings),
      mechanisms(core.mechanisms),
      totals(core.counters),
      observer(*core.observer),
      hosts(the_hosts),
      to_hosts(messages_to_hosts),
      switches(the_switches),
      ingress(the_switches.ingress_buffers()),
      egress(the_switches.egress_buffers()),
      side_queues(core.mechanisms.isolation ? the_switches.side_queues() : nullptr),
      is_divided(core.border != nullptr) {}

}  // namespace weir::fabric

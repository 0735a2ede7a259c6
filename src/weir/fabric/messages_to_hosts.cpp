#include "weir/fabric/messages_to_hosts.hpp"

#include <fmt/format.h>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/parallel/border.hpp"

namespace weir::fabric {

void MessagesToHosts::send_to_source(PortId port, const Packet& packet, Bytes size,
                                     const ControlMessage& message) {
  const std::uint32_t handle = transits_.take();
  Transit& transit = transits_[handle];
  transit.message = message;
  transit.source = packet.destination;
  transit.destination = packet.source;
  transit.size = static_cast<std::uint32_t>(size.count);
  transit.lane =
      core_.models.routing->injection_lane(HostId(transit.source), HostId(transit.destination));
  forward(port.value, handle);
}

InputError MessagesToHosts::no_way_back(std::uint32_t port, const Transit& transit) const {
  return InputError(
      fmt::format("no way leads back from {} to host {}: messages from switches to sources "
                  "(marking.model) need a network with links in both directions",
                  core_.graph.name(PortId(port)), transit.destination));
}

void MessagesToHosts::forward(std::uint32_t in_port, std::uint32_t handle) {
  Transit& transit = transits_[handle];
  const PortInfo& in = core_.ports[in_port];
  if (++transit.hops > core_.graph.node_count()) throw no_way_back(in_port, transit);
  routing::RouteQuery query;
  query.at = SwitchId(in.node - core_.host_count);
  query.in_port = PortId(in_port);
  query.source = HostId(transit.source);
  query.destination = HostId(transit.destination);
  query.lane = transit.lane;
  const routing::Candidate out = core_.models.routing->default_route(query);
  const std::uint32_t port = in.first_port + out.port;
  if (core_.is_link_down(port)) {
    ++lost_;
    transits_.give_back(handle);
    return;
  }
  transit.lane = out.lane;
  const std::uint32_t next = core_.links[port].to;
  if (next == UINT32_MAX) throw no_way_back(in_port, transit);
  const std::int64_t arrival = core_.occupy_for_control(port, transit.size, false);
  const bool is_there = core_.ports[next].node < core_.host_count;
  if (is_there && core_.ports[next].node != transit.destination)
    throw no_way_back(in_port, transit);
  const std::int64_t at = arrival + (is_there ? 0 : core_.settings.routing_delay.count);
  if (core_.border != nullptr && !core_.border->is_own_port(next)) {
    core_.border->send(core_, at, next, transit);
    transits_.give_back(handle);
    return;
  }
  core_.schedule(at, kControl, next, core_.controls.add(ControlSender::upstream, {*this, handle}));
}

void MessagesToHosts::admit(std::int64_t at, std::uint32_t port, const Transit& transit) {
  core_.schedule(at, kControl, port,
                 core_.controls.add(ControlSender::upstream, message_about(transit)));
}

void MessagesToHosts::checkpoint_totals(TotalState& state) { state.sum(lost_); }

void MessagesToHosts::on_control(PortId port, const ControlMessage& message) {
  const auto handle = message.as<std::uint32_t>();
  if (core_.ports[port.index()].node >= core_.host_count) {
    forward(port.value, handle);
    return;
  }
  const ControlMessage arrived = transits_[handle].message;
  transits_.give_back(handle);
  if (Mechanism* to = arrived.recipient()) to->on_control(port, arrived);
}

}  // namespace weir::fabric

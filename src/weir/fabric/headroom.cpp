#include "weir/fabric/headroom.hpp"

#include <algorithm>
#include <cmath>

namespace weir::fabric {

namespace {

/// Bytes that a link of `rate` carries in `time` ps.
double bytes_in(std::int64_t time, Rate rate) {
  return static_cast<double>(time) * static_cast<double>(rate.count) / 8e12;
}

}  // namespace

std::int64_t arrival_delay(const FabricSettings& settings) {
  // Otherwise packets cross behind the ingress buffer.
  const bool is_pipeline = settings.architecture == Architecture::input_queued ||
                           settings.architecture == Architecture::input_queued_single;
  return settings.routing_delay.count + (is_pipeline ? settings.crossbar_delay.count : 0);
}

std::int64_t largest_packet(const FabricSettings& s) {
  const bool are_packets = s.acks == AckMode::in_band || s.acks == AckMode::becn;
  return std::max(s.mtu.count + s.header.count, are_packets ? s.ack_size.count : 0);
}

std::int64_t needed_headroom(const FabricSettings& s, const topology::LinkSpec& link, Rate back) {
  const std::int64_t packet = largest_packet(s);
  const std::int64_t round_trip = 2 * link.delay.count + arrival_delay(s);
  if (s.flow_control != FlowControl::pfc) {
    // The packet that crosses the threshold, one that starts just before the stop arrives, and the
    // wire.
    return static_cast<std::int64_t>(bytes_in(round_trip, link.rate)) + 2 * packet;
  }
  const auto duration = [&](std::int64_t bytes) {
    return serialization_time(Bytes(bytes), back).count;
  };
  const std::int64_t frame = s.pause_frame.count;
  const std::int64_t wait = duration(std::max(packet, frame)) + duration(frame);
  const double on_its_way = bytes_in(round_trip + s.pause_response.count + wait, link.rate);
  // Rounding of the product must not add a byte to a whole number.
  const auto bytes = static_cast<std::int64_t>(std::ceil(on_its_way - 1e-6));
  const bool stores = s.switching == Switching::store_and_forward;
  return bytes + packet - 1 + (stores ? packet : 0);
}

Bytes largest_headroom(const FabricSettings& settings, const topology::Graph& graph) {
  if (settings.flow_control == FlowControl::pfc && settings.headroom) return *settings.headroom;
  std::int64_t most = 0;
  for (const topology::Port& port : graph.ports()) {
    if (graph.is_host(port.node) || !port.from.valid()) continue;
    most = std::max(most, needed_headroom(settings, graph.port(port.from).link, port.link.rate));
  }
  return Bytes(most);
}

}  // namespace weir::fabric

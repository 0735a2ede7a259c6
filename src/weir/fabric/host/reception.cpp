#include "weir/fabric/host/hosts.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

void Hosts::check_destination(std::uint32_t port, std::uint32_t packet) const {
  const Packet& p = core_.packets[packet];
  if (p.destination == core_.ports[port].node) return;
  throw RunError(fmt::format("the packet from host {} to host {} was delivered to {}; {}", p.source,
                             p.destination, core_.graph.name(PortId(port)), core_.history(packet)));
}

void Hosts::receive(std::uint32_t port, std::uint32_t packet) {
  check_destination(port, packet);
  const Packet& p = core_.packets[packet];
  if (p.is_ack()) {
    ++core_.counters.acks_delivered;
    core_.counters.ack_link_bytes += p.size * (p.hops + 1U);
    if (flow_step(p) != FlowStep::none) {
      accept_flow_step(packet);
    } else {
      accept_ack(packet);
    }
    return;
  }
  if (!is_from_here(p)) [[unlikely]]
    adopt(packet);
  if (!reorder_) {
    deliver(packet, wants_ack(p));
    return;
  }
  const std::uint32_t flow = messages_[p.message].flow;
  if (p.sequence == flows_.highest(flow)) {
    deliver(packet, wants_ack(p));
    deliver_held(flow);
    return;
  }
  // An ACK says that the packet is there, not that it is in order.
  if (wants_ack(p)) acknowledge(packet, flow);
  reorder_->hold(flow, flows_.highest(flow), packet);
}

void Hosts::adopt(std::uint32_t packet) {
  Packet& p = core_.packets[packet];
  const Border& border = *core_.border;
  const std::uint16_t from = border.part_of_host(p.source);
  std::uint32_t& here = adopted(from, p.message);
  if (here == kNone) {
    const CarriedMessage& carried = border.carried(packet);
    here = messages_.take();
    Message& m = messages_[here];
    m.generated = carried.generated;
    m.bytes = m.undelivered = carried.bytes;
    m.source = p.source;
    m.destination = p.destination;
    m.tag = carried.tag;
    m.traffic_class = p.traffic_class;
    m.service_level = p.service_level;
    m.keeps_rate = carried.keeps_rate;
    Flow name;
    name.source = m.source;
    name.destination = m.destination;
    name.connection = carried.connection;
    name.keeps_rate = m.keeps_rate;
    m.flow = flows_.find_or_add_incoming(from, carried.across, name);
    // Both are of no use to a message that has been sent.
    m.next = p.message;
    m.unsent = carried.flow;
  }
  p.message = here;
}

std::uint32_t& Hosts::adopted(std::uint16_t part, std::uint32_t message_there) {
  if (adopted_.empty()) adopted_.resize(core_.border->territories().parts);
  std::vector<std::uint32_t>& known = adopted_[part];
  if (message_there >= known.size()) known.resize(message_there + message_there / 2 + 64, kNone);
  return known[message_there];
}

void Hosts::deliver_held(std::uint32_t flow) {
  for (;;) {
    const std::uint32_t packet = reorder_->take(flow, flows_.highest(flow));
    if (packet == kNone) return;
    if (packet == ReorderBuffers::kLost) {
      flows_.skip(flow);
    } else {
      deliver(packet, false);
    }
  }
}

void Hosts::deliver(std::uint32_t packet, bool acknowledges) {
  const Packet& p = core_.packets[packet];
  const std::uint32_t handle = p.message;
  Message& m = messages_[handle];
  m.newest = flows_.highest(m.flow);
  const bool in_order = flows_.receive(m.flow, p.sequence);
  ++core_.counters.packets_delivered;
  core_.counters.data_links += p.hops + 1U;
  core_.fingerprint.add(core_.now, delivery_key(p));
  m.undelivered -= p.size - core_.settings.header.count;
  if (core_.routes_flows) core_.mechanisms.flow_routing->on_delivered(p, in_order);
  if (core_.mechanisms.waiting) core_.mechanisms.waiting->on_delivered(packet, m.flow);
  core_.observer->on_delivered(p, m, Time(core_.now), in_order);
  // The observer may have submitted messages, which moves them all, and with flow routing packets.
  if (acknowledges) acknowledge(packet, messages_[handle].flow);
  if (messages_[handle].undelivered == 0) finish(handle);
  core_.packets.give_back(packet);
}

void Hosts::finish(std::uint32_t message) {
  if (messages_[message].has_lost) {
    ++core_.counters.messages_lost;
  } else {
    ++core_.counters.messages_completed;
    core_.observer->on_message_complete(messages_[message], Time(core_.now));
  }
  if (core_.border != nullptr && !core_.border->is_own_host(messages_[message].source)) {
    const Message& m = messages_[message];
    core_.border->finish(m.source, m.next);
    adopted_[core_.border->part_of_host(m.source)][m.next] = kNone;
  }
  messages_.give_back(message);
}

void Hosts::lose(std::uint32_t port, std::uint32_t packet) {
  const Packet p = core_.packets[packet];
  if ((p.flags & packet_flag::kLastOfConnection) != 0)
    core_.mechanisms.admission->on_last_lost(PortId(port), core_.packets[packet]);
  const bool tells_source = tells_sources_of_losses();
  if (p.is_ack()) {
    ++core_.counters.acks_lost;
    if (tells_source) {
      core_.tell_lost(packet);
    } else {
      core_.packets.give_back(packet);
    }
    return;
  }
  ++core_.counters.packets_lost;
  core_.observer->on_lost(p, known_message(core_.packets[packet]), PortId(port), Time(core_.now));
  if (tells_source) {
    const std::uint32_t flow = core_.flow_of(core_.packets[packet]);
    const std::uint16_t connection = core_.connection_of(core_.packets[packet]);
    const std::uint32_t ack = take_packet();
    core_.packets[ack] = ack_of(p, flow);
    if (core_.border != nullptr) core_.border->begin_ack(ack, core_.packets[ack].size, connection);
    core_.tell_lost(ack);
  }
  core_.tell_lost(packet);
}

Message Hosts::known_message(const Packet& packet) const {
  if (is_from_here(packet)) return messages_[packet.message];
  const CarriedMessage& carried = core_.border->carried(core_.packets.handle_of(packet));
  Message m;
  m.generated = carried.generated;
  m.bytes = carried.bytes;
  m.source = packet.source;
  m.destination = packet.destination;
  m.tag = carried.tag;
  m.traffic_class = packet.traffic_class;
  m.service_level = packet.service_level;
  m.keeps_rate = carried.keeps_rate;
  m.unsent = carried.flow;  // see adopt()
  return m;
}

void Hosts::hear_of_losses(std::vector<std::uint32_t>& packets) {
  const auto place = [&](std::uint32_t packet) {
    const Packet& p = core_.packets[packet];
    // What is about the source's own flows is named by them.
    return std::tuple(p.is_ack(), p.source, p.is_ack() ? p.message : 0, p.sequence);
  };
  std::stable_sort(packets.begin(), packets.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  for (const std::uint32_t packet : packets) hear_of_loss(packet);
}

void Hosts::hear_of_loss(std::uint32_t packet) {
  if (core_.packets[packet].is_ack()) {
    const Packet ack = core_.packets[packet];
    core_.packets.give_back(packet);
    if (core_.settings.source_queue_packets != 0) free_place(ack);
    if (core_.mechanisms.reaction) {
      core_.mechanisms.reaction->on_lost(ack, Time(core_.now));
      resume_flow(ack);
    }
    return;
  }
  if (!is_from_here(core_.packets[packet])) adopt(packet);
  const Packet p = core_.packets[packet];
  core_.packets.give_back(packet);
  Message& m = messages_[p.message];
  const std::uint32_t flow = m.flow;
  flows_.lose(flow);
  m.undelivered -= p.size - core_.settings.header.count;
  m.has_lost = true;
  if (m.undelivered == 0) finish(p.message);
  if (!reorder_) return;
  // Nobody waits for it.
  reorder_->skip(flow, flows_.highest(flow), p.sequence);
  deliver_held(flow);
}

Packet Hosts::ack_of(const Packet& data, std::uint32_t flow) const {
  Packet ack;
  ack.source = data.destination;
  ack.destination = data.source;
  ack.message = flow;
  ack.sequence = data.sequence;
  ack.size = static_cast<std::uint32_t>(core_.settings.ack_size.count);
  ack.service_level = data.service_level;
  ack.traffic_class = data.traffic_class;
  ack.flags = static_cast<std::uint8_t>(
      packet_flag::kAck | (data.flags & (packet_flag::kMarks | packet_flag::kFlowStep)));
  return ack;
}

void Hosts::acknowledge(std::uint32_t packet, std::uint32_t flow) {
  const Packet data = core_.packets[packet];
  const bool is_last = flow_step(data) == FlowStep::last;
  const bool notifies = core_.settings.acks == AckMode::becn;
  const bool is_marked = (data.flags & packet_flag::kMarks) != 0;
  if (notifies && !is_marked && !is_last) return;
  bool wanted = true;
  if (core_.mechanisms.reaction && (is_marked || !notifies)) {
    wanted = core_.mechanisms.reaction->on_received(core_.packets[packet], flow, Time(core_.now));
    if (notifies && !wanted && !is_last) return;
  }
  const std::uint32_t handle = core_.packets.take();
  Packet& ack = core_.packets[handle];
  ack = ack_of(data, flow_at_source(data, flow));
  // Flow routing has to hear of the last packet; the reaction is told nothing by it.
  if (!wanted) ack.flags = static_cast<std::uint8_t>(ack.flags & ~packet_flag::kMarks);
  if (core_.records.any()) core_.records.copy(packet, handle);
  if (core_.border != nullptr)
    core_.border->begin_ack(handle, ack.size, flows_.connection_of(flow));
  if (core_.settings.acks == AckMode::ideal) {
    const std::int64_t at = core_.now + ack_latency(ack, data.hops);
    if (core_.border != nullptr && !core_.border->is_own_host(ack.destination)) {
      core_.border->send_ideal_ack(core_, at, handle);
    } else {
      core_.schedule(at, kIdealAck, ack.destination, handle);
    }
    return;
  }
  queue_ack(handle);
}

std::int64_t Hosts::ack_latency(const Packet& ack, std::uint32_t hops) {
  std::int64_t latency = 0;
  if (core_.settings.ack_delay) {
    latency = core_.settings.ack_delay->count;
  } else {
    const Output& out = core_.links[core_.first_port[ack.source]];
    latency = (hops + 1) * out.delay +
              hops * (core_.settings.routing_delay + core_.settings.crossbar_delay).count +
              out.duration(ack.size);
  }
  if (!ack_random_.empty()) {
    const auto choices = static_cast<std::uint64_t>(core_.settings.ack_jitter.count) + 1;
    latency += static_cast<std::int64_t>(ack_random_[ack.source].below(choices));
  }
  return latency;
}

void Hosts::queue_ack(std::uint32_t packet) {
  Packet& ack = core_.packets[packet];
  const std::uint32_t host = ack.source;
  ack.next_lane = core_.models.routing->injection_lane(HostId(host), HostId(ack.destination));
  const auto level = core_.settings.ack_service_level;
  ack.next_buffer = class_of(host, ack.destination,
                             level ? static_cast<std::uint8_t>(*level) : ack.service_level);
  ack.buffer = ack.next_buffer;
  ack.lane = ack.next_lane;
  core_.expect(host, ack.buffer, ack.size);
  acks_.push(host, packet);
  ask(core_.first_port[host]);
}

void Hosts::receive_ideal_acks(std::vector<std::uint32_t>& packets) {
  const auto sender = [&](std::uint32_t packet) {
    const Packet& ack = core_.packets[packet];
    return std::pair(ack.source, ack.sequence);
  };
  // The numbers of packets depend on what other hosts have sent.
  std::sort(packets.begin(), packets.end(),
            [&](std::uint32_t a, std::uint32_t b) { return sender(a) < sender(b); });
  for (const std::uint32_t packet : packets) {
    if (flow_step(core_.packets[packet]) != FlowStep::none) {
      accept_flow_step(packet);
    } else {
      accept_ack(packet);
    }
  }
}

void Hosts::send_request(const FlowRequest& request) {
  const std::uint32_t packet = take_packet();
  Packet& p = core_.packets[packet];
  const FlowNames::Name name = flows_.name(request.flow);
  p.source = name.source;
  p.destination = name.destination;
  p.message = request.flow;
  p.sequence = UINT32_MAX;  // of a set-up packet: hops left, not yet set
  p.size = static_cast<std::uint32_t>(core_.mechanisms.flow_routing->packet_size().count);
  p.service_level = request.service_level;
  p.traffic_class = request.traffic_class;
  p.flags = static_cast<std::uint8_t>(packet_flag::kAck | flags_of(request.step));
  if (core_.border != nullptr)
    core_.border->begin_ack(packet, p.size, flows_.connection_of(request.flow));
  core_.mechanisms.flow_routing->on_requested(p);
  queue_ack(packet);
}

void Hosts::accept_flow_step(std::uint32_t packet) {
  Packet& p = core_.packets[packet];
  const FlowStep step = flow_step(p);
  FlowRouting& flow_routing = *core_.mechanisms.flow_routing;
  flow_routing.on_control_delivered(p);
  if (is_flow_request(p)) {
    p.flags |= packet_flag::kAnswer;
    std::swap(p.source, p.destination);
    p.hops = 0;
    queue_ack(packet);
    return;
  }
  const std::uint32_t flow = p.message;
  const std::uint32_t source = p.destination;
  if (step == FlowStep::last && core_.settings.acks != AckMode::none) {
    accept_ack(packet);
  } else {
    core_.packets.give_back(packet);
  }
  if (!flow_routing.on_return(flow, step, Time(core_.now))) return;
  queues_.resume(source, flow, false, grouping());
  core_.mark_dirty(core_.first_port[source]);
}

void Hosts::accept_ack(std::uint32_t packet) {
  if (core_.mechanisms.reaction)
    core_.mechanisms.reaction->on_ack(core_.packets[packet], Time(core_.now));
  const Packet ack = core_.packets[packet];
  core_.packets.give_back(packet);
  if (core_.settings.source_queue_packets != 0) free_place(ack);
  if (core_.mechanisms.reaction) resume_flow(ack);
}

void Hosts::free_place(const Packet& ack) {
  --kept_[ack.message];
  queues_.resume(ack.destination, ack.message, false, grouping());
  core_.mark_dirty(core_.first_port[ack.destination]);
}

void Hosts::resume_flow(const Packet& ack) {
  queues_.resume(ack.destination, ack.message, core_.mechanisms.reaction->shares_states(),
                 grouping());
  core_.mark_dirty(core_.first_port[ack.destination]);
}

}  // namespace weir::fabric

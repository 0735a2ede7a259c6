#include "weir/fabric/host/hosts.hpp"

namespace weir::fabric {

// What hosts do for every message and packet of a run with nothing at them but a FIFO each: without
// asking for what the run does not have, and each step in one piece. What is rare goes to the
// general functions; trajectories are theirs.

bool Hosts::are_plain(const Core& core) {
  return core.is_plain && !core.mechanisms.reaction && !core.mechanisms.injection &&
         core.settings.acks == AckMode::none && core.settings.order != HostOrder::reorder &&
         core.settings.source_queues == SourceQueueKind::fifo &&
         core.settings.source_queue_packets == 0;
}

void Hosts::generate_plainly(std::uint32_t source) {
  Source& s = sources_[source];
  const std::uint32_t host = s.host;
  const SourceQueue& queue = queues_[host];
  if (queue.first_waiter != kNone || !has_room(s, queue)) {
    generate(source);
    return;
  }
  const MessageRequest& request = *s.pending;
  const MessageSource& model = *s.model;
  const std::uint32_t handle = messages_.take();
  Message& m = messages_[handle];
  m.generated = s.is_loop ? core_.now : request.at.count;
  m.bytes = m.unsent = m.undelivered = request.size.count;
  m.source = host;
  m.destination = request.destination.value;
  m.tag = request.tag;
  m.traffic_class = model.traffic_class;
  m.service_level = model.service_level;
  m.flow = flows_.find_or_add(host, m.destination, false, model.connection);
  core_.expect(host, 0, wire_size(m));
  backlog_ += m.bytes;
  ++core_.counters.messages_generated;
  core_.observer->on_generated(m, Time(core_.now));
  queues_.push_to_fifo(host, handle);
  ask(host);
  draw(source);
}

void Hosts::inject_plainly(std::uint32_t port) {
  const std::uint32_t host = port;
  SourceQueue& queue = queues_[host];
  if (queue.head == kNone) return;
  const std::int64_t now = core_.now;
  Output& out = core_.links[port];
  if (out.free_at > now) {
    core_.wake(port, out.free_at);
    return;
  }
  if (core_.announced != 0 || !core_.is_down.empty()) [[unlikely]] {
    inject(port);
    return;
  }
  if (!core_.links.takes_something_plainly(port, out, now)) {
    core_.await_feedback(port);
    return;
  }
  const std::uint32_t handle = queue.head;
  Message& m = messages_[handle];
  const std::uint32_t packet = take_packet();
  Packet& p = core_.packets[packet];
  p.size = wire_size(m);
  p.source = host;
  p.destination = m.destination;
  p.message = handle;
  p.sequence = flows_.injected(m.flow)++;
  if (core_.border != nullptr)
    core_.border->begin(packet, p.size, m, flows_.across(m.flow), flows_.connection_of(m.flow));
  p.injected = now;
  p.service_level = m.service_level;
  p.traffic_class = m.traffic_class;
  const std::int64_t payload = p.size - core_.settings.header.count;
  m.unsent -= payload;
  backlog_ -= payload;
  if (m.unsent == 0) p.flags |= packet_flag::kLastOfMessage;
  queues_.serve_fifo(host, payload);
  ++core_.counters.packets_injected;
  core_.observer->on_injected(p, m);
  const std::int64_t free_at = core_.transmit_plainly(port, out, packet, p);
  if (queue.first_waiter != kNone || !loops_.empty()) use_room(host);
  if (queues_[host].head != kNone) core_.wake(port, free_at);
}

void Hosts::receive_plainly(std::uint32_t port, std::uint32_t packet) {
  const Packet& p = core_.packets[packet];
  if (p.destination != port) [[unlikely]]
    check_destination(port, packet);
  if (!is_from_here(p)) [[unlikely]]
    adopt(packet);
  const std::uint32_t handle = p.message;
  Message& m = messages_[handle];
  m.newest = flows_.highest(m.flow);
  const bool in_order = flows_.receive(m.flow, p.sequence);
  ++core_.counters.packets_delivered;
  core_.counters.data_links += p.hops + 1U;
  core_.fingerprint.add(core_.now, delivery_key(p));
  m.undelivered -= p.size - core_.settings.header.count;
  core_.observer->on_delivered(p, m, Time(core_.now), in_order);
  // The observer may have submitted messages, which moves them all.
  if (const Message& known = messages_[handle]; known.undelivered == 0) {
    if (known.has_lost || core_.border != nullptr) [[unlikely]] {
      finish(handle);
    } else {
      ++core_.counters.messages_completed;
      core_.observer->on_message_complete(known, Time(core_.now));
      messages_.give_back(handle);
    }
  }
  core_.packets.give_back(packet);
}

}  // namespace weir::fabric

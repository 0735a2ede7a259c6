#include "weir/fabric/core.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/headroom.hpp"
#include "weir/fabric/hooks/known_paths.hpp"
#include "weir/fabric/host/flow_table.hpp"
#include "weir/fabric/parallel/border.hpp"
#include "weir/fabric/waiting_watch.hpp"

namespace weir::fabric {

namespace {

/// Events per hop and link are a few; the typical distance between events follows from the packet
/// time and the number of links.
std::int64_t expected_spacing(const topology::Graph& graph, const FabricSettings& settings) {
  const Rate rate = graph.port(graph.host_port(HostId(0))).link.rate;
  const std::int64_t packet_time = serialization_time(settings.mtu, rate).count;
  return std::max<std::int64_t>(1, packet_time / static_cast<std::int64_t>(graph.port_count()));
}

std::int64_t shortest_delay(const topology::Graph& graph) {
  std::int64_t shortest = kNever;
  for (const topology::Port& port : graph.ports()) {
    if (port.to.valid()) shortest = std::min(shortest, port.link.delay.count);
  }
  return shortest == kNever ? 0 : shortest;
}

int class_count(const Models& models) {
  return models.queueing->classes() + models.selection->added_classes();
}

bool is_plain_run(const Models& models, const Mechanisms& mechanisms,
                  const FabricSettings& settings, int buffers) {
  const bool is_left_alone = !mechanisms.marker && !mechanisms.agent && !mechanisms.isolation &&
                             !mechanisms.admission && !mechanisms.vl_sharing &&
                             !mechanisms.flow_routing && !mechanisms.waiting;
  return is_left_alone && models.selection->is_fixed() && models.selection->follows_default() &&
         settings.memory == Memory::split && settings.flow_control == FlowControl::credits &&
         buffers == 1;
}

/// Some mechanism relies on the ways that this selection keeps packets on.
bool know_paths(const Models& models, const Mechanisms& mechanisms) {
  const auto* isolation = dynamic_cast<const NeedsKnownPaths*>(mechanisms.isolation.get());
  return !models.selection->is_fixed() && models.selection->keeps_paths() &&
         (isolation != nullptr || mechanisms.admission != nullptr);
}

}  // namespace

std::vector<Mechanism*> Mechanisms::all() const {
  std::vector<Mechanism*> some;
  for (Mechanism* mechanism : std::initializer_list<Mechanism*>{
           admission.get(), injection.get(), flow_routing.get(), control.get(), marker.get(),
           vl_sharing.get(), isolation.get(), agent.get(), reaction.get(), waiting.get()}) {
    if (mechanism != nullptr) some.push_back(mechanism);
  }
  return some;
}

Counters& Counters::operator+=(const Counters& other) {
  events += other.events;
  packet_hops += other.packet_hops;
  packets_injected += other.packets_injected;
  packets_delivered += other.packets_delivered;
  acks_injected += other.acks_injected;
  acks_delivered += other.acks_delivered;
  messages_generated += other.messages_generated;
  messages_completed += other.messages_completed;
  messages_refused += other.messages_refused;
  packets_lost += other.packets_lost;
  acks_lost += other.acks_lost;
  messages_lost += other.messages_lost;
  diverted += other.diverted;
  adapted_in_switches += other.adapted_in_switches;
  adapted_at_hosts += other.adapted_at_hosts;
  ack_link_bytes += other.ack_link_bytes;
  control_link_bytes += other.control_link_bytes;
  data_links += other.data_links;
  ties += other.ties;
  return *this;
}

Core::Core(Models the_models, Mechanisms the_mechanisms, const FabricSettings& the_settings,
           Observer& the_observer, Border* the_border)
    : models(std::move(the_models)),
      mechanisms(std::move(the_mechanisms)),
      settings(the_settings),
      observer(&the_observer),
      border(the_border),
      graph(*models.graph),
      host_count(static_cast<std::uint32_t>(graph.host_count())),
      buffers(class_count(models) * models.routing->lanes()),
      classes(class_count(models)),
      cut_through(settings.switching == Switching::cut_through),
      is_plain(is_plain_run(models, mechanisms, settings, buffers)),
      tree_table(buffers == 1 ? models.routing->tree_table() : nullptr),
      is_fixed(models.selection->is_fixed()),
      keeps_known_paths(know_paths(models, mechanisms)),
      routes_flows(mechanisms.flow_routing != nullptr),
      knows_routes_ahead(models.selection->follows_default()),
      tells_connections(models.routing->tells_connections_apart()),
      tells_packets(mechanisms.marker || mechanisms.waiting),
      isolates_adapted(models.selection->isolates()),
      end_to_end_classes(models.queueing->is_end_to_end()),
      classes_by_output(models.queueing->is_by_output()),
      ingress_pipeline_only(settings.architecture == Architecture::input_queued ||
                            settings.architecture == Architecture::input_queued_single),
      arrival_delay(weir::fabric::arrival_delay(settings)),
      horizon(shortest_delay(graph)),
      events(expected_spacing(graph, settings)),
      links(graph, settings, buffers),
      stored(graph.port_count() * static_cast<std::size_t>(buffers), 0) {
  if (graph.port_count() > engine::Event::kEntityMask)
    throw InputError("the network has too many ports");
  every_mechanism = mechanisms.all();
  every_mechanism.insert(every_mechanism.begin(), models.selection.get());
  for (std::size_t n = 0; n < graph.node_count(); ++n)
    first_port.push_back(graph.first_port(NodeId(n)).value);
  for (const topology::Port& port : graph.ports()) {
    PortInfo info;
    info.node = port.node.value;
    info.first_port = graph.first_port(port.node).value;
    info.number = port.number;
    info.degree = static_cast<std::uint16_t>(graph.degree(port.node));
    if (port.from.valid()) {
      info.upstream = port.from.value;
      info.is_fed_across = border != nullptr && !border->is_own_port(port.from.value);
      info.upstream_delay = graph.port(port.from).link.delay.count;
      info.upstream_ps_per_byte = links[port.from.value].ps_per_byte;
    }
    const auto number = static_cast<std::uint32_t>(ports.size());
    if (border != nullptr && port.to.valid())
      links[number].crosses = !border->is_own_port(port.to.value);
    if (is_here(number)) links.foresee_feedback(graph, number);
    ports.push_back(info);
  }
  if (settings.flow_control != FlowControl::credits) {
    stop_and_go = std::make_unique<StopAndGo>(*this);
    every_mechanism.push_back(stop_and_go.get());
  }
  if (mechanisms.waiting) {
    watched_bytes = kNoVoqs;
    mechanisms.waiting->use(*this);
  }
  if (!is_fixed) {
    adapts_at_host.assign(host_count, 0);
    for (std::size_t s = 0; s < graph.switch_count(); ++s) {
      selection_random_.emplace_back(settings.seed, static_cast<std::uint32_t>(s),
                                     StreamPurpose::selection);
    }
  }
}

bool Core::is_here(std::uint32_t port) const {
  return border == nullptr || border->is_own_port(port);
}

std::int64_t Core::transmit(std::uint32_t port, std::uint32_t packet) {
  if (is_plain && is_down.empty()) return transmit_plainly(port, packet);
  Packet& p = packets[packet];
  Output& out = links[port];
  clear_blocked(port);
  if (mechanisms.vl_sharing && !p.is_ack()) mechanisms.vl_sharing->on_sent(port, p.next_buffer);
  if (is_link_down(port)) return discard(port, packet);
  links.take(port, p.next_buffer, p.size);
  const std::int64_t duration = out.duration(p.size);
  out.free_at = now + duration;
  out.bytes_sent += p.size;
  ++out.packets_sent;
  ++counters.packet_hops;
  if (out.is_watched) turn_watch.on_sent(port, p.next_buffer);
  tell_transmit(port, packet, p);
  if ((p.flags & packet_flag::kLastOfConnection) != 0)
    mechanisms.admission->on_last(PortId(port), p);
  p.buffer = p.next_buffer;
  p.lane = p.next_lane;
  std::int64_t arrival = now + out.delay;
  if (out.to_host) {
    arrival += duration;
  } else {
    arrival += arrival_delay;
    p.tail = arrival + duration;
    p.in_port = out.to;
    if (knows_routes_ahead) look_up_route(p, out.to_node);
    if (!cut_through) arrival = p.tail;
  }
  remember(packet, port);
  const std::int64_t free_at = out.free_at;
  if (out.crosses) [[unlikely]] {
    send_across(arrival, out.to, packet);
  } else {
    schedule(arrival, kArrival, out.to, packet);
  }
  return free_at;
}

std::int64_t Core::discard(std::uint32_t port, std::uint32_t packet) {
  Output& out = links[port];
  out.free_at = now + out.duration(packets[packet].size);
  tell_transmit(port, packet, packets[packet]);
  remember(packet, port);
  schedule(out.free_at, kDiscard, port, packet);
  return out.free_at;
}

void Core::tell_watch(std::uint32_t port, std::uint32_t packet) {
  mechanisms.waiting->on_transmit(port, packet);
}

void Core::tell_no_room(std::uint32_t port, std::uint16_t buffer, bool is_entry) {
  mechanisms.waiting->on_no_room(port, buffer, is_entry);
}

void Core::tell_no_room_at_all(std::uint32_t port, bool is_entry) {
  mechanisms.waiting->on_no_room(port, is_entry);
}

void Core::set_link(std::uint32_t port, bool is_up) {
  if (is_down.empty()) is_down.assign(links.size(), 0);
  is_down[port] = is_up ? 0 : 1;
  if (border != nullptr && !border->is_own_port(port)) return;  // the far end is here
  Output& out = links[port];
  out.is_open = out.to_host || !is_up;
  if (mechanisms.isolation) mechanisms.isolation->on_link(PortId(port), is_up);
  if (mechanisms.agent) mechanisms.agent->on_link(PortId(port), is_up);
  mark_dirty(port);
}

void Core::overflow(std::uint32_t port, std::uint32_t packet) const {
  const Packet& p = packets[packet];
  throw RunError(
      fmt::format("lossless violation at {} ps: ingress buffer of {} holds {} of {} bytes in class "
                  "{} after the "
                  "arrival of a packet from host {} to host {}; {}",
                  now, graph.name(PortId(port)), stored[buffer_index(port, p.buffer)],
                  links.capacity(), p.buffer, p.source, p.destination, history(packet)));
}

bool Core::shares_room(std::uint16_t of, std::uint16_t buffer) const {
  const bool is_same = buffer % classes == of % classes;
  const bool is_adapted = isolates_adapted && buffer % classes == classes - 1;
  // Schemes that give a packet another class in every buffer may give it any.
  return is_same || is_adapted || !end_to_end_classes;
}

void Core::expect_larger(std::uint16_t buffer, std::uint32_t bytes) {
  for (std::uint16_t b = 0; b < buffers; ++b) {
    if (shares_room(buffer, b)) links.expect(b, bytes);
  }
}

void Core::announce(std::uint32_t host, std::uint16_t buffer, std::uint32_t bytes) {
  if (horizon == 0) {
    expect_larger(buffer, bytes);
    return;
  }
  if (first_announcement_.empty()) first_announcement_.assign(host_count, kNone);
  for (std::uint32_t a = first_announcement_[host]; a != kNone; a = announcements_[a].next) {
    const Announcement& known = announcements_[a];
    if (known.buffer == buffer && known.bytes >= bytes) return;
  }
  schedule(now + horizon, kExpect, buffer, add_announcement(host, buffer, bytes));
  if (border != nullptr) border->expect(now + horizon, buffer, bytes);
}

std::uint32_t Core::add_announcement(std::uint32_t host, std::uint16_t buffer,
                                     std::uint32_t bytes) {
  const std::uint32_t number = announcements_.take();
  announcements_[number] = {host, bytes, buffer, host == kNone ? kNone : first_announcement_[host]};
  if (host != kNone) first_announcement_[host] = number;
  ++announced;
  ++background_events;
  return number;
}

void Core::hear_expectation(std::int64_t at, std::uint16_t buffer, std::uint32_t bytes) {
  schedule(at, kExpect, buffer, add_announcement(kNone, buffer, bytes));
}

std::vector<Core::Expected> Core::expected() const {
  std::vector<Expected> all;
  events.for_each([&](const engine::Event& event) {
    if (event.kind() != kExpect) return;
    const Announcement& one = announcements_[event.payload];
    if (one.host != kNone) all.push_back({event.time, one.host, one.bytes, one.buffer});
  });
  return all;
}

void Core::expect_again(const Expected& one) {
  const bool is_own = border == nullptr || border->is_own_host(one.host);
  if (is_own && first_announcement_.empty()) first_announcement_.assign(host_count, kNone);
  schedule(one.at, kExpect, one.buffer,
           add_announcement(is_own ? one.host : kNone, one.buffer, one.bytes));
}

void Core::checkpoint(NodeState& state) {
  links.checkpoint(state);
  for (std::uint32_t port = state.first_port(); port < state.end_port(); ++port) {
    const PortInfo& info = ports[port];
    if (info.upstream != kNone)
      links.checkpoint_incoming(state, info.upstream, now, info.is_fed_across);
  }
  state.of_ports(stored, static_cast<std::size_t>(buffers));
  state.of_host(adapts_at_host);
  state.of_switch(selection_random_);
  std::vector<std::int64_t> control;
  if (!control_free_at.empty()) {
    const auto first = control_free_at.begin() + state.first_port();
    control.assign(first, first + (state.end_port() - state.first_port()));
  }
  state(control);
  if (!state.is_reading() || control.empty()) return;
  if (control_free_at.empty()) control_free_at.assign(links.size(), 0);
  std::copy(control.begin(), control.end(), control_free_at.begin() + state.first_port());
}

void Core::checkpoint_totals(TotalState& state) {
  state.sum(counters, fingerprint, at_ingress.value, at_egress.value, at_hosts.value);
  turn_watch.checkpoint_totals(state);
}

void Core::hear_announcement(std::uint32_t number) {
  const Announcement heard = announcements_[number];
  expect_larger(heard.buffer, heard.bytes);
  if (heard.host != kNone) {
    std::uint32_t* link = &first_announcement_[heard.host];
    while (*link != number) link = &announcements_[*link].next;
    *link = heard.next;
  }
  announcements_.give_back(number);
  --announced;
  --background_events;
}

std::int64_t Core::announced_at(std::uint32_t port, std::uint16_t buffer) const {
  if (port >= host_count || first_announcement_.empty()) return 0;
  std::int64_t most = 0;
  for (std::uint32_t a = first_announcement_[port]; a != kNone; a = announcements_[a].next) {
    const Announcement& one = announcements_[a];
    if (shares_room(one.buffer, buffer)) most = std::max<std::int64_t>(most, one.bytes);
  }
  return most;
}

std::int64_t Core::message_bytes(const Packet& packet) const {
  return border == nullptr ? (*messages)[packet.message].bytes
                           : border->carried(packets.handle_of(packet)).bytes;
}

std::uint32_t Core::flow_of(const Packet& packet) const {
  return border == nullptr ? (*messages)[packet.message].flow
                           : border->carried(packets.handle_of(packet)).flow;
}

std::uint16_t Core::connection_of(const Packet& packet) const {
  if (border != nullptr) return border->carried(packets.handle_of(packet)).connection;
  return flows->connection_of(packet.is_ack() ? packet.message : (*messages)[packet.message].flow);
}

void Core::tell_across(std::uint32_t port, Feedback feedback) {
  // What is on its way counts as held here, too (ingress_fill()).
  links.forget(port, now);
  (void)links.tell(port, feedback, now);
  border->tell(port, feedback);
}

void Core::tell_lost(std::uint32_t packet) {
  const std::uint32_t host = packets[packet].destination;
  if (border != nullptr && !border->is_own_host(host)) {
    border->send_lost(*this, now + horizon, first_port[host], packet);
  } else {
    schedule(now + horizon, kLost, first_port[host], packet);
  }
}

void Core::send_across(std::int64_t at, std::uint32_t port, std::uint32_t packet) {
  border->send(*this, at, port, packet);
}

void Core::post(std::int64_t at, PortId to, ControlSender sender, const ControlMessage& message) {
  if (border != nullptr && !border->is_own_port(to.value)) {
    border->post(*this, at, to.value, sender, message);
  } else {
    schedule(at, kControl, to.value, controls.add(sender, message));
  }
}

Fill Core::ingress_fill(std::uint32_t port, std::uint16_t buffer) const {
  const PortInfo& info = ports[port];
  const bool is_split = settings.memory == Memory::split;
  // What becomes free later is on its way out.
  Fill fill{links.returning(info.upstream, is_split ? buffer : Links::kEveryBuffer,
                            now + info.upstream_delay),
            links.capacity()};
  if (is_split) {
    fill.bytes += stored[buffer_index(port, buffer)];
  } else {
    for (int b = 0; b < buffers; ++b)
      fill.bytes += stored[buffer_index(port, static_cast<std::uint16_t>(b))];
  }
  return fill;
}

std::size_t Core::memory() const {
  return events.memory() + links.memory() + packets.memory() + records.memory() +
         controls.memory() + stored.capacity() * sizeof(std::int64_t) +
         ports.capacity() * sizeof(PortInfo) + first_port.capacity() * sizeof(std::uint32_t);
}

void Core::send_control(PortId to, PortId from, const ControlMessage& message) {
  const ControlSender sender = sender_of(to, from);
  const bool along = sender == ControlSender::upstream;
  post(now + links[along ? from.value : to.value].delay, to, sender, message);
}

void Core::send_notification(PortId to, PortId from, std::uint32_t bytes,
                             const ControlMessage& message) {
  const ControlSender sender = sender_of(to, from);
  const bool along = sender == ControlSender::upstream;
  const Output& link = links[along ? from.value : to.value];
  post(now + link.duration(bytes) + link.delay, to, sender, message);
}

void Core::send_in_band(PortId to, PortId from, std::uint32_t bytes,
                        const ControlMessage& message) {
  Output& out = links[from.value];
  if (out.to != to.value || bytes == 0) {
    send_control(to, from, message);
    return;
  }
  // The link is booked from the end of what it sends now. A packet that it sent before has left the
  // memory.
  if (out.free_at <= now) out.departing = 0;
  out.free_at = std::max(now, out.free_at) + out.duration(bytes);
  count_control(from.value, bytes);
  post(out.free_at + out.delay, to, ControlSender::upstream, message);
}

std::int64_t Core::occupy_for_control(std::uint32_t port, std::uint32_t bytes, bool preempts) {
  Output& out = links[port];
  const std::int64_t duration = out.duration(bytes);
  if (out.free_at <= now) out.departing = 0;
  out.free_at = std::max(now, out.free_at) + duration;
  count_control(port, bytes);
  if (!preempts) return out.free_at + out.delay;
  if (control_free_at.empty()) control_free_at.assign(links.size(), 0);
  std::int64_t& free_at = control_free_at[port];
  free_at = std::max(now, free_at) + duration;
  return free_at + out.delay;
}

std::string Core::history(std::uint32_t packet) const {
  std::string text = "history of the packet:";
  const std::size_t from = ring_next > ring.size() ? ring_next - ring.size() : 0;
  bool any = false;
  for (std::size_t i = from; i < ring_next; ++i) {
    const HistoryRecord& record = ring[i % ring.size()];
    if (record.packet != packet) continue;
    // Handles are used again: what came before it left its host is about another packet.
    if (ports[record.port].node < host_count) text = "history of the packet:";
    text += fmt::format(" left {} at {} ps;", graph.name(PortId(record.port)), record.time);
    any = true;
  }
  if (!any) text += " older than the last steps kept";
  return text;
}

}  // namespace weir::fabric

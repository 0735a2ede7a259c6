#include "weir/fabric/part.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "weir/fabric/checkpoint/network_state.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::fabric {

namespace {

/// Recipients of control messages that are none of Core::every_mechanism.
constexpr std::uint32_t kHosts = kNone - 1;  ///< MessagesToHosts

/// Of events that belong to no node.
constexpr std::uint32_t kNoNode = kNone;

std::vector<std::uint32_t> numbered_from(std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t i = 0; i < count; ++i) numbers[i] = first + i;
  return numbers;
}

}  // namespace

std::uint32_t Part::node_of(const engine::Event& event) const {
  switch (static_cast<EventKind>(event.kind())) {
    case kGenerate:
      return hosts_.host_of_source(event.entity());
    case kIdealAck:
      return event.entity();
    case kLinkChange:
    case kExpect:
    case kSample:
    case kCheck:
      return kNoNode;
    default:
      return core_.ports[event.entity()].node;
  }
}

void Part::write(NetworkState& state) {
  if (!is_settled()) throw std::logic_error("a checkpoint in the middle of an instant");
  const Hosts::Numbers numbers = hosts_.numbers();
  std::vector<std::vector<engine::Event>> events(core_.graph.node_count());
  core_.events.for_each([&](const engine::Event& event) {
    const std::uint32_t node = node_of(event);
    if (node != kNoNode) events[node].push_back(event);
    if (event.kind() == kLinkChange && core_.is_here(event.entity()))
      state.changes.push_back({event.time, event.entity(), event.payload != 0});
  });
  static const std::vector<std::uint32_t> kNothing;
  for (std::uint32_t n = 0; n < core_.graph.node_count(); ++n) {
    if (!core_.is_here(core_.first_port[n])) continue;
    NetworkState::Node& node = state.nodes[n];
    const bool is_host = n < core_.host_count;
    if (is_host) {
      node.names = {numbers.messages[n], numbers.flows[n]};
      std::ostringstream out(std::ios::binary);
      NodeState begun(out, core_, n, numbers.flows[n]);
      hosts_.checkpoint_begun(begun, numbers.messages[n]);
      node.begun = std::move(out).str();
    }
    std::ostringstream out(std::ios::binary);
    NodeState rest(out, core_, n, is_host ? numbers.flows[n] : kNothing);
    checkpoint_node(rest, numbers);
    checkpoint_events(rest, std::move(events[n]));
    node.rest = std::move(out).str();
  }
  std::ostringstream out(std::ios::binary);
  TotalState totals(out);
  core_.checkpoint_totals(totals);
  to_hosts_.checkpoint_totals(totals);
  for (Mechanism* mechanism : core_.every_mechanism) mechanism->checkpoint_totals(totals);
  state.totals.push_back(std::move(out).str());
  for (const Core::Expected& one : core_.expected()) state.announced.push_back(one);
  if (core_.is_down.empty()) return;
  state.is_down.resize(core_.is_down.size());
  // Of a link with no end here the part does not know when it is up again.
  for (std::uint32_t p = 0; p < core_.is_down.size(); ++p)
    if (core_.is_here(p)) state.is_down[p] = core_.is_down[p];
}

void Part::read(const NetworkState& state, const StateNames& names, bool takes_totals) {
  core_.now = state.now;
  core_.is_down = state.is_down;
  std::istringstream rooms(state.rooms, std::ios::binary);
  StateArchive archive(rooms);
  core_.links.checkpoint_all(archive);
  Hosts::Numbers numbers = hosts_.numbers();  // of sources
  std::vector<std::uint32_t> flows;
  const auto flows_of = [&](std::uint32_t host) {
    const auto& old = names.host(host).flows;
    return numbered_from(old.empty() ? 0 : names.flow(host, old.front()), old.size());
  };
  for (std::uint32_t host = 0; host < core_.host_count; ++host) {
    if (!core_.is_here(core_.first_port[host])) continue;
    const auto& old = names.host(host).messages;
    flows = flows_of(host);
    std::istringstream in(state.nodes[host].begun, std::ios::binary);
    NodeState begun(in, core_, host, flows, names);
    hosts_.checkpoint_begun(
        begun, numbered_from(old.empty() ? 0 : names.message(host, old.front()), old.size()));
  }
  static const std::vector<std::uint32_t> kNothing;
  for (std::uint32_t n = 0; n < core_.graph.node_count(); ++n) {
    if (!core_.is_here(core_.first_port[n])) continue;
    const bool is_host = n < core_.host_count;
    flows = is_host ? flows_of(n) : kNothing;
    std::istringstream in(state.nodes[n].rest, std::ios::binary);
    NodeState rest(in, core_, n, flows, names);
    checkpoint_node(rest, numbers);
    checkpoint_events(rest, {});
  }
  for (const Core::Expected& one : state.announced) core_.expect_again(one);
  core_.turn_watch.find_packets(core_, *switches_);
  for (const std::string& bytes : state.totals) {
    std::istringstream in(bytes, std::ios::binary);
    TotalState totals(in, takes_totals);
    core_.checkpoint_totals(totals);
    to_hosts_.checkpoint_totals(totals);
    for (Mechanism* mechanism : core_.every_mechanism) mechanism->checkpoint_totals(totals);
  }
}

void Part::checkpoint_node(NodeState& state, const Hosts::Numbers& numbers) {
  core_.checkpoint(state);
  hosts_.checkpoint(state, numbers);
  switches_->checkpoint(state);
  core_.turn_watch.checkpoint(state);
  for (Mechanism* mechanism : core_.every_mechanism) mechanism->checkpoint(state);
}

void Part::checkpoint_events(NodeState& state, std::vector<engine::Event> events) {
  // Messages of one instant in the order in which they were sent; their numbers begin anew.
  std::sort(events.begin(), events.end(), [&](const engine::Event& a, const engine::Event& b) {
    if (a.kind() != kControl || b.kind() != kControl || a.time != b.time) return a < b;
    return core_.controls.age_of(a.payload) < core_.controls.age_of(b.payload);
  });
  std::uint64_t count = events.size();
  state(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    engine::Event event = state.is_reading() ? engine::Event() : events[i];
    std::uint32_t kind = event.kind();
    std::uint32_t entity = event.entity();
    state(event.time, kind);
    if (kind == kGenerate) {
      state.source(entity);
    } else {
      state(entity);
    }
    checkpoint_payload(state, static_cast<EventKind>(kind), event.payload);
    if (!state.is_reading()) continue;
    if (kind == kTimer) ++core_.background_events;
    core_.events.push(engine::Event(event.time, kind, entity, event.payload));
  }
}

void Part::checkpoint_payload(NodeState& state, EventKind kind, std::uint32_t& payload) {
  switch (kind) {
    case kArrival:
    case kIdealAck:
    case kDiscard:
    case kLost:
      state.packet(payload);
      return;
    case kControl:
      checkpoint_control(state, payload);
      return;
    default:
      state(payload);
  }
}

void Part::checkpoint_control(NodeState& state, std::uint32_t& number) {
  ControlMessage message;
  auto sender = ControlSender::own;
  if (!state.is_reading()) {
    message = core_.controls.peek(number);
    sender = core_.controls.sender_of(number);
  }
  state(sender);
  checkpoint_message(state, kNone, message);
  if (!state.is_reading()) return;
  number = core_.controls.add(sender, message);
  const ControlTraffic* control = core_.mechanisms.control.get();
  if (control != nullptr && message.recipient() == control) ++core_.background_events;
}

void Part::checkpoint_message(NodeState& state, std::uint32_t host, ControlMessage& message) {
  const auto& all = core_.every_mechanism;
  std::uint32_t recipient = kNone;
  if (!state.is_reading() && message.recipient() != nullptr) {
    const auto known = std::find(all.begin(), all.end(), message.recipient());
    recipient = message.recipient() == &to_hosts_ ? kHosts
                                                  : static_cast<std::uint32_t>(known - all.begin());
  }
  state(recipient);
  if (recipient == kHosts) {
    MessagesToHosts::Transit transit;
    if (!state.is_reading()) transit = to_hosts_.transit_of(message);
    state(transit.source, transit.destination, transit.size, transit.hops, transit.lane);
    checkpoint_message(state, transit.destination, transit.message);
    if (state.is_reading()) message = to_hosts_.message_about(transit);
    return;
  }
  if (recipient == kNone) return;  // lost
  if (state.is_reading()) message = message.to(*all.at(recipient));
  all.at(recipient)->checkpoint_message(state, host, message);
}

Part::Periodic Part::periodic() const {
  Periodic next{kNever, kNever};
  core_.events.for_each([&](const engine::Event& event) {
    if (event.kind() == kSample) next.sample = event.time;
    if (event.kind() == kCheck) next.check = event.time;
  });
  return next;
}

void Part::resume_periodic(const Periodic& next) {
  if (next.sample != kNever) {
    core_.schedule(next.sample, kSample, 0, 0);
    ++periodic_pending_;
  }
  if (next.check == kNever) return;
  core_.schedule(next.check, kCheck, 0, 0);
  ++periodic_pending_;
}

}  // namespace weir::fabric

#include "weir/flow_routing/flow_router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "weir/base/error.hpp"

namespace weir::flow_routing {

using fabric::FlowStep;
using fabric::Packet;

FlowRouter::FlowRouter(const FlowRouterSettings& settings, std::shared_ptr<const FlowTables> tables)
    : settings_(settings), tables_(std::move(tables)) {
  const topology::Graph& graph = tables_->graph();
  for (std::size_t s = 0; s < graph.switch_count(); ++s) {
    random_.emplace_back(settings.seed, static_cast<std::uint32_t>(s), StreamPurpose::selection);
  }
  load_.assign(graph.port_count(), 0);
  entries_.assign(graph.port_count(), 0);
}

void FlowRouter::attach(const fabric::FabricView& fabric) {
  ports_ = fabric.ports;
  packets_ = fabric.packets;
  hosts_ = &fabric.hosts;
  stamp_ = packets_.reserve<Stamp>();
}

// --- Switches

std::uint32_t FlowRouter::port_of(const Packet& packet, std::uint16_t out) const {
  return ports_[packet.in_port].first_port + out;
}

std::uint16_t FlowRouter::route(Packet& packet) {
  const FlowStep step = fabric::flow_step(packet);
  if (!packet.is_ack()) {
    const std::uint32_t flow = packets_.flow_of(packet);
    return follow(flow, packet, settings_.piggy_backs && step == FlowStep::last);
  }
  if (step >= FlowStep::set_up) counters_.control_bytes += packet.size;
  if (!fabric::is_flow_request(packet)) return packet.out;
  return step == FlowStep::set_up ? set_up(packet) : follow(packet.message, packet, true);
}

std::uint16_t FlowRouter::set_up(Packet& packet) {
  const SwitchId at = tables_->graph().switch_of(NodeId(ports_[packet.in_port].node));
  const PortId in(packet.in_port);
  const std::uint32_t flow = packet.message;
  Stamp& its = stamp(packet);
  const auto hops = static_cast<HopsLeft>(packet.sequence);
  PortChoice choice;
  ++counters_.routed;
  if (entries_[packet.in_port] >= settings_.cache_size) {
    ++counters_.cache_full;
    choice = {packet.out, packet.out, hops_after(*tables_, at, packet.out, hops)};
  } else {
    choice =
        select_port(*tables_, at, in, HostId(packet.destination), hops, load_, random_[at.index()]);
  }
  if (choice.port != choice.default_port) {
    if (!caches_.try_emplace({packet.in_port, packet.source, flow}, choice.port).second) {
      throw RunError(
          fmt::format("flow routing: {} has an entry already for the flow from host {} to host {}",
                      tables_->graph().name(in), packet.source, packet.destination));
    }
    ++its.entries;
    ++counters_.diverted;
    counters_.entries_max =
        std::max<std::uint64_t>(counters_.entries_max, ++entries_[packet.in_port]);
  }
  load_[port_of(packet, choice.port)] += its.weight;
  counted_ += its.weight;
  if (watch_ != nullptr) {
    const PortId port(port_of(packet, choice.port));
    add_to_path(flow, packet, port, its.hops == 0);
    watch_->on_hop(flow, port);
  }
  ++its.hops;
  packet.sequence = choice.hops;
  return choice.port;
}

void FlowRouter::add_to_path(std::uint32_t flow, const Packet& packet, PortId port, bool is_first) {
  std::vector<PortId>& path = paths_[flow];
  if (is_first) path.assign(1, tables_->graph().host_port(HostId(packet.source)));
  path.push_back(port);
}

std::uint16_t FlowRouter::follow(std::uint32_t flow, const Packet& packet, bool tears_down) {
  std::uint16_t out = packet.out;
  const auto entry = caches_.find({packet.in_port, packet.source, flow});
  if (entry != caches_.end()) out = entry->second;
  if (!tears_down) return out;
  Stamp& its = stamp(packet);
  if (entry != caches_.end()) {
    caches_.erase(entry);
    --entries_[packet.in_port];
    --its.entries;
  }
  std::uint64_t& load = load_[port_of(packet, out)];
  if (load < its.weight || its.hops == 0) {
    throw RunError(fmt::format(
        "flow routing: the flow from host {} to host {} is torn down at {}, where it was not set "
        "up; {}",
        packet.source, packet.destination, tables_->graph().name(PortId(port_of(packet, out))),
        "its packets took another path"));
  }
  load -= its.weight;
  counted_ -= its.weight;
  --its.hops;
  return out;
}

// --- Hosts

void FlowRouter::on_generated(const fabric::Message& message, Time now) {
  if (message.flow >= connections_.size()) {
    connections_.resize(std::max<std::size_t>(message.flow + 1, connections_.size() * 2));
  }
  Connection& connection = connections_[message.flow];
  const bool is_quiet = connection.state == State::idle && connection.waiting == 0;
  if (is_quiet) {
    connection.service_level = message.service_level;
    connection.traffic_class = message.traffic_class;
  } else if (connection.service_level != message.service_level) {
    throw InputError(
        "flow_routing",
        fmt::format("host {} sends to host {} at two service levels at once; packets of one "
                    "connection have to stay in one class",
                    message.source, message.destination));
  }
  ++connection.waiting;
  connection.waiting_bytes += static_cast<std::uint64_t>(message.bytes);
  if (watch_ != nullptr) {
    if (paths_.size() < connections_.size()) paths_.resize(connections_.size());
    watch_->on_generated(message);
    const bool joins = connection.state == State::active && !settings_.per_message;
    if (joins) watch_->on_path(message.flow, paths_[message.flow]);
  }
  if (is_quiet) begin(message.flow, connection, now);
}

void FlowRouter::begin(std::uint32_t flow, Connection& connection, Time now) {
  connection.state = State::set_up;
  connection.asked = now;
  if (settings_.by_weight) connection.weight = connection.waiting_bytes;
  ++counters_.set_ups;
  if (watch_ != nullptr) watch_->on_set_up(flow);
  hosts_->send_request(
      {flow, FlowStep::set_up, connection.service_level, connection.traffic_class});
}

bool FlowRouter::on_injected(const fabric::Message& message, const Packet& packet, Time) {
  if (message.unsent > 0) return false;
  Connection& connection = connections_[message.flow];
  --connection.waiting;
  connection.waiting_bytes -= static_cast<std::uint64_t>(message.bytes);
  if (connection.waiting > 0 && !settings_.per_message) return false;
  if (watch_ != nullptr) {
    if (watch_->goes_on(message.flow)) return false;
    watch_->on_end(message.flow);
  }
  connection.state = State::drain;
  if (settings_.piggy_backs) write(stamp(packet), connection);
  return true;
}

void FlowRouter::on_requested(const Packet& packet) {
  write(stamp(packet), connections_[packet.message]);
}

bool FlowRouter::on_return(std::uint32_t flow, FlowStep step, Time now) {
  Connection& connection = connections_[flow];
  if (step == FlowStep::set_up) {
    connection.state = State::active;
    const Time took = now - connection.asked;
    ++counters_.completed_set_ups;
    counters_.set_up_time = counters_.set_up_time + took;
    counters_.longest_set_up = std::max(counters_.longest_set_up, took);
    if (watch_ != nullptr) watch_->on_path(flow, paths_[flow]);
    return true;
  }
  if (step == FlowStep::last && !settings_.piggy_backs) {
    connection.state = State::tear_down;
    ++counters_.tear_downs;
    hosts_->send_request(
        {flow, FlowStep::tear_down, connection.service_level, connection.traffic_class});
    return false;
  }
  return finish(flow, connection, now);
}

bool FlowRouter::finish(std::uint32_t flow, Connection& connection, Time now) {
  if (connection.hops != 0 || connection.entries != 0) {
    throw RunError(fmt::format(
        "flow routing: flow {} is torn down, but {} switches count it and {} entries are left",
        flow, connection.hops, connection.entries));
  }
  connection.state = State::idle;
  if (connection.waiting > 0) begin(flow, connection, now);
  return false;
}

void FlowRouter::on_delivered(const Packet& packet, bool in_order) {
  if (in_order) return;
  throw RunError(fmt::format("flow routing: packet {} from host {} to host {} was overtaken",
                             packet.sequence, packet.source, packet.destination));
}

void FlowRouter::on_control_delivered(const Packet& packet) {
  const FlowStep step = fabric::flow_step(packet);
  if (!fabric::is_flow_request(packet) && (step != FlowStep::last || settings_.piggy_backs)) {
    const Stamp& its = stamp(packet);
    Connection& connection = connections_[packet.message];
    connection.hops = its.hops;
    connection.entries = its.entries;
  }
  if (step == FlowStep::last) return;
  counters_.control_bytes += packet.size;
  const bool has_arrived = fabric::is_flow_request(packet) && step == FlowStep::set_up;
  if (has_arrived && watch_ != nullptr) watch_->on_arrival(packet.message);
}

// --- Checks

void FlowRouter::check(bool is_idle) const {
  std::uint64_t entries = 0;
  for (std::size_t p = 0; p < entries_.size(); ++p) {
    entries += entries_[p];
    if (entries_[p] <= settings_.cache_size) continue;
    throw RunError(fmt::format("flow routing: the route cache of {} has {} entries of {}",
                               tables_->graph().name(PortId(p)), entries_[p],
                               settings_.cache_size));
  }
  std::size_t busy = 0;
  for (const Connection& connection : connections_) {
    if (connection.state != State::idle || connection.waiting != 0) ++busy;
  }
  std::uint64_t load = 0;
  for (const std::uint64_t one : load_) load += one;
  if (entries != caches_.size() || load != counted_) {
    throw RunError(fmt::format(
        "flow routing: {} cache entries, of which ports count {}; outputs have a load of {}, flows "
        "of {}",
        caches_.size(), entries, load, counted_));
  }
  if (is_idle && (busy > 0 || entries > 0 || load > 0)) {
    throw RunError(fmt::format(
        "flow routing: the network is empty, but {} flows are not torn down, {} cache entries are "
        "left, and outputs have a load of {}",
        busy, entries, load));
  }
}

void FlowRouter::read(fabric::Readings& readings, Time) const {
  const FlowRoutingCounters counted = counters();
  const auto count = [&](std::string_view metric, std::uint64_t total) {
    readings.count(metric, static_cast<double>(total));
  };
  count("flow_set_ups", counted.set_ups);
  count("flow_tear_downs", counted.tear_downs);
  count("flow_control_bytes", counted.control_bytes);
  count("port_choices", counted.routed);
  count("port_choices_diverted", counted.diverted);
  count("route_cache_full", counted.cache_full);
  readings.largest("route_cache_entries_max", static_cast<double>(counted.entries_max));
  count("route_cache_entries_left", counted.entries);
  if (counted.completed_set_ups == 0) return;
  readings.value_of_mean("flow_set_up_mean", counted.set_up_time.count, to_nanoseconds(Time(1)),
                         counted.completed_set_ups);
  readings.largest("flow_set_up_max", to_nanoseconds(counted.longest_set_up));
}

FlowRoutingCounters FlowRouter::counters() const {
  FlowRoutingCounters out = counters_;
  out.entries = caches_.size();
  return out;
}

std::size_t FlowRouter::memory() const {
  constexpr std::size_t kBytesOfEntry = 40;
  std::size_t paths = paths_.capacity() * sizeof(paths_[0]);
  for (const std::vector<PortId>& path : paths_) paths += path.capacity() * sizeof(PortId);
  return paths + load_.capacity() * sizeof(load_[0]) + entries_.capacity() * sizeof(entries_[0]) +
         connections_.capacity() * sizeof(Connection) + random_.capacity() * sizeof(RandomStream) +
         caches_.size() * kBytesOfEntry;
}

}  // namespace weir::flow_routing

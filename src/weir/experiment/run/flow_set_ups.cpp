#include "weir/experiment/run/flow_set_ups.hpp"

#include <algorithm>
#include <utility>

#include "weir/base/state_archive.hpp"
#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::experiment {

FlowSetUps::FlowSetUps(const FlowList& flows, Options options, SetUpListener* listener)
    : options_(options), listener_(listener), flows_(flows.flows.size()) {
  const ConnectionList list = list_connections(flows);
  connections_.resize(list.names.size());
  for (std::uint32_t f = 0; f < flows_.size(); ++f) {
    flows_[f].connection = list.of_flow[f];
    flows_[f].is_endless = flows.sizes[f].count == 0;
    connections_[list.of_flow[f]].flows.push_back(f);
  }
}

void FlowSetUps::wish(std::uint32_t flow) {
  flows_[flow].wishes = true;
  const Connection& its = connections_[flows_[flow].connection];
  if (!options_.per_message && !its.path.empty()) begin(flow, its.path);
}

void FlowSetUps::begin(std::uint32_t flow, const std::vector<rates::LinkId>& path) {
  Flow& one = flows_[flow];
  if (!one.path.empty()) return;
  one.path = path;
  // Of an endless flow more will always come.
  if (one.is_endless || !one.is_generated) ++connections_[one.connection].unsent;
  if (listener_ != nullptr) listener_->begin(flow, path);
}

void FlowSetUps::note_message(std::uint32_t flow) {
  Flow& one = flows_[flow];
  one.wishes = true;
  if (one.is_generated) return;
  one.is_generated = true;
  if (!one.path.empty() && !one.is_endless) --connections_[one.connection].unsent;
}

void FlowSetUps::on_generated(const fabric::Message& message) {
  if (message.flow >= known_.size()) {
    known_.resize(message.flow + 1, kNone);
    if (options_.per_message) waiting_.resize(message.flow + 1);
  }
  const bool is_ours = message.traffic_class - options_.first_class < options_.classes;
  if (is_ours) {
    known_[message.flow] = flows_[message.tag].connection;
    note_message(message.tag);
  }
  // Where a message is a flow, those of others have their turns as well.
  if (options_.per_message) waiting_[message.flow].push_back(is_ours ? message.tag : kNone);
}

void FlowSetUps::on_set_up(std::uint32_t connection) {
  if (!options_.are_announced || known_[connection] == kNone) return;
  Connection& its = connections_[known_[connection]];
  its.riders.clear();
  for (const std::uint32_t flow : its.flows) {
    const bool is_next = !options_.per_message || flow == waiting_[connection].front();
    if (!is_next || !flows_[flow].wishes || !flows_[flow].path.empty()) continue;
    its.riders.push_back(flow);
    listener_->ride(flow);
  }
}

void FlowSetUps::on_hop(std::uint32_t connection, PortId port) {
  if (!options_.are_announced || known_[connection] == kNone) return;
  for (const std::uint32_t flow : connections_[known_[connection]].riders) {
    listener_->pass(flow, rates::LinkId(port.value));
  }
}

void FlowSetUps::on_arrival(std::uint32_t connection) {
  if (!options_.are_announced || known_[connection] == kNone) return;
  for (const std::uint32_t flow : connections_[known_[connection]].riders) listener_->turn(flow);
}

void FlowSetUps::on_path(std::uint32_t connection, std::span<const PortId> path) {
  std::vector<rates::LinkId> links;
  for (const PortId port : path) links.emplace_back(port.value);
  if (options_.per_message) {
    std::vector<std::uint32_t>& waiting = waiting_[connection];
    const std::uint32_t flow = waiting.front();
    waiting.erase(waiting.begin());
    if (flow != kNone) begin(flow, links);
    return;
  }
  if (known_[connection] == kNone) return;
  Connection& its = connections_[known_[connection]];
  its.path = std::move(links);
  for (const std::uint32_t flow : its.flows) {
    if (flows_[flow].wishes) begin(flow, its.path);
  }
}

void FlowSetUps::on_end(std::uint32_t connection) {
  if (known_[connection] != kNone) connections_[known_[connection]].path.clear();
}

bool FlowSetUps::goes_on(std::uint32_t connection) const {
  const std::uint32_t its = known_[connection];
  return !options_.per_message && its != kNone && connections_[its].unsent > 0;
}

// --- Checkpoints

void FlowSetUps::Flow::checkpoint(StateArchive& state) { state(wishes, is_generated, path); }

void FlowSetUps::Connection::checkpoint(StateArchive& state) { state(path, unsent, riders); }

void FlowSetUps::checkpoint(StateArchive& state) {
  state.slice(flows_, 0, flows_.size());
  state.slice(connections_, 0, connections_.size());
}

void FlowSetUps::checkpoint(fabric::NodeState& state) {
  // Asked for flows of others, too.
  if (!state.flows().empty())
    known_.resize(std::max<std::size_t>(known_.size(), state.flows().back() + 1), kNone);
  state.of_flows(known_, kNone);
  if (!options_.per_message) return;
  waiting_.resize(known_.size());
  state.of_flows(waiting_);
}

}  // namespace weir::experiment

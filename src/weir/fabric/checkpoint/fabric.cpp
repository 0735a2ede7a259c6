#include "weir/fabric/fabric.hpp"

#include <fmt/format.h>

#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "weir/fabric/checkpoint/network_state.hpp"
#include "weir/fabric/compatibility.hpp"
#include "weir/fabric/parallel/windows.hpp"

namespace weir::fabric {

namespace {

/// Adds what another process has written down.
void add(NetworkState& state, NetworkState&& other) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(state.totals, other.totals);
  append(state.changes, other.changes);
  append(state.announced, other.announced);
  if (!other.is_down.empty()) state.is_down.resize(other.is_down.size());
  for (std::size_t p = 0; p < other.is_down.size(); ++p) state.is_down[p] |= other.is_down[p];
  for (std::size_t n = 0; n < other.nodes.size(); ++n)
    if (!other.nodes[n].rest.empty()) state.nodes[n] = std::move(other.nodes[n]);
}

}  // namespace

void NetworkState::checkpoint(StateArchive& state) {
  state(now, next_sample, next_check, hops_at_check, hops_at_watch, hops_at_conservation, rooms,
        is_down, changes, announced, totals);
  std::uint64_t count = nodes.size();
  state(count);
  nodes.resize(count);
  for (Node& node : nodes) state(node.names.messages, node.names.flows, node.begun, node.rest);
}

Part::Periodic Fabric::periodic() const {
  return windows_ ? windows_->periodic() : parts_.front()->periodic();
}

void Fabric::checkpoint(StateArchive& state) {
  if (!state.is_reading()) {
    NetworkState network = written_down();
    state(network);
    return;
  }
  NetworkState network;
  state(network);
  if (network.nodes.size() != graph().node_count())
    throw std::runtime_error("the state is that of another network");
  resume(network);
}

NetworkState Fabric::written_down() {
  NetworkState state;
  state.now = core().now;
  state.next_sample = periodic().sample;
  state.next_check = periodic().check;
  state.hops_at_check = hops_at_check_;
  state.hops_at_watch = hops_at_watch_;
  state.hops_at_conservation = hops_at_conservation_;
  std::ostringstream rooms(std::ios::binary);
  StateArchive archive(rooms);
  core().links.checkpoint_all(archive);
  state.rooms = std::move(rooms).str();
  state.nodes.resize(graph().node_count());
  for (const auto& part : parts_) part->write(state);
  if (ranks_ == nullptr) return state;
  const std::vector<Ranks::Parcel> all = ranks_->gather(state_bytes(state));
  for (std::size_t rank = 0; rank < all.size() && ranks_->rank() == 0; ++rank) {
    if (rank == ranks_->rank()) continue;
    NetworkState other;
    read_state(all[rank], other);
    add(state, std::move(other));
  }
  return state;
}

void Fabric::resume(const NetworkState& state) {
  std::vector<StateNames::Host> hosts;
  std::vector<std::uint16_t> part_of;
  for (std::uint32_t host = 0; host < core().host_count; ++host) {
    hosts.push_back(state.nodes[host].names);
    part_of.push_back(territories_ ? territories_->of_node[host] : std::uint16_t{0});
  }
  const StateNames names(std::move(hosts), part_of);
  for (std::size_t part = 0; part < parts_.size(); ++part)
    parts_[part]->read(state, names, first_part_ + part == 0);
  for (const NetworkState::LinkChange& change : state.changes)
    change_link(PortId(change.port), change.at, change.is_up);
  const Part::Periodic next{state.next_sample, state.next_check};
  if (windows_) {
    windows_->resume_periodic(next);
  } else {
    parts_.front()->resume_periodic(next);
  }
  hops_at_check_ = state.hops_at_check;
  hops_at_watch_ = state.hops_at_watch;
  hops_at_conservation_ = state.hops_at_conservation;
}

std::string Fabric::no_checkpoints() const {
  for (const Mechanism* mechanism : core().every_mechanism) {
    if (!mechanism->has_checkpoints()) return key_of(core(), mechanism);
  }
  for (const auto& part : parts_) {
    for (std::uint32_t s = 0; s < part->hosts().source_count(); ++s)
      if (!part->hosts().model_of_source(s).has_checkpoints()) return "traffic";
  }
  return {};
}

}  // namespace weir::fabric

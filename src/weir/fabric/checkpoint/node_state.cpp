#include "weir/fabric/checkpoint/node_state.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks/flow_routing.hpp"
#include "weir/fabric/host/flow_table.hpp"
#include "weir/fabric/parallel/border.hpp"

namespace weir::fabric {

namespace {

CarriedMessage carried_by(const Core& core, std::uint32_t packet) {
  if (core.border != nullptr) return core.border->carried(packet);
  const Packet& p = core.packets[packet];
  CarriedMessage carried;
  carried.connection = core.connection_of(p);
  if (p.is_ack()) return carried;
  const Message& message = (*core.messages)[p.message];
  carried.generated = message.generated;
  carried.bytes = message.bytes;
  carried.flow = message.flow;
  carried.tag = message.tag;
  carried.keeps_rate = message.keeps_rate;
  return carried;
}

}  // namespace

NodeState::NodeState(std::ostream& out, Core& core, std::uint32_t node,
                     std::vector<std::uint32_t> flows)
    : StateArchive(out), core_(core), node_(node), flows_(std::move(flows)) {
  find_node();
}

NodeState::NodeState(std::istream& in, Core& core, std::uint32_t node,
                     std::vector<std::uint32_t> flows, const StateNames& names)
    : StateArchive(in), core_(core), node_(node), flows_(std::move(flows)), names_(&names) {
  find_node();
}

void NodeState::find_node() {
  hosts_ = core_.host_count;
  first_port_ = core_.first_port[node_];
  end_port_ = first_port_ + core_.ports[first_port_].degree;
}

void NodeState::packet(std::uint32_t& handle) {
  bool is_there = handle != kNone;
  (*this)(is_there);
  if (!is_there) {
    handle = kNone;
    return;
  }
  if (is_reading()) handle = core_.packets.take();
  packets_.push_back(handle);
  Packet p = core_.packets[handle];
  CarriedMessage carried;
  if (!is_reading()) carried = carried_by(core_, handle);
  carried.across = kNone;  // parts may be others when it is read
  (*this)(p, carried);
  if (is_reading()) {
    p.next = kNone;
    if (p.is_ack()) {
      // Packets that set a flow up or tear it down are on their way from its source.
      p.message = names_->flow(is_flow_request(p) ? p.source : p.destination, p.message);
    } else {
      p.message = names_->message(p.source, p.message);
      carried.flow = names_->flow(p.source, carried.flow);
    }
    core_.packets[handle] = p;
    if (core_.border != nullptr) core_.border->resume(handle, p.size, carried);
    if (core_.records.any()) core_.records.begin(handle);
  }
  if (core_.records.any()) bytes(core_.records.bytes_of(handle), core_.records.size());
}

void NodeState::same_packet(std::uint32_t& handle) {
  std::uint32_t place = kNone;
  if (!is_reading() && handle != kNone) {
    for (std::size_t i = place_of_packet_.size(); i < packets_.size(); ++i)
      place_of_packet_.emplace(packets_[i], static_cast<std::uint32_t>(i));
    const auto known = place_of_packet_.find(handle);
    if (known == place_of_packet_.end())
      throw std::logic_error("a checkpoint speaks of a packet that its node does not have");
    place = known->second;
  }
  (*this)(place);
  if (is_reading()) handle = place == kNone ? kNone : packets_.at(place);
}

void NodeState::source(std::uint32_t& number) {
  std::uint32_t place = kNone;
  if (!is_reading() && number != kNone)
    place = static_cast<std::uint32_t>(std::find(sources_.begin(), sources_.end(), number) -
                                       sources_.begin());
  (*this)(place);
  if (is_reading()) number = place == kNone ? kNone : sources_[place];
}

}  // namespace weir::fabric

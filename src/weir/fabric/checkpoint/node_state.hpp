#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <span>
#include <unordered_map>
#include <vector>

#include "weir/base/state_archive.hpp"
#include "weir/fabric/checkpoint/state_names.hpp"

namespace weir::fabric {

class Core;

/// The state of one node, host or switch, in a checkpoint. Who has state of nodes writes down that
/// of the present node, or reads it, in a `checkpoint(NodeState&)`. Nothing in it depends on how
/// the network is divided into parts: packets go as what they are, messages and flows by what their
/// source calls them.
class NodeState : public StateArchive {
 public:
  /// For writing. `flows`: numbers of those that begin at the node, ascending.
  NodeState(std::ostream& out, Core& core, std::uint32_t node, std::vector<std::uint32_t> flows);
  /// For reading. `flows`: the same ones, as they are called here.
  NodeState(std::istream& in, Core& core, std::uint32_t node, std::vector<std::uint32_t> flows,
            const StateNames& names);

  [[nodiscard]] std::uint32_t node() const { return node_; }
  [[nodiscard]] bool is_host() const { return node_ < hosts_; }
  /// Of a switch among the switches.
  [[nodiscard]] std::uint32_t switch_number() const { return node_ - hosts_; }
  /// Its ports follow each other.
  [[nodiscard]] std::uint32_t first_port() const { return first_port_; }
  [[nodiscard]] std::uint32_t end_port() const { return end_port_; }
  /// Flows that begin at the host.
  [[nodiscard]] std::span<const std::uint32_t> flows() const { return flows_; }

  /// Flows that end there, which the hosts have told by the time that mechanisms are asked.
  [[nodiscard]] std::span<const std::uint32_t> flows_to() const { return flows_to_; }
  void set_flows_to(std::vector<std::uint32_t> flows) { flows_to_ = std::move(flows); }
  /// Traffic sources of the host, in their order. They outlive the state.
  void set_sources(std::span<const std::uint32_t> sources) { sources_ = sources; }

  /// What `list` has for the ports of the node, `each` values a port; nothing of an empty one.
  template <class List>
  void of_ports(List& list, std::size_t each = 1) {
    if (!list.empty()) slice(list, first_port_ * each, (end_port_ - first_port_) * each);
  }
  /// What it has for the host, or the switch by its number; nothing of an empty one.
  template <class List>
  void of_host(List& list, std::size_t each = 1) {
    if (is_host() && !list.empty()) slice(list, node_ * each, each);
  }
  template <class List>
  void of_switch(List& list, std::size_t each = 1) {
    if (!is_host() && !list.empty()) slice(list, switch_number() * each, each);
  }
  /// What it has for each flow that begins at the host; it may be shorter than there are flows,
  /// which then have `none`.
  template <class List>
  void of_flows(List& list, typename List::value_type none = {}) {
    of_flows(flows_, list, none);
  }
  template <class List>
  void of_flows_to(List& list, typename List::value_type none = {}) {
    of_flows(flows_to_, list, none);
  }
  template <class List>
  void of_flows(std::span<const std::uint32_t> flows, List& list, typename List::value_type none) {
    for (const std::uint32_t flow : flows) {
      typename List::value_type value = flow < list.size() ? list[flow] : none;
      (*this)(value);
      if (!is_reading() || value == none) continue;
      if (flow >= list.size()) list.resize(flow + flow / 2 + 64, none);
      list[flow] = value;
    }
  }
  /// A packet with all that it carries; kNone: none. When read it gets a handle of its own.
  void packet(std::uint32_t& handle);
  /// One that has been written with the node already, to which something else points; kNone: none.
  void same_packet(std::uint32_t& handle);
  /// The number of a traffic source of the host; kNone: none.
  void source(std::uint32_t& number);
  /// The number of a message, or flow, that began at `host`; kNone: none.
  void message_of(std::uint32_t host, std::uint32_t& number) {
    (*this)(number);
    if (is_reading() && number != kNone) number = names_->message(host, number);
  }
  void flow_of(std::uint32_t host, std::uint32_t& number) {
    (*this)(number);
    if (is_reading() && number != kNone) number = names_->flow(host, number);
  }

 private:
  void find_node();

  Core& core_;
  std::uint32_t node_;
  std::uint32_t hosts_ = 0;  ///< of the network
  std::uint32_t first_port_ = 0;
  std::uint32_t end_port_ = 0;
  std::vector<std::uint32_t> flows_;
  std::vector<std::uint32_t> flows_to_;
  std::span<const std::uint32_t> sources_;
  std::vector<std::uint32_t> packets_;                                ///< so far
  std::unordered_map<std::uint32_t, std::uint32_t> place_of_packet_;  ///< once asked for
  const StateNames* names_ = nullptr;                                 ///< when reading
};

/// Sums over a whole network, of which each part has its own, and what all parts have to know:
/// those of all parts are written one after the other, behind what belongs to nodes. All parts read
/// all of them, and one takes the sums.
class TotalState : public StateArchive {
 public:
  explicit TotalState(std::ostream& out) : StateArchive(out) {}
  TotalState(std::istream& in, bool takes) : StateArchive(in), takes_(takes) {}

  /// When reading: this part goes on with the sums.
  [[nodiscard]] bool takes() const { return takes_; }

  template <class... T>
  void sum(T&... values) {
    (add(values), ...);
  }
  template <class T>
  void most(T& value) {
    T other = value;
    (*this)(other);
    if (takes_ && value < other) value = other;
  }

 private:
  template <class T>
  void add(T& value) {
    T other = value;
    (*this)(other);
    if (takes_) value += other;
  }

  bool takes_ = false;
};

}  // namespace weir::fabric

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"

namespace weir::topology {

struct CableDelays;

/// Rate and propagation delay of one direction of a cable.
struct LinkSpec {
  Rate rate = gigabits_per_second(100);
  Time delay = nanoseconds(30);
  bool has_own_delay = false;  ///< from the topology's own settings, not from [link]
};

/// Where a switch port leads, for routing functions that think in stages.
enum class PortRole : std::uint8_t { plain, up, down, horizontal };

/// One port: `to` is the port that its transmitter feeds, `from` the port that feeds its receiver.
/// A full-duplex cable has to == from; a unidirectional network has them apart. Invalid: not
/// cabled.
struct Port {
  NodeId node;
  std::uint16_t number = 0;  ///< local index, 0-based
  PortRole role = PortRole::plain;
  PortId to;
  PortId from;
  LinkSpec link;  ///< of the direction that leaves this port
};

/// What a generator knows about its family and a routing function of that family needs (stages,
/// digits, dimensions). Held by the graph; asked for by exact type.
class Shape {
 public:
  virtual ~Shape() = default;
};

/// An immutable network of hosts, switches, ports and links. Every host has exactly one port.
class Graph {
 public:
  [[nodiscard]] std::size_t host_count() const { return host_count_; }
  [[nodiscard]] std::size_t switch_count() const { return first_port_.size() - 1 - host_count_; }
  [[nodiscard]] std::size_t node_count() const { return first_port_.size() - 1; }
  [[nodiscard]] std::size_t port_count() const { return ports_.size(); }

  [[nodiscard]] NodeId node(HostId h) const { return NodeId(h.value); }
  [[nodiscard]] NodeId node(SwitchId s) const { return NodeId(s.index() + host_count_); }
  [[nodiscard]] bool is_host(NodeId n) const { return n.index() < host_count_; }
  [[nodiscard]] HostId host(NodeId n) const { return HostId(n.value); }
  [[nodiscard]] SwitchId switch_of(NodeId n) const { return SwitchId(n.index() - host_count_); }

  [[nodiscard]] const Port& port(PortId p) const { return ports_[p.index()]; }
  [[nodiscard]] PortId port(NodeId n, std::size_t number) const {
    return PortId(first_port_[n.index()] + number);
  }
  [[nodiscard]] PortId first_port(NodeId n) const { return PortId(first_port_[n.index()]); }
  [[nodiscard]] std::size_t degree(NodeId n) const {
    return first_port_[n.index() + 1] - first_port_[n.index()];
  }
  [[nodiscard]] std::span<const Port> ports(NodeId n) const {
    return std::span(ports_).subspan(first_port_[n.index()], degree(n));
  }
  [[nodiscard]] std::span<const Port> ports() const { return ports_; }
  [[nodiscard]] PortId host_port(HostId h) const { return PortId(first_port_[h.index()]); }

  /// Name from the input, or "h12" / "s3".
  [[nodiscard]] std::string name(NodeId n) const;
  /// Label of a port as people know it (InfiniBand counts switch ports from 1): local number +
  /// this.
  [[nodiscard]] int port_label_base() const { return port_label_base_; }
  /// "s3[5]": the node's name and the labelled port, for messages.
  [[nodiscard]] std::string name(PortId p) const;

  /// Stage of a switch counted from the hosts (leaf = 1) where the family has stages; hosts 0; else
  /// -1.
  [[nodiscard]] int stage(NodeId n) const { return stage_.empty() ? -1 : stage_[n.index()]; }

  /// Family facts of exact type S, or nullptr.
  template <class S>
  [[nodiscard]] const S* shape() const {
    return shape_ && shape_type_ == std::type_index(typeid(S)) ? static_cast<const S*>(shape_.get())
                                                               : nullptr;
  }
  /// What this graph is, for messages: "rlft", "torus", "ibnetdiscover".
  [[nodiscard]] const std::string& family() const { return family_; }
  /// Delays come from the seed, at least in part.
  [[nodiscard]] bool has_drawn_delays() const { return has_drawn_delays_; }

 private:
  friend class GraphBuilder;
  friend Graph with_drawn_delays(Graph graph, const CableDelays& rule);

  std::size_t host_count_ = 0;
  std::vector<std::uint32_t> first_port_;  ///< per node, plus an end mark
  std::vector<Port> ports_;
  std::vector<std::string> names_;  ///< empty, or per node
  std::vector<int> stage_;          ///< empty, or per node
  std::string family_ = "custom";
  int port_label_base_ = 0;
  bool has_drawn_delays_ = false;
  std::shared_ptr<const Shape> shape_;
  std::type_index shape_type_{typeid(void)};
};

/// Builds a graph step by step; build() checks it. All hosts are added before the first switch is
/// connected or not, in any order: ids are given per kind in order of addition.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string family) : family_(std::move(family)) {}

  HostId add_host(std::string name = {});
  SwitchId add_switch(std::size_t ports, std::string name = {}, int stage = -1);
  void set_role(SwitchId s, std::size_t port, PortRole role);
  void set_port_label_base(int base) { port_label_base_ = base; }

  /// Full-duplex cable. Both ends must be free. Throws InputError otherwise.
  void connect(HostId h, SwitchId s, std::size_t port, const LinkSpec& link);
  void connect(SwitchId a, std::size_t port_a, SwitchId b, std::size_t port_b,
               const LinkSpec& link);
  /// One direction only: the transmitter of the first to the receiver of the second.
  void connect_one_way(HostId h, SwitchId s, std::size_t port, const LinkSpec& link);
  void connect_one_way(SwitchId s, std::size_t port, HostId h, const LinkSpec& link);
  void connect_one_way(SwitchId a, std::size_t port_a, SwitchId b, std::size_t port_b,
                       const LinkSpec& link);
  /// Two hosts back to back (no switch), for tests of a single link.
  void connect(HostId a, HostId b, const LinkSpec& link);

  template <class S>
  void set_shape(std::shared_ptr<const S> shape) {
    shape_ = std::move(shape);
    shape_type_ = std::type_index(typeid(S));
  }

  /// Checks: at least one host, every host cabled in both directions, rates positive, delays not
  /// negative, at most 256 ports a switch. Throws InputError that names node and port.
  [[nodiscard]] Graph build();

 private:
  struct End {
    bool is_host = false;
    std::uint32_t node = Id<void>::kNone;
    std::uint16_t port = 0;
    [[nodiscard]] bool valid() const { return node != Id<void>::kNone; }
  };
  struct Half {
    End to;
    End from;
    LinkSpec link;
    PortRole role = PortRole::plain;
  };
  struct Switch {
    std::string name;
    int stage = -1;
    std::vector<Half> ports;
  };
  struct Host {
    std::string name;
    Half port;
  };
  Half& half(const End& end);
  void join(const End& a, const End& b, const LinkSpec& link);
  [[nodiscard]] std::string describe(const End& end) const;

  std::string family_;
  int port_label_base_ = 0;
  std::vector<Host> hosts_;
  std::vector<Switch> switches_;
  std::shared_ptr<const Shape> shape_;
  std::type_index shape_type_{typeid(void)};
};

}  // namespace weir::topology

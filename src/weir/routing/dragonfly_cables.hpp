#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/routing/routing.hpp"
#include "weir/topology/dragonfly.hpp"

namespace weir::routing {

/// Where routers, hosts and global cables of a dragonfly are, looked up instead of divided.
class DragonflyCables {
 public:
  struct Router {
    std::uint32_t group;
    std::uint32_t router;  ///< within the group
  };
  struct Host {
    Router router;
    std::uint16_t port;
  };
  struct Global {
    std::uint32_t router;
    std::uint16_t port;
  };
  /// How a packet came to a router.
  enum class Arrival : std::uint8_t { host, local, global };

  explicit DragonflyCables(const topology::DragonflyShape& shape) : shape_(shape) {
    for (std::uint32_t group = 0; group < shape.g; ++group) {
      for (std::uint32_t router = 0; router < shape.a; ++router) {
        routers_.push_back({group, router});
        for (std::uint32_t port = 0; port < shape.p; ++port) {
          hosts_.push_back({{group, router}, static_cast<std::uint16_t>(port)});
        }
      }
    }
    for (std::uint32_t q = 0; q < shape.a * shape.h; ++q) {
      global_.push_back({shape.router_of_global(q), shape.port_of_global(q)});
    }
  }

  [[nodiscard]] const topology::DragonflyShape& shape() const { return shape_; }
  [[nodiscard]] const Router& at(SwitchId s) const { return routers_[s.index()]; }
  [[nodiscard]] const Host& host(HostId h) const { return hosts_[h.index()]; }
  [[nodiscard]] const Global& global(std::uint32_t q) const { return global_[q]; }

  [[nodiscard]] Arrival arrival(const RouteQuery& query) const {
    const std::size_t ports = shape_.p + shape_.a - 1 + shape_.h;
    const std::size_t port = query.in_port.index() - hosts_.size() - query.at.index() * ports;
    if (port < shape_.p) return Arrival::host;
    return port < shape_.p + shape_.a - 1 ? Arrival::local : Arrival::global;
  }
  /// Global ports of the group of `here` that lead straight to another host's group.
  [[nodiscard]] std::span<const std::uint32_t> toward(const Router& here, const Host& to) const {
    const std::uint32_t from = here.group;
    const std::uint32_t target = to.router.group;
    return shape_.global_ports[target > from ? target - from : target + shape_.g - from];
  }
  /// The cable to the destination's group on the default route: destinations spread evenly over any
  /// number of cables. A packet that has taken a local cable toward another one takes that.
  [[nodiscard]] std::uint32_t default_cable(const RouteQuery& query) const {
    const Router& here = at(query.at);
    const auto cables = toward(here, host(query.destination));
    // Multiplicative hash (Knuth).
    const std::uint32_t hash = query.destination.value * 2654435769U;
    const std::uint32_t picked = cables[(std::uint64_t{hash} * cables.size()) >> 32U];
    if (is_open(query, picked)) return picked;
    for (const std::uint32_t q : cables) {
      if (global_[q].router == here.router) return q;
    }
    return cables.front();
  }
  /// One local cable a group: who came over one takes a global cable of the router itself.
  [[nodiscard]] bool is_open(const RouteQuery& query, std::uint32_t q) const {
    return global_[q].router == at(query.at).router || arrival(query) != Arrival::local;
  }
  /// The port to global cable q, or to the router that has it.
  [[nodiscard]] std::uint16_t port_to(const Router& here, std::uint32_t q) const {
    const Global& cable = global_[q];
    if (cable.router == here.router) return cable.port;
    return shape_.local_port(here.router, cable.router);
  }
  /// The port to a host of the same group, or to its router.
  [[nodiscard]] std::uint16_t port_within(const Router& here, const Host& to) const {
    if (here.router == to.router.router) return to.port;
    return shape_.local_port(here.router, to.router.router);
  }

 private:
  topology::DragonflyShape shape_;
  std::vector<Router> routers_;
  std::vector<Host> hosts_;
  std::vector<Global> global_;  ///< per global port of a group
};

/// Adds a candidate unless it is there.
inline void add_once(CandidateList& out, const Candidate& candidate) {
  for (const Candidate& known : out) {
    if (known == candidate) return;
  }
  out.add(candidate);
}

}  // namespace weir::routing

#include "weir/topology/graph.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weir/base/error.hpp"

namespace weir::topology {

std::string Graph::name(NodeId n) const {
  if (!names_.empty() && !names_[n.index()].empty()) return names_[n.index()];
  return is_host(n) ? fmt::format("h{}", n.value) : fmt::format("s{}", switch_of(n).value);
}

std::string Graph::name(PortId p) const {
  const Port& end = port(p);
  if (is_host(end.node)) return name(end.node);
  return fmt::format("{}[{}]", name(end.node), end.number + port_label_base_);
}

HostId GraphBuilder::add_host(std::string name) {
  hosts_.push_back({std::move(name), {}});
  return HostId(hosts_.size() - 1);
}

SwitchId GraphBuilder::add_switch(std::size_t ports, std::string name, int stage) {
  if (ports == 0 || ports > 256) {
    throw InputError(fmt::format("a switch has 1 to 256 ports, not {}", ports));
  }
  switches_.push_back({std::move(name), stage, std::vector<Half>(ports)});
  return SwitchId(switches_.size() - 1);
}

void GraphBuilder::set_role(SwitchId s, std::size_t port, PortRole role) {
  switches_.at(s.index()).ports.at(port).role = role;
}

std::string GraphBuilder::describe(const End& end) const {
  if (end.is_host) {
    const auto& name = hosts_.at(end.node).name;
    return name.empty() ? fmt::format("host {}", end.node) : name;
  }
  const auto& name = switches_.at(end.node).name;
  return fmt::format("{} port {}", name.empty() ? fmt::format("switch {}", end.node) : name,
                     end.port + port_label_base_);
}

GraphBuilder::Half& GraphBuilder::half(const End& end) {
  if (end.is_host) return hosts_.at(end.node).port;
  auto& ports = switches_.at(end.node).ports;
  if (end.port >= ports.size()) {
    throw InputError(
        fmt::format("{} does not exist: the switch has {} ports", describe(end), ports.size()));
  }
  return ports[end.port];
}

void GraphBuilder::join(const End& a, const End& b, const LinkSpec& link) {
  Half& from = half(a);
  Half& to = half(b);
  if (from.to.valid()) {
    throw InputError(fmt::format("{} is already cabled to {}", describe(a), describe(from.to)));
  }
  if (to.from.valid()) {
    throw InputError(fmt::format("{} is already cabled to {}", describe(b), describe(to.from)));
  }
  if (link.rate.count <= 0)
    throw InputError(fmt::format("{}: the link rate must be positive", describe(a)));
  if (link.delay.count < 0)
    throw InputError(fmt::format("{}: the link delay is negative", describe(a)));
  from.to = b;
  from.link = link;
  to.from = a;
}

void GraphBuilder::connect(HostId h, SwitchId s, std::size_t port, const LinkSpec& link) {
  connect_one_way(h, s, port, link);
  connect_one_way(s, port, h, link);
}

void GraphBuilder::connect(SwitchId a, std::size_t port_a, SwitchId b, std::size_t port_b,
                           const LinkSpec& link) {
  connect_one_way(a, port_a, b, port_b, link);
  connect_one_way(b, port_b, a, port_a, link);
}

void GraphBuilder::connect_one_way(HostId h, SwitchId s, std::size_t port, const LinkSpec& link) {
  join({true, h.value, 0}, {false, s.value, static_cast<std::uint16_t>(port)}, link);
}

void GraphBuilder::connect_one_way(SwitchId s, std::size_t port, HostId h, const LinkSpec& link) {
  join({false, s.value, static_cast<std::uint16_t>(port)}, {true, h.value, 0}, link);
}

void GraphBuilder::connect_one_way(SwitchId a, std::size_t port_a, SwitchId b, std::size_t port_b,
                                   const LinkSpec& link) {
  join({false, a.value, static_cast<std::uint16_t>(port_a)},
       {false, b.value, static_cast<std::uint16_t>(port_b)}, link);
}

void GraphBuilder::connect(HostId a, HostId b, const LinkSpec& link) {
  join({true, a.value, 0}, {true, b.value, 0}, link);
  join({true, b.value, 0}, {true, a.value, 0}, link);
}

Graph GraphBuilder::build() {
  if (hosts_.empty()) throw InputError("a network needs at least one host");
  Graph g;
  g.family_ = family_;
  g.port_label_base_ = port_label_base_;
  g.host_count_ = hosts_.size();
  g.shape_ = shape_;
  g.shape_type_ = shape_type_;

  std::uint32_t next = 0;
  for (std::size_t h = 0; h < hosts_.size(); ++h) g.first_port_.push_back(next++);
  for (const auto& s : switches_) {
    g.first_port_.push_back(next);
    next += static_cast<std::uint32_t>(s.ports.size());
  }
  g.first_port_.push_back(next);

  const auto id_of = [&](const End& end) {
    if (!end.valid()) return PortId();
    const std::size_t node = end.is_host ? end.node : hosts_.size() + end.node;
    return PortId(g.first_port_[node] + end.port);
  };
  const auto add = [&](std::size_t node, std::size_t number, const Half& h) {
    g.ports_.push_back({NodeId(node), static_cast<std::uint16_t>(number), h.role, id_of(h.to),
                        id_of(h.from), h.link});
  };

  g.ports_.reserve(next);
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const Half& port = hosts_[h].port;
    if (!port.to.valid() || !port.from.valid()) {
      throw InputError(
          fmt::format("{} is not cabled", describe({true, static_cast<std::uint32_t>(h), 0})));
    }
    add(h, 0, port);
  }
  for (std::size_t s = 0; s < switches_.size(); ++s) {
    for (std::size_t p = 0; p < switches_[s].ports.size(); ++p) {
      add(hosts_.size() + s, p, switches_[s].ports[p]);
    }
  }

  const bool has_names =
      std::any_of(hosts_.begin(), hosts_.end(), [](const auto& h) { return !h.name.empty(); }) ||
      std::any_of(switches_.begin(), switches_.end(),
                  [](const auto& s) { return !s.name.empty(); });
  if (has_names) {
    for (const auto& h : hosts_) g.names_.push_back(h.name);
    for (const auto& s : switches_) g.names_.push_back(s.name);
  }
  if (std::any_of(switches_.begin(), switches_.end(), [](const auto& s) { return s.stage >= 0; })) {
    g.stage_.assign(hosts_.size(), 0);
    for (const auto& s : switches_) g.stage_.push_back(s.stage);
  }
  return g;
}

}  // namespace weir::topology

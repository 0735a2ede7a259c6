#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/import_names.hpp"

namespace weir::topology {
namespace {

std::string describe(const DiscoveredNode& node, std::uint16_t port) {
  return fmt::format("{} port {}", node.describe(), port);
}

/// The line of `node` for its port `number`, or nullptr.
const DiscoveredPort* find_port(const DiscoveredNode& node, std::uint16_t number) {
  const auto it = std::lower_bound(node.ports.begin(), node.ports.end(), number,
                                   [](const auto& p, std::uint16_t n) { return p.number < n; });
  return it != node.ports.end() && it->number == number ? &*it : nullptr;
}

class SubnetBuilder {
 public:
  SubnetBuilder(const DiscoveredSubnet& subnet, const SubnetOptions& options)
      : subnet_(subnet), options_(options), shape_(std::make_shared<SubnetShape>()) {}

  Graph build() {
    for (const DiscoveredNode& node : subnet_.nodes) index_.emplace(node.guid, &node);
    for (const DiscoveredNode& node : subnet_.nodes) {
      for (const DiscoveredPort& port : node.ports) check_cable(node, port);
    }
    check_exclusions();
    order_nodes();
    claim_lids();
    add_nodes();
    for (const DiscoveredNode& node : subnet_.nodes) {
      for (const DiscoveredPort& port : node.ports) add_cable(node, port);
    }
    builder_.set_shape(std::shared_ptr<const SubnetShape>(shape_));
    return builder_.build();
  }

 private:
  /// A cabled port of an adapter or router.
  struct HostPort {
    std::string name;
    const DiscoveredNode* node;
    const DiscoveredPort* port;
  };
  struct NamedSwitch {
    std::string name;
    const DiscoveredNode* node;
  };

  void check_cable(const DiscoveredNode& node, const DiscoveredPort& port) const;
  void check_far_end(const DiscoveredNode& node, const DiscoveredPort& port,
                     const DiscoveredNode& remote) const;
  void check_exclusions() const;
  void order_nodes();
  void claim_lids();
  void claim(const DiscoveredNode& node, const DiscoveredPort* port, NodeId id);
  void add_nodes();
  void add_cable(const DiscoveredNode& node, const DiscoveredPort& port);

  [[nodiscard]] bool is_excluded(const DiscoveredNode& node) const;
  [[nodiscard]] Rate rate(const DiscoveredNode& node, const DiscoveredPort& port) const;
  [[nodiscard]] InputError error(std::size_t line, std::string_view message) const {
    return subnet_.place.error(line, message);
  }

  const DiscoveredSubnet& subnet_;
  const SubnetOptions& options_;
  std::shared_ptr<SubnetShape> shape_;
  GraphBuilder builder_{"ibnetdiscover"};
  std::map<std::uint64_t, const DiscoveredNode*> index_;
  std::vector<HostPort> hosts_;
  std::vector<NamedSwitch> switches_;
  std::map<std::pair<std::uint64_t, std::uint16_t>, HostId> host_of_port_;
};

void SubnetBuilder::check_cable(const DiscoveredNode& node, const DiscoveredPort& port) const {
  const auto it = index_.find(port.remote_guid);
  if (it == index_.end()) {
    throw error(port.line,
                fmt::format("{} is cabled to \"{}-{:016x}\", which has no block in this file",
                            describe(node, port.number), port.remote_kind, port.remote_guid));
  }
  const DiscoveredNode& remote = *it->second;
  if (remote.kind != port.remote_kind) {
    throw error(port.line,
                fmt::format("{} is cabled to \"{}-{:016x}\", but line {} has that GUID as {}",
                            describe(node, port.number), port.remote_kind, port.remote_guid,
                            remote.line, remote.describe()));
  }
  if (&remote == &node && port.remote_port == port.number) {
    throw error(port.line, fmt::format("{} is cabled to itself", describe(node, port.number)));
  }
  check_far_end(node, port, remote);
}

void SubnetBuilder::check_far_end(const DiscoveredNode& node, const DiscoveredPort& port,
                                  const DiscoveredNode& remote) const {
  const DiscoveredPort* back = find_port(remote, port.remote_port);
  const auto half_link = [&](const std::string& what) {
    return error(port.line,
                 fmt::format("half a link: {} is cabled to {}, but {}", describe(node, port.number),
                             describe(remote, port.remote_port), what));
  };
  if (back == nullptr) {
    throw half_link(fmt::format("the block on line {} does not have that port", remote.line));
  }
  if (back->remote_guid != node.guid || back->remote_port != port.number) {
    throw half_link(fmt::format("line {} cables that port to \"{}-{:016x}\"[{}]", back->line,
                                back->remote_kind, back->remote_guid, back->remote_port));
  }
  if (back->speed != port.speed) {
    throw error(port.line,
                fmt::format("the two ends of a cable differ: {} runs at {}, {} (line {}) at {}",
                            describe(node, port.number), port.speed,
                            describe(remote, port.remote_port), back->line, back->speed));
  }
  const std::uint16_t lid = remote.is_switch() ? remote.lid : back->lid;
  if (lid != port.remote_lid) {
    throw error(port.line, fmt::format("LID {} is given here for {}, but LID {} on line {}",
                                       port.remote_lid, describe(remote, port.remote_port), lid,
                                       remote.is_switch() ? remote.line : back->line));
  }
}

bool SubnetBuilder::is_excluded(const DiscoveredNode& node) const {
  if (node.is_switch()) return false;
  return std::any_of(
      options_.exclude.begin(), options_.exclude.end(),
      [&](const std::string& part) { return node.name.find(part) != std::string::npos; });
}

void SubnetBuilder::check_exclusions() const {
  for (const std::string& part : options_.exclude) {
    const bool found =
        std::any_of(subnet_.nodes.begin(), subnet_.nodes.end(), [&](const DiscoveredNode& node) {
          return !node.is_switch() && node.name.find(part) != std::string::npos;
        });
    if (found) continue;
    throw subnet_.place.error(
        fmt::format("nothing to exclude: no adapter's name contains '{}'", excerpt(part)));
  }
}

void SubnetBuilder::order_nodes() {
  std::map<std::string_view, int> uses;
  for (const DiscoveredNode& node : subnet_.nodes) ++uses[node.name];
  for (const DiscoveredNode& node : subnet_.nodes) {
    if (is_excluded(node)) continue;
    std::string name = node.name;
    if (name.empty() || uses[node.name] > 1) name += fmt::format("@0x{:016x}", node.guid);
    if (node.is_switch()) {
      switches_.push_back({std::move(name), &node});
      continue;
    }
    for (const DiscoveredPort& port : node.ports) {
      const bool several = node.ports.size() > 1;
      hosts_.push_back({several ? fmt::format("{}/P{}", name, port.number) : name, &node, &port});
    }
  }
  if (hosts_.empty()) throw subnet_.place.error("the fabric has no cabled adapter: no hosts");
  const auto by_name = [](const auto& a, const auto& b) {
    if (natural_less(a.name, b.name)) return true;
    return !natural_less(b.name, a.name) && a.node->guid < b.node->guid;
  };
  std::stable_sort(hosts_.begin(), hosts_.end(), by_name);
  std::stable_sort(switches_.begin(), switches_.end(), by_name);
}

/// Notes that `id` answers to the LIDs of the port (of the switch when port is nullptr). An invalid
/// `id` stands for an excluded adapter.
void SubnetBuilder::claim(const DiscoveredNode& node, const DiscoveredPort* port, NodeId id) {
  const std::uint16_t base = port != nullptr ? port->lid : node.lid;
  const int last = base + (1 << (port != nullptr ? port->lmc : node.lmc)) - 1;
  const std::string who = port != nullptr ? describe(node, port->number) : node.describe();
  const std::size_t line = port != nullptr ? port->line : node.line;
  if (base == 0 || last > kHighestUnicastLid) {
    if (!id.valid()) return;
    throw error(line, base == 0 ? fmt::format("{} has no LID: no subnet manager has set it up", who)
                                : fmt::format("{} has LID {}, but unicast LIDs end at {}", who,
                                              last, kHighestUnicastLid));
  }
  for (int lid = base; lid <= last; ++lid) {
    NodeId& owner = shape_->owner[static_cast<std::size_t>(lid)];
    if (owner.valid()) {
      const bool is_host = owner.index() < hosts_.size();
      const std::string other = is_host ? hosts_[owner.index()].node->describe()
                                        : switches_[owner.index() - hosts_.size()].node->describe();
      throw error(line, fmt::format("{} has LID {}, which belongs to {}, too", who, lid, other));
    }
    owner = id;
    if (!id.valid()) shape_->excluded_lids.push_back(static_cast<std::uint16_t>(lid));
  }
}

void SubnetBuilder::claim_lids() {
  shape_->owner.assign(std::size_t{kHighestUnicastLid} + 1, NodeId());
  for (std::size_t h = 0; h < hosts_.size(); ++h) claim(*hosts_[h].node, hosts_[h].port, NodeId(h));
  for (std::size_t s = 0; s < switches_.size(); ++s) {
    claim(*switches_[s].node, nullptr, NodeId(hosts_.size() + s));
  }
  for (const DiscoveredNode& node : subnet_.nodes) {
    if (!is_excluded(node)) continue;
    shape_->excluded_guids.insert(node.guid);
    for (const DiscoveredPort& port : node.ports) {
      claim(node, &port, NodeId());
      if (port.guid != 0) shape_->excluded_guids.insert(port.guid);
    }
  }
  std::sort(shape_->excluded_lids.begin(), shape_->excluded_lids.end());
}

void SubnetBuilder::add_nodes() {
  builder_.set_port_label_base(1);
  for (const HostPort& host : hosts_) {
    const HostId id = builder_.add_host(host.name);
    host_of_port_[{host.node->guid, host.port->number}] = id;
    shape_->hosts.push_back(
        {host.node->guid, host.port->lid, host.port->lmc, host.port->number, host.port->guid});
  }
  for (const NamedSwitch& s : switches_) {
    const SwitchId id = builder_.add_switch(s.node->port_count, s.name);
    shape_->switch_of_guid[s.node->guid] = id;
    shape_->switches.push_back({s.node->guid, s.node->lid, s.node->lmc, 0, s.node->port_guid});
  }
}

Rate SubnetBuilder::rate(const DiscoveredNode& node, const DiscoveredPort& port) const {
  if (port.rate.count > 0) return port.rate;
  if (options_.rate_of_unknown_speed) return *options_.rate_of_unknown_speed;
  throw error(port.line,
              fmt::format("the speed of {} reads '{}': give rate_of_unknown_speed for such links",
                          describe(node, port.number), port.speed));
}

/// Called for both ends of every cable; the end with the lower (GUID, port) lays it.
void SubnetBuilder::add_cable(const DiscoveredNode& node, const DiscoveredPort& port) {
  if (std::tuple(node.guid, port.number) > std::tuple(port.remote_guid, port.remote_port)) return;
  const DiscoveredNode& remote = *index_.at(port.remote_guid);
  if (is_excluded(node) || is_excluded(remote)) return;
  const LinkSpec link{rate(node, port), options_.delay, options_.has_own_delay};
  const auto host = [&](const DiscoveredNode& n, std::uint16_t p) {
    return host_of_port_.at({n.guid, p});
  };
  const auto local = [](std::uint16_t label) { return static_cast<std::size_t>(label) - 1; };
  if (node.is_switch() && remote.is_switch()) {
    builder_.connect(shape_->switch_of_guid.at(node.guid), local(port.number),
                     shape_->switch_of_guid.at(remote.guid), local(port.remote_port), link);
  } else if (node.is_switch()) {
    builder_.connect(host(remote, port.remote_port), shape_->switch_of_guid.at(node.guid),
                     local(port.number), link);
  } else if (remote.is_switch()) {
    builder_.connect(host(node, port.number), shape_->switch_of_guid.at(remote.guid),
                     local(port.remote_port), link);
  } else {
    builder_.connect(host(node, port.number), host(remote, port.remote_port), link);
  }
}

}  // namespace

Graph make_subnet_graph(const DiscoveredSubnet& subnet, const SubnetOptions& options) {
  return SubnetBuilder(subnet, options).build();
}

}  // namespace weir::topology

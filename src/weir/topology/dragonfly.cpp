#include "weir/topology/dragonfly.hpp"

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

/// Deals the offsets 1..groups-1 out over `ports` global ports of a group; see DragonflyShape.
std::vector<std::vector<std::uint32_t>> deal_offsets(std::uint32_t ports, std::uint32_t groups) {
  std::vector<std::vector<std::uint32_t>> dealt(groups);
  if (groups < 2) return dealt;
  const std::uint32_t full = ports / (groups - 1) * (groups - 1);
  for (std::uint32_t q = 0; q < full; ++q) dealt[1 + q % (groups - 1)].push_back(q);
  const std::uint32_t left = ports - full;
  std::uint32_t q = full;
  for (std::uint32_t o = 1; o <= left / 2; ++o) {
    dealt[o].push_back(q++);
    dealt[groups - o].push_back(q++);
  }
  if (left % 2 == 1 && groups % 2 == 0) dealt[groups / 2].push_back(q);
  return dealt;
}

DragonflyShape dragonfly_shape(int p, int a, int h, int g) {
  if (p < 1 || a < 1 || h < 0 || g < 1) {
    throw InputError("a dragonfly has at least 1 host a router, 1 router a group and 1 group");
  }
  if (g > std::int64_t{a} * h + 1) {
    throw InputError(fmt::format("{} global cables a group reach {} groups, not {}",
                                 std::int64_t{a} * h, std::int64_t{a} * h + 1, g));
  }
  if (p + a - 1 + h > kMaxPorts) {
    throw InputError(
        fmt::format("a router would have {} ports; at most {}", p + a - 1 + h, kMaxPorts));
  }
  if (std::int64_t{a} * g > kMaxSwitches || std::int64_t{p} * a * g > kMaxHosts) {
    throw InputError(fmt::format("more than {} routers or {} hosts", kMaxSwitches, kMaxHosts));
  }
  DragonflyShape shape;
  shape.p = static_cast<std::uint32_t>(p);
  shape.a = static_cast<std::uint32_t>(a);
  shape.h = static_cast<std::uint32_t>(h);
  shape.g = static_cast<std::uint32_t>(g);
  shape.global_ports = deal_offsets(shape.a * shape.h, shape.g);
  return shape;
}

void connect_group(GraphBuilder& builder, const DragonflyShape& shape, std::uint32_t group,
                   const LinkSpec& link) {
  for (std::uint32_t r = 0; r < shape.a; ++r) {
    for (std::uint32_t t = r + 1; t < shape.a; ++t) {
      builder.connect(shape.at(group, r), shape.local_port(r, t), shape.at(group, t),
                      shape.local_port(t, r), link);
    }
  }
}

/// Cables group `from` to the group `offset` further on. The i-th port there that leads back meets
/// the i-th port here, so each pair of groups is cabled once.
void connect_groups(GraphBuilder& builder, const DragonflyShape& shape, std::uint32_t from,
                    std::uint32_t offset, const LinkSpec& link) {
  const std::uint32_t to = (from + offset) % shape.g;
  const auto& here = shape.global_ports[offset];
  const auto& there = shape.global_ports[shape.g - offset];
  for (std::size_t i = 0; i < here.size() && from < to; ++i) {
    builder.connect(shape.at(from, shape.router_of_global(here[i])), shape.port_of_global(here[i]),
                    shape.at(to, shape.router_of_global(there[i])), shape.port_of_global(there[i]),
                    link);
  }
}

}  // namespace

Graph make_dragonfly(int p, int a, int h, int g, const LinkSpec& host, const LinkSpec& local,
                     const LinkSpec& global) {
  auto shape = std::make_shared<const DragonflyShape>(dragonfly_shape(p, a, h, g));
  GraphBuilder builder("dragonfly");
  for (std::uint32_t s = 0; s < shape->a * shape->g; ++s) {
    builder.add_switch(shape->p + shape->a - 1 + shape->h);
    for (std::uint32_t port = 0; port < shape->p; ++port) {
      builder.connect(builder.add_host(), SwitchId(s), port, host);
    }
  }
  for (std::uint32_t group = 0; group < shape->g; ++group) {
    connect_group(builder, *shape, group, local);
    for (std::uint32_t offset = 1; offset < shape->g; ++offset) {
      connect_groups(builder, *shape, group, offset, global);
    }
  }
  builder.set_shape(std::move(shape));
  return builder.build();
}

namespace {

struct DragonflySettings {
  int p = 0;
  int a = 0;
  int h = 0;
  std::optional<int> g;
  OwnLink host;
  OwnLink local;
  OwnLink global;
};

Keys<DragonflySettings> dragonfly_keys() {
  using K = DragonflySettings;
  return Keys<K>{key(&K::p, "p", "hosts per router").required().range(1, 256),
                 key(&K::a, "a", "routers per group").required().range(1, 256),
                 key(&K::h, "h", "global cables per router").required().range(0, 256),
                 key(&K::g, "g", "groups (default: as many as can be, a*h + 1)").range(1, 65537)}
      .with(&K::host, own_link_keys("host", "the host cables"))
      .with(&K::local, own_link_keys("local", "the cables within groups"))
      .with(&K::global, own_link_keys("global", "the cables between groups"));
}

const TopologyRegistration kDragonfly(
    topology_registry(),
    {"dragonfly", "Groups of fully joined routers, every two groups joined by global cables",
     "kim2008dragonfly"},
    dragonfly_keys(), [](const Checked<DragonflySettings>& settings, const LinkSpec& link) {
      using K = DragonflySettings;
      const int g = settings->g.value_or(settings->a * settings->h + 1);
      const LinkSpec host = changed_link(settings, &K::host, link);
      const LinkSpec local = changed_link(settings, &K::local, link);
      const LinkSpec global = changed_link(settings, &K::global, link);
      const auto make = [&] {
        return make_dragonfly(settings->p, settings->a, settings->h, g, host, local, global);
      };
      return settings->g ? at_key(settings, &K::g, make) : at_key(settings, &K::a, make);
    });
const NaturalRouting kDragonflyRouting("dragonfly", {"dragonfly-minimal"});

}  // namespace
}  // namespace weir::topology

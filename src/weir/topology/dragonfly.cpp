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

Graph make_dragonfly_model(const Settings& settings, const LinkSpec& link) {
  const int a = small(settings, "a");
  const int h = small(settings, "h");
  const int g = settings.has("g") ? small(settings, "g") : a * h + 1;
  const LinkSpec host = changed_link(settings, link, "host_rate", "host_delay");
  const LinkSpec local = changed_link(settings, link, "local_rate", "local_delay");
  const LinkSpec global = changed_link(settings, link, "global_rate", "global_delay");
  return at_parameter(settings, settings.has("g") ? "g" : "a", [&] {
    return make_dragonfly(small(settings, "p"), a, h, g, host, local, global);
  });
}

Parameter link_rate(const char* name, const char* help) {
  return Parameter::of(ParameterType::rate, name, help);
}

Parameter link_delay(const char* name, const char* help) {
  return Parameter::of(ParameterType::time, name, help).at_least(0);
}

const TopologyRegistration kDragonfly(
    topology_registry(),
    {"dragonfly",
     "Groups of fully joined routers, every two groups joined by global cables",
     "kim2008dragonfly",
     {Parameter::of(ParameterType::integer, "p", "hosts per router").required().range(1, 256),
      Parameter::of(ParameterType::integer, "a", "routers per group").required().range(1, 256),
      Parameter::of(ParameterType::integer, "h", "global cables per router")
          .required()
          .range(0, 256),
      Parameter::of(ParameterType::integer, "g", "groups (default: as many as can be, a*h + 1)")
          .range(1, 65537),
      link_rate("host_rate", "rate of the host cables (default: as [link])"),
      link_delay("host_delay", "delay of the host cables (default: as [link])"),
      link_rate("local_rate", "rate of the cables within groups (default: as [link])"),
      link_delay("local_delay", "delay of the cables within groups (default: as [link])"),
      link_rate("global_rate", "rate of the cables between groups (default: as [link])"),
      link_delay("global_delay", "delay of the cables between groups (default: as [link])")}},
    make_dragonfly_model);

}  // namespace
}  // namespace weir::topology

#include "weir/topology/grid.hpp"

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

GridShape grid_shape(bool torus, const std::vector<int>& sizes, int hosts_per_switch) {
  if (sizes.empty()) throw InputError("a mesh or torus has at least one dimension");
  GridShape shape;
  shape.is_torus = torus;
  shape.hosts_per_switch = static_cast<std::uint32_t>(hosts_per_switch);
  std::int64_t switches = 1;
  for (const int size : sizes) {
    if (size < 1) throw InputError(fmt::format("a dimension has at least 1 switch, not {}", size));
    shape.sizes.push_back(static_cast<std::uint32_t>(size));
    shape.strides.push_back(static_cast<std::uint32_t>(switches));
    switches *= size;
    if (switches > kMaxSwitches || switches * hosts_per_switch > kMaxHosts) {
      throw InputError(fmt::format("more than {} switches or {} hosts", kMaxSwitches, kMaxHosts));
    }
  }
  const std::size_t ports = static_cast<std::size_t>(hosts_per_switch) + 2 * sizes.size();
  if (ports > kMaxPorts) {
    throw InputError(fmt::format("a switch would have {} ports; at most {}", ports, kMaxPorts));
  }
  return shape;
}

/// Cables a switch to its larger neighbour in dimension d, round the end where it wraps.
void connect_onward(GraphBuilder& builder, const GridShape& shape, SwitchId s, std::size_t d,
                    const LinkSpec& link) {
  const bool at_end = shape.coordinate(s, d) + 1 == shape.sizes[d];
  if (at_end && !shape.wraps(d)) return;
  const std::uint32_t step = shape.strides[d];
  const SwitchId next(at_end ? s.value - (shape.sizes[d] - 1) * step : s.value + step);
  builder.connect(s, shape.port(d, true), next, shape.port(d, false), link);
}

}  // namespace

Graph make_grid(bool torus, const std::vector<int>& sizes, int hosts_per_switch,
                const LinkSpec& host_link, const LinkSpec& link) {
  auto shape = std::make_shared<const GridShape>(grid_shape(torus, sizes, hosts_per_switch));
  const std::uint32_t switches = shape->strides.back() * shape->sizes.back();
  const std::size_t ports = shape->hosts_per_switch + 2 * shape->dimensions();
  GraphBuilder builder(torus ? "torus" : "mesh");
  for (std::uint32_t s = 0; s < switches; ++s) {
    builder.add_switch(ports);
    for (std::uint32_t port = 0; port < shape->hosts_per_switch; ++port) {
      builder.connect(builder.add_host(), SwitchId(s), port, host_link);
    }
  }
  for (std::uint32_t s = 0; s < switches; ++s) {
    for (std::size_t d = 0; d < shape->dimensions(); ++d) {
      connect_onward(builder, *shape, SwitchId(s), d, link);
    }
  }
  builder.set_shape(std::move(shape));
  return builder.build();
}

namespace {

std::vector<Parameter> grid_parameters() {
  return {Parameter::of(ParameterType::integers, "sizes", "switches per dimension").required(),
          Parameter::of(ParameterType::integer, "hosts_per_switch", "hosts on every switch")
              .by_default("1")
              .range(1, 254),
          Parameter::of(ParameterType::rate, "host_rate",
                        "rate of the host cables (default: as [link])"),
          Parameter::of(ParameterType::time, "host_delay",
                        "delay of the host cables (default: as [link])")
              .at_least(0)};
}

Graph make_grid_model(bool torus, const Settings& settings, const LinkSpec& link) {
  const LinkSpec host_link = changed_link(settings, link, "host_rate", "host_delay");
  return at_parameter(settings, "sizes", [&] {
    return make_grid(torus, positive_list(settings, "sizes"), small(settings, "hosts_per_switch"),
                     host_link, link);
  });
}

const TopologyRegistration kMesh(topology_registry(),
                                 {"mesh", "Mesh of any number of dimensions (k-ary n-mesh)",
                                  "dally2004principles, chapter 5", grid_parameters()},
                                 [](const Settings& settings, const LinkSpec& link) {
                                   return make_grid_model(false, settings, link);
                                 });

const TopologyRegistration kTorus(
    topology_registry(),
    {"torus",
     "Torus of any number of dimensions (k-ary n-cube); a dimension of size 2 has single cables",
     "dally2004principles, chapter 5", grid_parameters()},
    [](const Settings& settings, const LinkSpec& link) {
      return make_grid_model(true, settings, link);
    });

}  // namespace
}  // namespace weir::topology

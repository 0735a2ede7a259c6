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

struct GridSettings {
  std::vector<std::int64_t> sizes;
  int hosts_per_switch = 1;
  OwnLink host;
};

Keys<GridSettings> grid_keys() {
  return Keys<GridSettings>{
      key(&GridSettings::sizes, "sizes", "switches per dimension").required(),
      key(&GridSettings::hosts_per_switch, "hosts_per_switch", "hosts on every switch")
          .range(1, 254)}
      .with(&GridSettings::host, own_link_keys("host", "the host cables"));
}

Graph make_grid_model(bool torus, const Checked<GridSettings>& settings, const LinkSpec& link) {
  const LinkSpec host_link = changed_link(settings, &GridSettings::host, link);
  const std::vector<int> sizes = int_list(settings, &GridSettings::sizes);
  return at_key(settings, &GridSettings::sizes, [&] {
    return make_grid(torus, sizes, settings->hosts_per_switch, host_link, link);
  });
}

const TopologyRegistration kMesh(topology_registry(),
                                 {"mesh", "Mesh of any number of dimensions (k-ary n-mesh)",
                                  "dally2004principles, chapter 5"},
                                 grid_keys(),
                                 [](const Checked<GridSettings>& settings, const LinkSpec& link) {
                                   return make_grid_model(false, settings, link);
                                 });
const NaturalRouting kMeshRouting("mesh", {"dimension-order"});

const TopologyRegistration kTorus(
    topology_registry(),
    {"torus",
     "Torus of any number of dimensions (k-ary n-cube); a dimension of size 2 has single cables",
     "dally2004principles, chapter 5"},
    grid_keys(), [](const Checked<GridSettings>& settings, const LinkSpec& link) {
      return make_grid_model(true, settings, link);
    });
const NaturalRouting kTorusRouting("torus", {"dimension-order"});

}  // namespace
}  // namespace weir::topology

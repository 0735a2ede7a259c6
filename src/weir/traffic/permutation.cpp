#include "weir/traffic/permutation.hpp"

#include <fmt/format.h>

#include "weir/topology/grid.hpp"

namespace weir::traffic {

std::shared_ptr<const Pattern> make_permutation(
    const topology::Graph& graph, const std::function<std::uint64_t(std::uint64_t)>& image) {
  std::vector<HostId> hosts;
  hosts.reserve(graph.host_count());
  for (std::uint64_t h = 0; h < graph.host_count(); ++h) {
    hosts.emplace_back(static_cast<std::size_t>(image(h)));
  }
  return std::make_shared<Permutation>(std::move(hosts));
}

std::uint64_t HostGrid::moved(std::uint64_t host,
                              const std::function<std::uint64_t(std::uint64_t)>& step) const {
  std::uint64_t rest = host / hosts_per_point;
  std::uint64_t stride = hosts_per_point;
  std::uint64_t image = host % hosts_per_point;
  for (const std::uint64_t size : sizes) {
    image += (rest % size + step(size)) % size * stride;
    rest /= size;
    stride *= size;
  }
  return image;
}

const Keys<GridKeys>& grid_keys() {
  static const Keys<GridKeys> keys{
      key(&GridKeys::dimensions, "dimensions",
          "sizes of the grid that the hosts form, fastest first (default: the mesh or torus that "
          "the topology is, or else one ring of all hosts)")
          .range(1, 1 << 24)};
  return keys;
}

HostGrid host_grid(const Checked<GridKeys>& file, const topology::Graph& graph) {
  HostGrid grid;
  if (file->dimensions) {
    std::uint64_t product = 1;
    for (const std::int64_t size : *file->dimensions) {
      grid.sizes.push_back(static_cast<std::uint64_t>(size));
      // Sizes are below 2^24: no overflow as long as the product stays below the host limit.
      if (product <= graph.host_count()) product *= grid.sizes.back();
    }
    if (product != graph.host_count()) {
      throw file.error(
          &GridKeys::dimensions,
          fmt::format("must multiply to the {} hosts of this network", graph.host_count()));
    }
  } else if (const auto* shape = graph.shape<topology::GridShape>()) {
    grid.sizes.assign(shape->sizes.begin(), shape->sizes.end());
    grid.hosts_per_point = shape->hosts_per_switch;
  } else {
    grid.sizes = {graph.host_count()};
  }
  return grid;
}

}  // namespace weir::traffic

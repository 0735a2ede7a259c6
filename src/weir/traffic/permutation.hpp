#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/traffic/pattern.hpp"

namespace weir::traffic {

/// Every host sends to one host of its own. Where the image of a host is invalid or the host
/// itself, it is silent.
class Permutation final : public Pattern {
 public:
  explicit Permutation(std::vector<HostId> image) : image_(std::move(image)) {}

  [[nodiscard]] HostId destination(const Draw& draw, RandomStream&) const override {
    return image_[draw.source.index()];
  }
  [[nodiscard]] bool sends(HostId source) const override {
    const HostId image = image_[source.index()];
    return image.valid() && image != source;
  }
  [[nodiscard]] std::vector<HostId> destinations(HostId source, std::uint32_t) const override {
    return {image_[source.index()]};
  }

 private:
  std::vector<HostId> image_;
};

/// The permutation host h -> image(h) of all hosts of a graph.
std::shared_ptr<const Pattern> make_permutation(
    const topology::Graph& graph, const std::function<std::uint64_t(std::uint64_t)>& image);

/// Hosts as points of a grid, dimension 0 fastest; `hosts_per_point` hosts at each.
struct HostGrid {
  std::vector<std::uint64_t> sizes;
  std::uint64_t hosts_per_point = 1;

  /// The host with the same place at the point whose coordinates are moved by step(size), around
  /// the ends.
  [[nodiscard]] std::uint64_t moved(std::uint64_t host,
                                    const std::function<std::uint64_t(std::uint64_t)>& step) const;
};

/// What grid patterns let a file choose.
struct GridKeys {
  std::optional<std::vector<std::int64_t>> dimensions;
};
const Keys<GridKeys>& grid_keys();

/// From `dimensions`; else the mesh or torus that the graph is; else one ring of all hosts. Throws
/// InputError when the sizes do not multiply to the number of hosts.
HostGrid host_grid(const Checked<GridKeys>& file, const topology::Graph& graph);

}  // namespace weir::traffic

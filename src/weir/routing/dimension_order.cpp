#include <memory>
#include <vector>

#include "weir/routing/fit.hpp"
#include "weir/topology/grid.hpp"

namespace weir::routing {
namespace {

using topology::Graph;
using topology::GridShape;

/// Corrects one coordinate after the other, dimension 0 first, the shorter way round. Halfway round
/// a ring, packets at even coordinates go toward larger ones and the others toward smaller ones.
///
/// Lanes on rings (Dally and Seitz 1987): lane 0 while the way to the destination still passes the
/// cable between the last and the first coordinate, lane 1 from there on. Lane 0 is never used
/// behind that cable, lane 1 never on it, so neither closes the ring.
class DimensionOrder : public RoutingFunction {
 public:
  explicit DimensionOrder(const GridShape& shape)
      : dimensions_(shape.dimensions()), hosts_per_switch_(shape.hosts_per_switch) {
    for (std::size_t d = 0; d < dimensions_; ++d) {
      sizes_.push_back(shape.wraps(d) ? shape.sizes[d] : 0);
      if (shape.wraps(d)) lanes_ = 2;
    }
    const std::uint32_t switches = shape.strides.back() * shape.sizes.back();
    for (std::uint32_t s = 0; s < switches; ++s) {
      for (std::size_t d = 0; d < dimensions_; ++d) {
        coordinates_.push_back(shape.coordinate(SwitchId(s), d));
      }
      for (std::uint32_t port = 0; port < hosts_per_switch_; ++port) {
        hosts_.push_back({s, static_cast<std::uint16_t>(port)});
      }
    }
  }

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    const Place& to = hosts_[query.destination.index()];
    const std::uint32_t* here = coordinates_.data() + query.at.index() * dimensions_;
    const std::uint32_t* there = coordinates_.data() + to.switch_index * dimensions_;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      if (here[d] != there[d]) return step(d, here[d], there[d]);
    }
    return {to.port, 0};
  }

  [[nodiscard]] int lanes() const override { return lanes_; }

 private:
  struct Place {
    std::uint32_t switch_index;
    std::uint16_t port;
  };

  [[nodiscard]] Candidate step(std::size_t d, std::uint32_t from, std::uint32_t to) const {
    bool is_up = to > from;
    std::uint8_t lane = 0;
    if (const std::uint32_t size = sizes_[d]; size != 0) {
      const std::uint32_t ahead = is_up ? to - from : to + size - from;  // toward larger ones
      const bool halfway = 2 * ahead == size;
      is_up = halfway ? from % 2 == 0 : 2 * ahead < size;
      const bool will_wrap = is_up ? from > to : from < to;
      lane = will_wrap ? 0 : 1;
    }
    return {static_cast<std::uint16_t>(hosts_per_switch_ + 2 * d + (is_up ? 1 : 0)), lane};
  }

  std::size_t dimensions_;
  std::uint32_t hosts_per_switch_;
  int lanes_ = 1;
  std::vector<std::uint32_t> sizes_;        ///< of the rings; 0 where a dimension has ends
  std::vector<std::uint32_t> coordinates_;  ///< per switch, then dimension
  std::vector<Place> hosts_;
};

const FittedRouting kDimensionOrder(
    {"dimension-order",
     "Meshes and tori: one dimension after the other, the shorter way; two VCs on rings",
     "dally1987deadlock; dally2004principles, chapter 8"},
    "a mesh or torus", [](const Graph& graph) { return graph.shape<GridShape>() != nullptr; },
    [](const Graph& graph) { return std::make_unique<DimensionOrder>(*graph.shape<GridShape>()); });

}  // namespace
}  // namespace weir::routing

#include <memory>
#include <vector>

#include "weir/routing/fit.hpp"
#include "weir/topology/umin.hpp"

namespace weir::routing {
namespace {

using topology::Graph;
using topology::UminShape;

/// The output at stage i is digit i+1 of the destination, at the last stage digit 0.
class DestinationTag : public RoutingFunction {
 public:
  explicit DestinationTag(const UminShape& shape) : stages_(shape.n) {
    for (std::uint32_t s = 0; s < shape.n * shape.per_stage; ++s) {
      stage_.push_back(static_cast<std::uint8_t>(shape.stage(SwitchId(s))));
    }
    digit_.reserve(std::size_t{shape.hosts} * shape.n);
    for (std::uint32_t d = 0; d < shape.hosts; ++d) {
      for (std::uint32_t i = 0; i < shape.n; ++i) {
        digit_.push_back(static_cast<std::uint8_t>(shape.digit(d, i + 1 < shape.n ? i + 1 : 0)));
      }
    }
  }

  [[nodiscard]] Candidate default_route(const RouteQuery& query) const override {
    return {digit_[query.destination.index() * stages_ + stage_[query.at.index()]], 0};
  }

 private:
  std::size_t stages_;
  std::vector<std::uint8_t> stage_;  ///< per switch, from 0
  std::vector<std::uint8_t> digit_;  ///< per host, then stage: the output
};

const FittedRouting kDestinationTag(
    {"destination-tag",
     "Unidirectional butterflies: the output of each stage is a digit of the host",
     "ferrer2012, section 7.3"},
    "a unidirectional butterfly",
    [](const Graph& graph) { return graph.shape<UminShape>() != nullptr; },
    [](const Graph& graph) { return std::make_unique<DestinationTag>(*graph.shape<UminShape>()); });

}  // namespace
}  // namespace weir::routing

#include "weir/routing/routing.hpp"

namespace weir::routing {
namespace {

class Fixed : public SelectionFunction {
 public:
  [[nodiscard]] Candidate select(const RouteQuery&, Candidate preferred, std::span<const Candidate>,
                                 const OutputView&, RandomStream&) const override {
    return preferred;
  }
  [[nodiscard]] bool is_fixed() const override { return true; }
};

const SelectionRegistration kFixed(
    selection_registry(),
    {"fixed",
     "Deterministic: always the default route of the routing function",
     "Rocher 2021, section 2.2",
     {}},
    [](const Settings&) { return std::make_unique<Fixed>(); });

}  // namespace
}  // namespace weir::routing

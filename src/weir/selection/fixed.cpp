#include "weir/fabric/hooks/selection.hpp"

namespace weir::selection {
namespace {

class Fixed : public fabric::SelectionFunction {
 public:
  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    return {view.preferred};
  }
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  [[nodiscard]] bool is_fixed() const override { return true; }
};

const fabric::SelectionRegistration kFixed(
    fabric::selection_registry(),
    {"fixed", "Deterministic: always the default route of the routing function",
     "rocher2021, section 2.1"},
    [](const Settings&) { return std::make_unique<Fixed>(); });

}  // namespace
}  // namespace weir::selection

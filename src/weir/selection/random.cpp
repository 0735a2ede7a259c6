#include "weir/fabric/hooks/selection.hpp"

namespace weir::selection {
namespace {

class Random : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const auto allowed = view.candidates();
    return {allowed.size() == 1 ? allowed[0] : allowed[view.random.below(allowed.size())]};
  }
};

const fabric::SelectionRegistration kRandom(
    fabric::selection_registry(),
    {"random", "Oblivious: any allowed output with equal probability, whatever the traffic",
     "rocher2021, section 2.1"},
    [](const Settings&) { return std::make_unique<Random>(); });

}  // namespace
}  // namespace weir::selection

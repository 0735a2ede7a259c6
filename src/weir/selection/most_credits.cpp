#include "weir/selection/most_credits.hpp"

namespace weir::selection {
namespace {

class MostCredits : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    return {most_credits(view.candidates(), view.random,
                         [&](routing::Candidate output) { return view.credits(output); })};
  }
};

const fabric::SelectionRegistration kMostCredits(
    fabric::selection_registry(),
    {"most-credits", "Adaptive: the allowed output whose next buffer has most credit; ties random",
     "rocher2021, section 2.1"},
    [](const Settings&) { return std::make_unique<MostCredits>(); });

}  // namespace
}  // namespace weir::selection

#include "weir/base/keys.hpp"
#include "weir/selection/sample.hpp"

namespace weir::selection {
namespace {

struct TwoChoicesSettings {
  bool by_credits = false;
};

/// The power of two choices: of two allowed outputs drawn at random, the one with less before it.
class TwoChoices : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit TwoChoices(bool by_credits) : by_credits_(by_credits) {}

  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const Sample sample(view.candidates(), 2, view.random);
    const auto drawn = sample.view();
    // The first is random already: it wins ties.
    return {drawn.size() == 2 && is_better(view, drawn[1], drawn[0]) ? drawn[1] : drawn[0]};
  }

 private:
  [[nodiscard]] bool is_better(const fabric::SelectionView& view, routing::Candidate a,
                               routing::Candidate b) const {
    return by_credits_ ? view.credits(a) > view.credits(b) : view.queued(a) < view.queued(b);
  }

  bool by_credits_;
};

const fabric::SelectionRegistration kTwoChoices(
    fabric::selection_registry(),
    {"two-choices",
     "Adaptive: the better of two allowed outputs drawn at random (power of two choices)",
     "mitzenmacher2001choices; wang2018choices; rocher2021, section 1"},
    Keys<TwoChoicesSettings>{
        choice(&TwoChoicesSettings::by_credits, "by",
               "what makes an output the better one: queued, fewer bytes wait for it in the "
               "switch; credits, it has more credit for the next buffer",
               {{"queued", false}, {"credits", true}})},
    [](const Checked<TwoChoicesSettings>& settings) {
      return std::make_unique<TwoChoices>(settings->by_credits);
    });

}  // namespace
}  // namespace weir::selection

#include "weir/base/keys.hpp"
#include "weir/selection/most_credits.hpp"
#include "weir/selection/parameters.hpp"

namespace weir::selection {
namespace {

struct AdaptiveThresholdSettings {
  double threshold = 0.75;
  bool isolates = false;
};

/// rocher2021, section 2.2: the default output unless the buffer class behind
/// it is filled above the threshold (as the credits say); then the allowed output with most credit.
class AdaptiveThreshold : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit AdaptiveThreshold(const AdaptiveThresholdSettings& settings) : settings_(settings) {}

  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const routing::Candidate home = view.preferred;
    const std::int64_t capacity = view.capacity(home);
    const std::int64_t filled = capacity - view.credits(home);
    if (static_cast<double>(filled) <= settings_.threshold * static_cast<double>(capacity))
      return {home};
    const auto allowed = view.candidates();
    // A default route that has failed is not among them.
    if (allowed.size() == 1 && allowed[0] == home) return {home};
    const routing::Candidate best =
        most_credits(allowed, view.random, [&](routing::Candidate output) {
          return settings_.isolates ? view.adapted_credits(output) : view.credits(output);
        });
    return {best, settings_.isolates && best != home};
  }
  [[nodiscard]] bool follows_default() const override { return true; }
  [[nodiscard]] bool isolates() const override { return settings_.isolates; }

 private:
  AdaptiveThresholdSettings settings_;
};

const fabric::SelectionRegistration kAdaptiveThreshold(
    fabric::selection_registry(),
    {"adaptive-threshold",
     "Adaptive: the default route while the buffer behind it is filled up to a threshold, else the "
     "output with most credit",
     "mellanox2021adaptive; rocher2021, sections 2.2 and 4.1"},
    Keys<AdaptiveThresholdSettings>{
        key(&AdaptiveThresholdSettings::threshold, "threshold",
            "filled share of the buffer class behind the default output above which packets leave "
            "it")
            .range(0, 1),
        isolation_key(&AdaptiveThresholdSettings::isolates)},
    [](const Checked<AdaptiveThresholdSettings>& settings) {
      return std::make_unique<AdaptiveThreshold>(*settings);
    });

}  // namespace
}  // namespace weir::selection

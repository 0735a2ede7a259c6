#include "weir/base/keys.hpp"
#include "weir/selection/sample.hpp"

namespace weir::selection {
namespace {

struct BxiSettings {
  Bytes larger_than;
  std::size_t outputs = 2;
};

/// BXI v2: packets of large messages compare the default output with a few others drawn at random
/// and take the one whose next buffer is filled least; the default output wins ties.
class Bxi : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit Bxi(const BxiSettings& settings) : settings_(settings) {}

  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const routing::Candidate home = view.preferred;
    const bool is_down = view.credits(home) < 0;
    if (view.message_bytes() <= settings_.larger_than.count && !is_down) return {home};
    const Sample sample(view.candidates(), settings_.outputs, view.random, &home);
    routing::Candidate best = home;
    // Less credit than none: any other output is better than one that is down.
    std::int64_t filled = view.capacity(home) - view.credits(home);
    for (const routing::Candidate& other : sample.view()) {
      const std::int64_t here = view.capacity(other) - view.credits(other);
      if (here >= filled) continue;
      filled = here;
      best = other;
    }
    return {best};
  }
  [[nodiscard]] bool follows_default() const override { return true; }

 private:
  BxiSettings settings_;
};

const fabric::SelectionRegistration kBxi(
    fabric::selection_registry(),
    {"bxi",
     "Adaptive, as in BXI v2: packets of large messages take the least filled of the default "
     "output and a few random ones",
     "vigneras2016bxi; rocher2021, table 1"},
    Keys<BxiSettings>{
        key(&BxiSettings::larger_than, "larger_than",
            "size of messages up to which packets keep to the default route and in order"),
        key(&BxiSettings::outputs, "outputs", "number of other outputs that are drawn")
            .range(1, 255)},
    [](const Checked<BxiSettings>& settings) { return std::make_unique<Bxi>(*settings); });

}  // namespace
}  // namespace weir::selection

#include "weir/base/keys.hpp"
#include "weir/selection/sample.hpp"

namespace weir::selection {
namespace {

struct SlingshotSettings {
  std::size_t paths = 4;
  bool is_everywhere = false;
  Bytes lead;
};

/// Slingshot: the first switch compares a few of the paths that the routing lists by the depth of
/// the request queues at their outputs, summed over all inputs, which every input of the switch
/// knows; the least deep one is taken. The default route is always among them and wins ties; it may
/// be given a lead, because a path that the routing function lists besides may be longer.
class Slingshot : public fabric::SelectionFunction {
 public:
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  explicit Slingshot(const SlingshotSettings& settings) : settings_(settings) {}

  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const routing::Candidate home = view.preferred;
    const bool is_down = view.credits(home) < 0;
    if (view.packet.hops > 1 && !settings_.is_everywhere && !is_down) return {home};
    const Sample sample(view.candidates(), settings_.paths - 1, view.random, &home);
    routing::Candidate best = home;
    // Nothing waits at a link that is down.
    std::int64_t depth = is_down ? INT64_MAX : view.queued(home) - settings_.lead.count;
    for (const routing::Candidate& other : sample.view()) {
      const std::int64_t here = view.queued(other);
      if (here >= depth) continue;
      depth = here;
      best = other;
    }
    return {best};
  }

 private:
  SlingshotSettings settings_;
};

const fabric::SelectionRegistration kSlingshot(
    fabric::selection_registry(),
    {"slingshot",
     "Adaptive, as in Slingshot: the first switch takes the output with the shortest request "
     "queues of up to four paths",
     "desensi2020slingshot; rocher2021, table 1"},
    Keys<SlingshotSettings>{
        key(&SlingshotSettings::paths, "paths",
            "number of paths compared, the default route among them; the others are drawn at "
            "random from those that the routing lists")
            .range(2, 256),
        choice(&SlingshotSettings::is_everywhere, "at",
               "switches that choose: source, only that of the source, then default routes; every, "
               "all of them",
               {{"source", false}, {"every", true}}),
        key(&SlingshotSettings::lead, "lead",
            "bytes by which less waits for another output than for the default one for it to be "
            "taken, where paths are longer")},
    [](const Checked<SlingshotSettings>& settings) {
      return std::make_unique<Slingshot>(*settings);
    });

}  // namespace
}  // namespace weir::selection

#include "weir/selection/sample.hpp"

namespace weir::selection {
namespace {

/// Slingshot: the first switch compares a few of the paths that the routing lists by the depth of
/// the request queues at their outputs, summed over all inputs, which every input of the switch
/// knows; the least deep one is taken. The default route is always among them and wins ties; it may
/// be given a lead, because a path that the routing function lists besides may be longer.
class Slingshot : public fabric::SelectionFunction {
 public:
  Slingshot(std::int64_t paths, bool everywhere, std::int64_t lead)
      : others_(static_cast<std::size_t>(paths - 1)), everywhere_(everywhere), lead_(lead) {}

  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override {
    const routing::Candidate home = view.preferred;
    const bool is_down = view.credits(home) < 0;
    if (view.packet.hops > 1 && !everywhere_ && !is_down) return {home};
    const Sample sample(view.candidates(), others_, view.random, &home);
    routing::Candidate best = home;
    // Nothing waits at a link that is down.
    std::int64_t depth = is_down ? INT64_MAX : view.queued(home) - lead_;
    for (const routing::Candidate& other : sample.view()) {
      const std::int64_t here = view.queued(other);
      if (here >= depth) continue;
      depth = here;
      best = other;
    }
    return {best};
  }

 private:
  std::size_t others_;
  bool everywhere_;
  std::int64_t lead_;
};

const fabric::SelectionRegistration kSlingshot(
    fabric::selection_registry(),
    {"slingshot",
     "Adaptive, as in Slingshot: the first switch takes the output with the shortest request "
     "queues of up to four paths",
     "desensi2020slingshot; rocher2021, table 1",
     {Parameter::of(ParameterType::integer, "paths",
                    "number of paths compared, the default route among them; the others are drawn "
                    "at random from those that the routing lists")
          .by_default("4")
          .range(2, 256),
      Parameter::of(ParameterType::text, "at",
                    "switches that choose: source, only that of the source, then default routes; "
                    "every, all of them")
          .by_default("source")
          .one_of({"source", "every"}),
      Parameter::of(ParameterType::bytes, "lead",
                    "bytes by which less waits for another output than for the default one for it "
                    "to be taken, where paths are longer")
          .by_default("0 B")}},
    [](const Settings& settings) {
      return std::make_unique<Slingshot>(settings.integer("paths"), settings.text("at") == "every",
                                         settings.bytes("lead").count);
    });

}  // namespace
}  // namespace weir::selection

#include "weir/routing/routing.hpp"

namespace weir::routing {
namespace {

class MostCredits : public SelectionFunction {
 public:
  /// One pass: the n-th of equally good outputs replaces the choice with probability 1/n.
  [[nodiscard]] Candidate select(const RouteQuery&, Candidate, std::span<const Candidate> allowed,
                                 const OutputView& outputs, RandomStream& random) const override {
    Candidate best = allowed[0];
    if (allowed.size() == 1) return best;
    std::int64_t most = outputs.credits(best);
    std::uint64_t ties = 1;
    for (const Candidate& candidate : allowed.subspan(1)) {
      const std::int64_t credits = outputs.credits(candidate);
      if (credits < most) continue;
      if (credits > most) {
        most = credits;
        ties = 1;
        best = candidate;
      } else if (random.below(++ties) == 0) {
        best = candidate;
      }
    }
    return best;
  }
};

const SelectionRegistration kMostCredits(
    selection_registry(),
    {"most-credits",
     "Adaptive: the allowed output whose next buffer has most credit; ties random",
     "Rocher 2021, section 2.2",
     {}},
    [](const Settings&) { return std::make_unique<MostCredits>(); });

}  // namespace
}  // namespace weir::routing

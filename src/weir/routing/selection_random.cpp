#include "weir/routing/routing.hpp"

namespace weir::routing {
namespace {

class Random : public SelectionFunction {
 public:
  [[nodiscard]] Candidate select(const RouteQuery&, Candidate, std::span<const Candidate> allowed,
                                 const OutputView&, RandomStream& random) const override {
    return allowed.size() == 1 ? allowed[0] : allowed[random.below(allowed.size())];
  }
};

const SelectionRegistration kRandom(
    selection_registry(),
    {"random",
     "Oblivious: any allowed output with equal probability, whatever the traffic",
     "Rocher 2021, section 2.2",
     {}},
    [](const Settings&) { return std::make_unique<Random>(); });

}  // namespace
}  // namespace weir::routing

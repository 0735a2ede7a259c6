#include <algorithm>

#include "weir/base/state_archive.hpp"
#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

class Saturated final : public ArrivalProcess {
 public:
  void start(Time origin, double, RandomStream&) override { origin_ = origin; }
  Time next(Time now, RandomStream&) override { return std::max(now, origin_); }
  [[nodiscard]] bool rated() const override { return false; }
  [[nodiscard]] bool closed_loop() const override { return true; }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override { state(origin_); }

 private:
  Time origin_;
};

const ArrivalRegistration kSaturated(
    arrival_registry(),
    {"saturated",
     "A next message whenever the host has room for it (a greedy source)",
     "karol1987input",
     {}},
    [](const Settings&, const ArrivalContext&) { return std::make_unique<Saturated>(); });

}  // namespace
}  // namespace weir::traffic

#include "weir/base/state_archive.hpp"
#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

class Poisson final : public ArrivalProcess {
 public:
  void start(Time origin, double interval, RandomStream&) override {
    at_ = origin;
    interval_ = interval;
  }

  Time next(Time, RandomStream& random) override {
    at_ = later(at_, random.exponential(interval_));
    return at_;
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override { state(at_, interval_); }

 private:
  Time at_;
  double interval_ = 0;
};

const ArrivalRegistration kPoisson(
    arrival_registry(), {"poisson", "Exponential times between messages", "yan2012, section 2.4.1"},
    load_keys(),
    [](const Checked<LoadKeys>&, const ArrivalContext&) { return std::make_unique<Poisson>(); });

}  // namespace
}  // namespace weir::traffic

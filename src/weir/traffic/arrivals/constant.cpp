#include "weir/base/state_archive.hpp"
#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

class Constant final : public ArrivalProcess {
 public:
  explicit Constant(bool random_phase) : random_phase_(random_phase) {}

  void start(Time origin, double interval, RandomStream& random) override {
    origin_ = origin;
    interval_ = interval;
    offset_ = random_phase_ ? random.unit() : 0.0;
    count_ = 0;
  }

  Time next(Time, RandomStream&) override {
    // From the origin every time: the rounding to whole picoseconds does not add up.
    const double passed = (offset_ + static_cast<double>(count_++)) * interval_;
    return later(origin_, passed);
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override { state(origin_, interval_, offset_, count_); }

 private:
  bool random_phase_;
  Time origin_;
  double interval_ = 0;
  double offset_ = 0;  ///< of the first message, in intervals
  std::int64_t count_ = 0;
};

struct ConstantKeys : LoadKeys {
  bool has_random_phase = true;
};

const ArrivalRegistration kConstant(
    arrival_registry(), {"constant", "One message every interval", "ferrer2012, section 7.4"},
    Keys<ConstantKeys>{choice(&ConstantKeys::has_random_phase, "phase",
                              "whether the first message comes at a random point of the first "
                              "interval, or at its beginning",
                              {{"random", true}, {"aligned", false}})}
        .with(load_keys()),
    [](const Checked<ConstantKeys>& file, const ArrivalContext&) {
      return std::make_unique<Constant>(file->has_random_phase);
    });

}  // namespace
}  // namespace weir::traffic

#include <fmt/format.h>

#include <cmath>

#include "weir/base/state_archive.hpp"
#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

class Bernoulli final : public ArrivalProcess {
 public:
  Bernoulli(double slot, bool random_phase) : slot_(slot), random_phase_(random_phase) {}

  void start(Time origin, double interval, RandomStream& random) override {
    origin_ = origin;
    // Loads that come out of divisions may miss 1 by a rounding.
    const double probability = slot_ / interval;
    log_failure_ = probability > 1 - 1e-9 ? 0.0 : std::log1p(-probability);
    offset_ = random_phase_ ? random.unit() : 0.0;
    slot_number_ = -1;
  }

  Time next(Time, RandomStream& random) override {
    slot_number_ += 1 + failures(random);
    return later(origin_, (offset_ + slot_number_) * slot_);
  }

  [[nodiscard]] std::optional<std::string> refusal(double interval) const override {
    if (slot_ / interval <= 1 + 1e-9) return std::nullopt;
    return fmt::format("asks for {:.4g} messages a slot of {:.0f} ps; at most one is possible",
                       slot_ / interval, slot_);
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override {
    state(origin_, log_failure_, offset_, slot_number_);
  }

 private:
  /// Slots without a message before the next one: geometric, by inversion.
  [[nodiscard]] double failures(RandomStream& random) const {
    return log_failure_ == 0.0 ? 0.0 : std::floor(std::log1p(-random.unit()) / log_failure_);
  }

  double slot_;  ///< ps
  bool random_phase_;
  Time origin_;
  double log_failure_ = 0;   ///< log(1 - p); 0 when every slot has a message
  double offset_ = 0;        ///< of slot 0, in slots
  double slot_number_ = -1;  ///< whole: an integer would overflow at tiny probabilities
};

struct BernoulliKeys : LoadKeys {
  std::optional<Time> slot;
  bool has_random_phase = false;
};

const ArrivalRegistration kBernoulli(
    arrival_registry(),
    {"bernoulli", "In every slot a message with a fixed probability, whatever came before",
     "karol1987input"},
    Keys<BernoulliKeys>{
        key(&BernoulliKeys::slot, "slot",
            "length of a slot (default: what the mean message occupies the host's link)")
            .at_least(1),
        choice(&BernoulliKeys::has_random_phase, "phase",
               "whether the slots of all sources begin together, or those of each source at a "
               "random point",
               {{"aligned", false}, {"random", true}})}
        .with(load_keys()),
    [](const Checked<BernoulliKeys>& file, const ArrivalContext& context) {
      const double slot =
          file->slot ? static_cast<double>(file->slot->count) : mean_service(*file, context);
      return std::make_unique<Bernoulli>(slot, file->has_random_phase);
    });

}  // namespace
}  // namespace weir::traffic

#include <algorithm>

#include "weir/base/state_archive.hpp"
#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

/// Interval 0 with probability 1 - tau, else exponential with mean interval / tau, where
/// tau = 2 / (scv + 1): batches of geometric size (mean 1 / tau) that arrive as a Poisson process.
/// Messages of a batch may come a little apart, so that what serves them can tell one from the
/// next.
class GeneralizedExponential final : public ArrivalProcess {
 public:
  GeneralizedExponential(double scv, Time spacing) : tau_(2 / (scv + 1)), spacing_(spacing) {}

  void start(Time origin, double interval, RandomStream&) override {
    at_ = batch_ = origin;
    batch_interval_ = interval / tau_;
    inside_batch_ = false;
  }

  Time next(Time, RandomStream& random) override {
    // What precedes the origin was no batch of this process: the first interval is never 0.
    const bool same_batch = inside_batch_ && tau_ < 1 && random.unit() >= tau_;
    if (same_batch) {
      at_ += spacing_;
    } else {
      batch_ = later(batch_, random.exponential(batch_interval_));
      at_ = std::max(at_, batch_);  // the one before may be long
    }
    inside_batch_ = true;
    return at_;
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override {
    state(at_, batch_, batch_interval_, inside_batch_);
  }

 private:
  double tau_;
  Time spacing_;
  Time at_;
  Time batch_;                 ///< beginning of the batch
  double batch_interval_ = 0;  ///< ps, mean between batches
  bool inside_batch_ = false;
};

struct GeneralizedExponentialKeys : LoadKeys {
  double scv = 1;
  Time spacing;
};

const ArrivalRegistration kGeneralizedExponential(
    arrival_registry(),
    {"generalized-exponential", "Batches of geometric size that arrive as a Poisson process",
     "kouvatsos1994entropy; yan2012, section 2.4.1"},
    Keys<GeneralizedExponentialKeys>{
        key(&GeneralizedExponentialKeys::scv, "scv",
            "squared coefficient of variation of the times between messages")
            .required()
            .range(1, 1e6),
        key(&GeneralizedExponentialKeys::spacing, "spacing",
            "time between the messages of a batch")}
        .with(load_keys()),
    [](const Checked<GeneralizedExponentialKeys>& file, const ArrivalContext&) {
      return std::make_unique<GeneralizedExponential>(file->scv, file->spacing);
    });

}  // namespace
}  // namespace weir::traffic

#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

/// Interval 0 with probability 1 - tau, else exponential with mean interval / tau, where
/// tau = 2 / (scv + 1): batches of geometric size (mean 1 / tau) that arrive as a Poisson process.
class GeneralizedExponential final : public ArrivalProcess {
 public:
  explicit GeneralizedExponential(double scv) : tau_(2 / (scv + 1)) {}

  void start(Time origin, double interval, RandomStream&) override {
    at_ = origin;
    batch_interval_ = interval / tau_;
    inside_batch_ = false;
  }

  Time next(Time, RandomStream& random) override {
    // What precedes the origin was no batch of this process: the first interval is never 0.
    const bool same_batch = inside_batch_ && tau_ < 1 && random.unit() >= tau_;
    if (!same_batch) at_ = later(at_, random.exponential(batch_interval_));
    inside_batch_ = true;
    return at_;
  }

 private:
  double tau_;
  Time at_;
  double batch_interval_ = 0;  ///< ps, mean between batches
  bool inside_batch_ = false;
};

const ArrivalRegistration kGeneralizedExponential(
    arrival_registry(),
    {"generalized-exponential", "Batches of geometric size that arrive as a Poisson process",
     "Yan 2012, section 4.1 (GE distribution, compound Poisson process)",
     with_load_parameters(
         {Parameter::of(ParameterType::real, "scv",
                        "squared coefficient of variation of the times between messages")
              .required()
              .range(1, 1e6)})},
    [](const Settings& settings, const ArrivalContext&) {
      return std::make_unique<GeneralizedExponential>(settings.real("scv"));
    });

}  // namespace
}  // namespace weir::traffic

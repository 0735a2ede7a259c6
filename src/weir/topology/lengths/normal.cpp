#include <algorithm>
#include <cmath>

#include "weir/topology/lengths/range.hpp"

namespace weir::topology {
namespace {

/// Drawn by rejection between the limits, so that it ends soon however narrow they are.
class Normal final : public LengthDistribution {
 public:
  Normal(const LengthRange& range, double mean, double deviation)
      : LengthDistribution(range.shortest),
        low_(std::max(range.shortest, mean - kReach * deviation)),
        width_(std::min(range.longest, mean + kReach * deviation) - low_),
        mean_(mean),
        deviation_(deviation) {}

  [[nodiscard]] double draw(RandomStream& random) const override {
    for (;;) {
      const double metres = low_ + width_ * random.unit();
      const double away = (metres - mean_) / deviation_;
      if (random.unit() < std::exp(-away * away / 2)) return metres;
    }
  }

 private:
  static constexpr double kReach = 6;  ///< in deviations: beyond it is 1 of 500 million

  double low_;
  double width_;
  double mean_;
  double deviation_;
};

const LengthRegistration kNormal(
    length_registry(),
    {"normal", "Normal distribution, cut off at the shortest and the longest",
     "weir2026, docs/architecture.md",
     with_length_range(
         {Parameter::of(ParameterType::real, "mean", "mean before the cut, in metres").required(),
          Parameter::of(ParameterType::real, "deviation",
                        "standard deviation before the cut, in metres")
              .required()
              .range(1e-6, 1e6)})},
    [](const Settings& settings) {
      const LengthRange range = length_range(settings);
      const double mean = settings.real("mean");
      if (mean < range.shortest || mean > range.longest) {
        throw settings.error("mean", fmt::format("must be between the shortest and the longest "
                                                 "cable, {} and {} m, not {}",
                                                 range.shortest, range.longest, mean));
      }
      return std::make_shared<Normal>(range, mean, settings.real("deviation"));
    });

}  // namespace
}  // namespace weir::topology

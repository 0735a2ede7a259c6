#include <algorithm>
#include <cmath>

#include "weir/topology/lengths/range.hpp"

namespace weir::topology {
namespace {

struct NormalLengths : LengthRange {
  double mean = 0;
  double deviation = 0;
};

/// Drawn by rejection between the limits, so that it ends soon however narrow they are.
class Normal final : public LengthDistribution {
 public:
  explicit Normal(const NormalLengths& lengths)
      : LengthDistribution(lengths.shortest),
        mean_(lengths.mean),
        deviation_(lengths.deviation),
        low_(std::max(lengths.shortest, mean_ - kReach * deviation_)),
        width_(std::min(lengths.longest, mean_ + kReach * deviation_) - low_) {}

  [[nodiscard]] double draw(RandomStream& random) const override {
    for (;;) {
      const double metres = low_ + width_ * random.unit();
      const double away = (metres - mean_) / deviation_;
      if (random.unit() < std::exp(-away * away / 2)) return metres;
    }
  }

 private:
  static constexpr double kReach = 6;  ///< in deviations: beyond it is 1 of 500 million

  double mean_;
  double deviation_;
  double low_;
  double width_;
};

const LengthRegistration kNormal(
    length_registry(),
    {"normal", "Normal distribution, cut off at the shortest and the longest",
     "weir2026, docs/architecture.md"},
    Keys<NormalLengths>{}
        .with(length_range_keys())
        .with({key(&NormalLengths::mean, "mean", "mean before the cut, in metres").required(),
               key(&NormalLengths::deviation, "deviation",
                   "standard deviation before the cut, in metres")
                   .required()
                   .range(1e-6, 1e6)}),
    [](const Checked<NormalLengths>& lengths) {
      check_length_range(lengths);
      if (lengths->mean < lengths->shortest || lengths->mean > lengths->longest) {
        throw lengths.error(&NormalLengths::mean,
                            fmt::format("must be between the shortest and the longest "
                                        "cable, {} and {} m, not {}",
                                        lengths->shortest, lengths->longest, lengths->mean));
      }
      return std::make_shared<Normal>(*lengths);
    });

}  // namespace
}  // namespace weir::topology

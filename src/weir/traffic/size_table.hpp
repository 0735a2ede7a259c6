#pragma once

#include <vector>

#include "weir/traffic/size.hpp"

namespace weir::traffic {

/// A point of a cumulative distribution: so many messages are at most that large.
struct SizePoint {
  double bytes = 0;
  double share = 0;  ///< 0..1
};

/// Sizes from a table of sizes, or of ranges of sizes, with their probabilities.
class SizeTable final : public SizeDistribution {
 public:
  /// The probabilities sum to 1.
  explicit SizeTable(std::vector<Outcome> outcomes);
  /// Between two points all whole sizes are equally likely, as where the share grows linearly with
  /// the size; what the first point has comes all of its size. Both ascend, and the last share is
  /// 1. All sizes are multiplied by `scale` and rounded to whole bytes, at least 1.
  static std::vector<Outcome> interpolate(const std::vector<SizePoint>& points, double scale);

  /// One number of the stream, whatever the size.
  [[nodiscard]] Bytes draw(RandomStream& random) const override;

 private:
  std::vector<double> cumulative_;
};

}  // namespace weir::traffic

#pragma once

#include <cstdint>
#include <vector>

#include "weir/rates/control_plane.hpp"

namespace weir::rates {

/// Watches what a protocol's sources ask of the links while rates change.
class RateMonitor {
 public:
  explicit RateMonitor(const ControlPlane& plane);

  /// The source of `f` sends at `rate` from `now` on.
  void set(FlowIndex f, double rate, Time now);
  /// Looks at what gets through at `now`, of which `present` flows are there: where links are asked
  /// for too much, all their flows get less alike.
  void sample(Time now, std::size_t present);
  /// Mean rate that got through, over the samples and the flows that were there.
  [[nodiscard]] double carried_rate() const;
  /// Largest sum of the rates of a link over its capacity so far, as it stood when time moved on.
  [[nodiscard]] double oversubscription();
  /// Mean up to `now` of the share of the links with flows that were asked for more than they have.
  [[nodiscard]] double oversubscribed_share(Time now);

 private:
  /// What stood at the end of an instant counts.
  void close_instant(Time now);

  const ControlPlane& plane_;
  std::vector<double> rates_;       ///< per flow
  std::vector<double> sums_;        ///< per link, over its capacity
  std::vector<LinkIndex> touched_;  ///< in this instant
  std::vector<bool> is_touched_;    ///< per link
  std::vector<bool> is_over_;       ///< per link
  std::size_t links_with_flows_ = 0;
  std::size_t over_ = 0;
  double carried_ = 0;   ///< sum over samples
  double expected_ = 0;  ///< flows that were there, likewise
  double largest_ = 0;
  double area_ = 0;  ///< links x ps
  Time last_;
};

}  // namespace weir::rates

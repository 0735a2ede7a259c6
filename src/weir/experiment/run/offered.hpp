#pragma once

#include <functional>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/run/flow_traffic.hpp"
#include "weir/experiment/run/network.hpp"

namespace weir::experiment {

/// What all traffic of a run asks of the network, counted without simulating: messages of a sample
/// of the sources and of the schedules of workloads, times the links of their routes, ACKs as well.
/// Traffic to few hosts gets no more than their links carry. What else holds packets up, such as
/// full buffers on the way, is not in it.
class Offered {
 public:
  /// `mean_links` of a packet, for what has no known route. Throws InputError as the run would.
  Offered(const Configuration& configuration, const Network& network,
          const std::function<double()>& mean_links);

  /// The [[flow]]s of a run that ends then, Time::max(): when they have.
  void add_flows(const FlowWork& work, Time end);

  /// Up to a time of the run.
  [[nodiscard]] double packet_hops(Time until) const;
  [[nodiscard]] double packet_hops() const { return packet_hops(Time::max()); }
  /// Data packets of the whole run.
  [[nodiscard]] double packets() const { return packets_; }
  /// When traffic changes, ascending: phases begin or end.
  [[nodiscard]] const std::vector<Time>& changes() const { return changes_; }
  /// All of it is sent at some time: no closed loop waits for the network, no host refuses
  /// messages.
  [[nodiscard]] bool is_fixed() const { return is_fixed_; }

 private:
  /// Work that is spread evenly over a stretch of time.
  struct Piece {
    Time from;
    Time to;
    double packet_hops = 0;
  };

  class Count;

  std::vector<Piece> pieces_;
  std::vector<Time> changes_;
  double packets_ = 0;
  bool is_fixed_ = true;
};

}  // namespace weir::experiment

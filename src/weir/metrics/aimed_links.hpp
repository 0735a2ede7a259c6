#pragma once

#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/metrics/congestion_tree.hpp"
#include "weir/topology/graph.hpp"

namespace weir {
class StateArchive;
}

namespace weir::metrics {

/// A host at which hot traffic is aimed for some time.
struct HotAim {
  HostId host;
  Time start;
  Time stop = Time::max();
};

/// Utilization of the links into the hosts at which hot traffic is aimed at the time: of a hot spot
/// that moves, that of its present place.
class AimedLinks {
 public:
  AimedLinks(const topology::Graph& graph, const std::vector<HotAim>& aims);

  /// `state` by port, of ports() over the sampling period from `begin` to `end`. An aim counts in
  /// periods that lie wholly in its time.
  void sample(Time begin, Time end, const std::vector<PortState>& state);

  [[nodiscard]] bool any() const { return !aims_.empty(); }
  /// Into the hosts that are aimed at.
  [[nodiscard]] std::vector<PortId> ports() const;
  /// One a sample; NaN: no aim.
  [[nodiscard]] const std::vector<double>& series() const { return series_; }
  /// Over the time of the samples that end after `warm_up` and have an aim; NaN without any.
  [[nodiscard]] double mean(Time warm_up) const;
  void checkpoint(StateArchive& state);

 private:
  struct Aim {
    PortId into;
    Time start;
    Time stop;
  };
  std::vector<Aim> aims_;
  std::vector<double> series_;
  std::vector<Time> lengths_;
  std::vector<Time> ends_;
};

}  // namespace weir::metrics

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/rates/control_wires.hpp"
#include "weir/rates/flow_set.hpp"
#include "weir/rates/protocols.hpp"

namespace weir::rates {

/// All links of a graph and the flows of a set whose links are the graph's ports. Answers go back
/// along the paths of `back`, a set with as many flows; null: against the route of their flow.
ControlPlane make_control_plane(const topology::Graph& graph, const FlowSet& flows,
                                const FlowSet* back = nullptr);

/// A party (RateProtocol) begins or ends.
struct PartyChange {
  Time at;
  std::uint32_t party = 0;
  bool is_start = true;
};

/// What happens to a protocol, and for how long it is watched.
struct ProtocolRun {
  ControlTiming timing{};
  std::vector<Time> starts{};          ///< per party; Time::max(): not by itself; empty: all at 0
  std::vector<std::uint32_t> late{};   ///< parties that begin when those before have settled,
                                       ///< together
  std::vector<PartyChange> changes{};  ///< besides
  Time limit = milliseconds(10);       ///< a set that has not settled by then is reported as such
};

/// What a protocol made of a set of flows. Rates are shares of the line rate.
struct ProtocolOutcome {
  bool is_settled = false;                ///< nothing was under way any more at the end
  Time began;                             ///< of the calculation that is measured: the last change
  Time ended;                             ///< when it was over, or given up
  std::vector<double> rates{};            ///< per flow, at the end
  std::vector<bool> is_present{};         ///< per flow: started and not ended
  std::vector<Time> found_at{};           ///< per flow: its rate is final; not before `began`
  std::vector<std::uint32_t> messages{};  ///< per flow: control packets of its source
  ControlCounters counters{};
  std::uint32_t rounds = 0;      ///< newest round (DFFA); calculations (DAFA)
  std::uint32_t iterations = 0;  ///< of the newest calculation (DAFA)
  std::optional<Time> leader_time{};
  /// Largest sum of the rates of a link over its capacity, at any time.
  double oversubscription = 0;
  /// Mean over time of the share of the links with flows for which that is more than 1.
  double oversubscribed_share = 0;
  /// With changes: mean rate that got through from the first change to the last, over time and the
  /// flows that were there (RateMonitor).
  double carried_rate = 0;

  /// From `began` to a flow's result; mean and most over all flows that are present.
  [[nodiscard]] double mean_time_us() const;
  [[nodiscard]] double longest_time_us() const;
  [[nodiscard]] double mean_messages() const;
  [[nodiscard]] std::uint32_t most_messages() const;
};

/// `protocol` is on `wires`, and neither has been used. Throws InputError when there are not as
/// many starts as parties, or a party does not exist.
ProtocolOutcome run_protocol(RateProtocol& protocol, ControlWires& wires, const ControlPlane& plane,
                             const ProtocolRun& run);

// Single protocols.
ProtocolOutcome run_dffa_star(const ControlPlane& plane, const ProtocolRun& run,
                              bool is_optimized = true);
ProtocolOutcome run_dffa(const ControlPlane& plane, const ProtocolRun& run,
                         const DffaSettings& settings = {});
ProtocolOutcome run_saa_m(const ControlPlane& plane, const ProtocolRun& run,
                          const SaaMSettings& settings = {});

/// Times of one calculation of DAFA*, from its beginning at the leader.
struct DafaOutcome {
  bool is_settled = false;
  std::uint32_t iterations = 0;
  Time found;                   ///< the leader knows all rates
  Time settled;                 ///< and that there is nothing more to be had
  Time informed;                ///< the last source knows its rate
  std::vector<double> rates{};  ///< per flow
  ControlCounters counters{};
};
/// One calculation for applications that all links know.
DafaOutcome run_dafa_star(const ControlPlane& plane, const ProtocolRun& run, ElementIndex leader);

/// Latency by formula (zdornov2009, section 4.3.3): 2 I h (T_d + T_c), with 200 and 400 ns.
Time dafa_latency(std::uint32_t iterations, std::uint32_t height,
                  Time dissemination = nanoseconds(200), Time aggregation = nanoseconds(400));

}  // namespace weir::rates

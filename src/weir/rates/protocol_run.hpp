#pragma once

#include <cstdint>
#include <vector>

#include "weir/rates/control_timing.hpp"
#include "weir/rates/dafa_protocol.hpp"
#include "weir/rates/dffa_protocol.hpp"
#include "weir/rates/flow_set.hpp"
#include "weir/rates/saa_m_protocol.hpp"

namespace weir::rates {

/// All links of a graph and the flows of a set whose links are the graph's ports. Answers go back
/// against the route of their flow.
ControlPlane make_control_plane(const topology::Graph& graph, const FlowSet& flows);

/// When flows begin, and for how long a protocol is watched.
struct ProtocolRun {
  ControlTiming timing{};
  std::vector<Time> starts{};     ///< per flow; empty: all at 0
  std::vector<FlowIndex> late{};  ///< flows that begin when those before have settled, together
  Time limit = milliseconds(10);  ///< a set that has not settled by then is reported as such
};

/// What a protocol made of a set of flows.
struct ProtocolOutcome {
  bool is_settled = false;       ///< nothing was under way any more at the end
  Time began;                    ///< of the calculation that is measured: the last start of a flow
  std::vector<double> rates{};   ///< per flow, at the end
  std::vector<Time> found_at{};  ///< per flow: its rate is final
  std::vector<std::uint32_t> messages{};  ///< per flow: control packets of its source
  ControlCounters counters{};
  std::uint32_t rounds = 0;  ///< newest round (DFFA, DAFA)

  /// From `began` to a flow's result; mean and most over all flows.
  [[nodiscard]] double mean_time_us() const;
  [[nodiscard]] double longest_time_us() const;
  [[nodiscard]] double mean_messages() const;
  [[nodiscard]] std::uint32_t most_messages() const;
};

/// DFFA* with links that know all flows from the start; `late` must be empty.
ProtocolOutcome run_dffa_star(const ControlPlane& plane, const ProtocolRun& run,
                              bool is_optimized = true);
ProtocolOutcome run_dffa(const ControlPlane& plane, const ProtocolRun& run,
                         const DffaSettings& settings = {});
/// Fixed-point arithmetic. `messages` counts those after all flows have announced themselves, up to
/// the last change of the flow's rate. Throws InputError when the weights on a link exceed what the
/// numbers hold (8 million).
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

/// Latency by formula (explicit-rates 3.15): 2 I h (T_d + T_c), with 200 and 400 ns.
Time dafa_latency(std::uint32_t iterations, std::uint32_t height,
                  Time dissemination = nanoseconds(200), Time aggregation = nanoseconds(400));

}  // namespace weir::rates

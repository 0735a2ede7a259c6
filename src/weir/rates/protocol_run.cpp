#include "weir/rates/protocol_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weir/base/error.hpp"
#include "weir/rates/control_network.hpp"
#include "weir/rates/dffa_star_protocol.hpp"
#include "weir/rates/fixed_point.hpp"

namespace weir::rates {
namespace {

double microseconds_of(Time time) { return to_nanoseconds(time) / 1'000; }

std::vector<bool> are_late(const ControlPlane& plane, const ProtocolRun& run) {
  std::vector<bool> late(plane.flow_count(), false);
  for (const FlowIndex f : run.late) {
    if (f >= late.size())
      throw InputError(fmt::format("there is no flow {} that could be late", f));
    late[f] = true;
  }
  if (!run.starts.empty() && run.starts.size() != late.size()) {
    throw InputError(
        fmt::format("{} times to start at for {} flows", run.starts.size(), late.size()));
  }
  return late;
}

/// Starts all flows that are not late, and the others when those have settled.
template <class Protocol>
void carry_out(const ControlPlane& plane, const ProtocolRun& run, ControlNetwork<Protocol>& network,
               ProtocolOutcome& out) {
  const std::vector<bool> late = are_late(plane, run);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    if (late[f]) continue;
    const Time start = run.starts.empty() ? Time() : run.starts[f];
    out.began = std::max(out.began, start);
    network.start_at(start, f);
  }
  out.is_settled = network.run(run.limit);
  if (run.late.empty() || !out.is_settled) return;
  out.began = network.now();
  for (const FlowIndex f : run.late) network.start_at(out.began, f);
  out.is_settled = network.run(run.limit);
}

template <class Protocol>
void collect(const ControlPlane& plane, const Protocol& protocol,
             const ControlNetwork<Protocol>& network, ProtocolOutcome& out) {
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    out.rates.push_back(static_cast<double>(protocol.rate(f)));
    out.messages.push_back(network.messages_of(f));
  }
  out.counters = network.counters();
}

/// The announced weights of a link must fit into FixedPoint.
void check_weights(const ControlPlane& plane) {
  constexpr double kMost = 1 << 22;
  std::vector<double> weight(plane.link_count(), 0);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    for (const LinkIndex l : plane.route(f)) {
      weight[l] += plane.weight(f) / plane.link(l).capacity;
      if (weight[l] <= kMost) continue;
      throw InputError(
          fmt::format("weights of more than {} on link {}: SAA-M calculates with 2^-40", kMost, l));
    }
  }
}

}  // namespace

ControlPlane make_control_plane(const topology::Graph& graph, const FlowSet& flows) {
  ControlPlane plane(graph);
  std::vector<bool> is_used(plane.link_count(), false);
  std::vector<LinkIndex> links;
  for (std::size_t i = 0; i < flows.flow_count(); ++i) {
    const FlowId f(i);
    links.clear();
    for (const LinkId l : flows.path(f)) {
      links.push_back(l.value);
      if (!is_used[l.index()]) plane.set_capacity(l.value, flows.capacity(l).value());
      is_used[l.index()] = true;
    }
    plane.add_flow(links, flows.weight(f).value(), flows.application(f).value);
  }
  return plane;
}

double ProtocolOutcome::mean_time_us() const {
  double sum = 0;
  for (const Time found : found_at) sum += microseconds_of(found - began);
  return found_at.empty() ? 0 : sum / static_cast<double>(found_at.size());
}

double ProtocolOutcome::longest_time_us() const {
  return found_at.empty()
             ? 0
             : microseconds_of(*std::max_element(found_at.begin(), found_at.end()) - began);
}

double ProtocolOutcome::mean_messages() const {
  const double sum = std::accumulate(messages.begin(), messages.end(), 0.0);
  return messages.empty() ? 0 : sum / static_cast<double>(messages.size());
}

std::uint32_t ProtocolOutcome::most_messages() const {
  return messages.empty() ? 0 : *std::max_element(messages.begin(), messages.end());
}

ProtocolOutcome run_dffa_star(const ControlPlane& plane, const ProtocolRun& run,
                              bool is_optimized) {
  using Protocol = DffaStarProtocol<double>;
  if (!run.late.empty())
    throw InputError("DFFA* is for flows that are known beforehand: none late");
  ControlNetwork<Protocol> network(plane, run.timing);
  Protocol protocol(plane, network, {is_optimized});
  network.attach(protocol);
  ProtocolOutcome out;
  carry_out(plane, run, network, out);
  collect(plane, protocol, network, out);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    out.found_at.push_back(protocol.flow(f).found_at);
  }
  return out;
}

ProtocolOutcome run_dffa(const ControlPlane& plane, const ProtocolRun& run,
                         const DffaSettings& settings) {
  using Protocol = DffaProtocol<double>;
  ControlNetwork<Protocol> network(plane, run.timing);
  Protocol protocol(plane, network, settings);
  network.attach(protocol);
  ProtocolOutcome out;
  carry_out(plane, run, network, out);
  collect(plane, protocol, network, out);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    out.found_at.push_back(protocol.flow(f).found_at);
  }
  for (ElementIndex e = 0; e < plane.element_count(); ++e) {
    out.rounds = std::max(out.rounds, protocol.element(e).round);
  }
  return out;
}

ProtocolOutcome run_saa_m(const ControlPlane& plane, const ProtocolRun& run,
                          const SaaMSettings& settings) {
  using Protocol = SaaMProtocol<FixedPoint>;
  check_weights(plane);
  ControlNetwork<Protocol> network(plane, run.timing);
  Protocol protocol(plane, network, settings);
  network.attach(protocol);
  ProtocolOutcome out;
  const std::vector<bool> late = are_late(plane, run);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    const Time start = run.starts.empty() ? Time() : run.starts[f];
    if (!late[f]) network.start_at(start, f);
    if (!late[f]) out.began = std::max(out.began, start);
  }
  const auto all_in = [&] { return protocol.announced() == plane.flow_count(); };
  if (!run.late.empty() && network.run(run.limit)) {
    out.began = network.now();
    for (const FlowIndex f : run.late) network.start_at(out.began, f);
  }
  network.run_until(run.limit, all_in);
  std::vector<std::uint32_t> before;
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) before.push_back(network.messages_of(f));
  out.is_settled = network.run(run.limit);
  collect(plane, protocol, network, out);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    const std::uint32_t sent = protocol.messages_to_rate(f);
    out.messages[f] = sent - std::min(sent, before[f]);
    out.found_at.push_back(std::max(protocol.changed_at(f), out.began));
  }
  return out;
}

DafaOutcome run_dafa_star(const ControlPlane& plane, const ProtocolRun& run, ElementIndex leader) {
  using Protocol = DafaProtocol<double>;
  ControlNetwork<Protocol> network(plane, run.timing);
  Protocol protocol(plane, network, {leader, Time()});
  network.attach(protocol);
  protocol.know_all();
  protocol.begin_calculation();
  DafaOutcome out;
  out.is_settled = network.run(run.limit);
  out.iterations = protocol.leader().iterations;
  out.found = protocol.leader().found_at;
  out.settled = protocol.leader().settled_at;
  for (ApplicationIndex a = 0; a < plane.application_count(); ++a) {
    out.informed = std::max(out.informed, protocol.application(a).informed_at);
  }
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    out.rates.push_back(protocol.rate(f));
  }
  out.counters = network.counters();
  return out;
}

Time dafa_latency(std::uint32_t iterations, std::uint32_t height, Time dissemination,
                  Time aggregation) {
  return (dissemination + aggregation) * (2 * std::int64_t{iterations} * height);
}

}  // namespace weir::rates

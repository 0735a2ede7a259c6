#include "weir/experiment/run/protocol_calculation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "weir/base/random.hpp"

namespace weir::experiment {
namespace {

using rates::FlowId;

/// When flows start and end: streams of their own.
enum Stream : std::uint32_t { kStarts, kLate, kChanges };

RandomStream stream(const Configuration& configuration, Stream which) {
  return {configuration.fabric.seed, which, StreamPurpose::arrivals};
}

rates::ElementIndex element_of(const topology::Graph& graph, const std::string& name) {
  if (name.empty()) return graph.node(SwitchId(graph.switch_count() - 1)).value;
  std::vector<std::string> names;
  for (std::size_t n = 0; n < graph.node_count(); ++n) {
    names.push_back(graph.name(NodeId(n)));
    if (names.back() == name) return static_cast<rates::ElementIndex>(n);
  }
  throw InputError("no switch or host is called '" + name + "'" + suggestion(name, names));
}

std::vector<std::uint32_t> shuffled(std::size_t count, RandomStream& random) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  for (std::size_t i = count; i > 1; --i) {
    std::swap(all[i - 1], all[static_cast<std::size_t>(random.below(i))]);
  }
  return all;
}

/// One party starts and one ends every time. Those that are there at first keep their starts.
void plan_changes(const Checked<ProtocolChangesKeys>& changes, RandomStream random,
                  rates::ProtocolRun& run) {
  std::vector<std::uint32_t> in = shuffled(run.starts.size(), random);
  const double share = changes->present * static_cast<double>(in.size());
  const auto present = static_cast<std::size_t>(std::lround(share));
  if (present == 0 || present == in.size()) {
    throw changes.error(&ProtocolChangesKeys::present,
                        fmt::format("leaves none of {} to start or end", in.size()));
  }
  std::vector<std::uint32_t> out(in.begin() + static_cast<std::ptrdiff_t>(present), in.end());
  in.resize(present);
  for (const std::uint32_t party : out) run.starts[party] = Time::max();
  Time at = changes->from;
  for (std::int64_t i = 0; i < changes->count; ++i, at += changes->every) {
    std::uint32_t& leaves = in[static_cast<std::size_t>(random.below(in.size()))];
    std::uint32_t& comes = out[static_cast<std::size_t>(random.below(out.size()))];
    run.changes.push_back({at, leaves, false});
    run.changes.push_back({at, comes, true});
    std::swap(leaves, comes);
  }
}

/// When the first flow of each party starts by itself. Those of an application start as one.
std::vector<Time> party_starts(const rates::RateProtocol& model, const FlowList& flows) {
  std::vector<Time> starts(model.party_count(), Time::max());
  for (std::uint32_t f = 0; f < flows.starts.size(); ++f) {
    Time& start = starts[model.party_of(f)];
    if (start != Time::max() && start != flows.starts[f]) {
      throw InputError(
          fmt::format("the flows of an application start together with this protocol, not at {} "
                      "and at {}",
                      to_string(start), to_string(flows.starts[f])));
    }
    start = flows.starts[f];
  }
  std::replace(starts.begin(), starts.end(), Time::max(), Time());
  return starts;
}

/// Starts at given times stand beside no others.
void check_starts(const ProtocolInput& protocol, const std::vector<Time>& starts) {
  if (std::all_of(starts.begin(), starts.end(), [](Time t) { return t == Time(); })) return;
  constexpr const char* kRefusal = "cannot stand beside flows that start later";
  if (protocol.changes) throw protocol.keys.error(&ProtocolKeys::changes, kRefusal);
  if (protocol.keys->late > 0) throw protocol.keys.error(&ProtocolKeys::late, kRefusal);
  if (protocol.chosen.make->takes_changes) return;
  throw InputError(fmt::format("{} is for flows that are known beforehand, and some have a `start`",
                               protocol.chosen.name));
}

void compare(ProtocolCalculation& out) {
  std::vector<rates::Fraction> normalized;
  constexpr double kDecimals = 1e12;
  for (std::size_t i = 0; i < out.present.size(); ++i) {
    const FlowId f(i);
    const double rate = out.outcome.rates[out.present[i]];
    const double expected = out.expected.rate(out.set, f).value();
    out.expected_mean += expected / static_cast<double>(out.present.size());
    out.largest_deviation = std::max(out.largest_deviation, std::abs(rate - expected) / expected);
    const double share = rate / out.set.weight(f).value();
    normalized.push_back(rates::Fraction::decimal(std::round(share * kDecimals) / kDecimals));
  }
  out.found = rates::make_assignment(normalized, std::vector<rates::LinkId>(normalized.size()));
}

}  // namespace

rates::FlowSet subset(const rates::FlowSet& all, const std::vector<std::size_t>& present) {
  std::vector<rates::Fraction> capacities;
  for (std::size_t l = 0; l < all.link_count(); ++l) {
    capacities.push_back(all.capacity(rates::LinkId(l)));
  }
  rates::FlowSetBuilder builder(std::move(capacities));
  std::vector<std::uint32_t> number(all.application_count(), rates::kNone);
  std::uint32_t applications = 0;
  for (const std::size_t f : present) {
    std::uint32_t& application = number[all.application(FlowId(f)).index()];
    if (application == rates::kNone) application = applications++;
    builder.add(all.path(FlowId(f)), all.weight(FlowId(f)), rates::ApplicationId(application));
  }
  return builder.build();
}

rates::ControlTiming control_timing(const Configuration& configuration,
                                    const ProtocolInput& protocol) {
  rates::ControlTiming timing = protocol.keys->timing;
  timing.routing = configuration.fabric.routing_delay;
  return timing;
}

void check_announcement(const ProtocolInput& protocol, bool has_set_ups) {
  if (!protocol.keys->rides_on_set_up) return;
  if (!has_set_ups) {
    throw protocol.keys.error(&ProtocolKeys::rides_on_set_up,
                              "\"set-up\" needs packets that set paths up: "
                              "flow_routing.set_up = \"packets\"");
  }
  if (protocol.chosen.make->is_by_application) {
    throw protocol.keys.error(&ProtocolKeys::rides_on_set_up,
                              fmt::format("\"set-up\" is for protocols of single flows: with {} an "
                                          "application announces all of its flows together, once "
                                          "all of their paths are there",
                                          protocol.chosen.name));
  }
}

rates::FlowSet ways_back(const Network& network, const RoutedFlows& flows) {
  std::vector<rates::FlowRequest> answers = flows.list.flows;
  for (rates::FlowRequest& flow : answers) std::swap(flow.source, flow.destination);
  return rates::route_flows(*network.graph, *network.routing, answers);
}

std::unique_ptr<rates::RateProtocol> make_protocol(const Configuration& configuration,
                                                   const ProtocolInput& protocol,
                                                   const topology::Graph& graph,
                                                   const rates::ControlPlane& plane,
                                                   rates::ControlMedium& medium) {
  const auto element = [&graph](const std::string& name) { return element_of(graph, name); };
  return protocol.chosen.make->make(
      protocol.chosen.settings,
      {plane, control_timing(configuration, protocol), medium, configuration.fabric.seed, element});
}

rates::ProtocolRun plan_protocol(const Configuration& configuration, const ProtocolInput& protocol,
                                 const rates::RateProtocol& model, const FlowList& flows) {
  const std::vector<Time> earliest = party_starts(model, flows);
  check_starts(protocol, earliest);
  const std::size_t parties = earliest.size();
  rates::ProtocolRun run;
  run.timing = control_timing(configuration, protocol);
  run.limit = protocol.keys->limit;
  RandomStream starts = stream(configuration, kStarts);
  const auto within = static_cast<std::uint64_t>(protocol.keys->start_within.count);
  for (const Time start : earliest) {
    const Time drawn(static_cast<std::int64_t>(within > 0 ? starts.below(within) : 0));
    run.starts.push_back(start + drawn);
  }
  const std::size_t late = protocol.keys->late;
  if (late > 0) {
    if (late >= parties) {
      throw protocol.keys.error(&ProtocolKeys::late,
                                fmt::format("leaves none of {} to start first", parties));
    }
    RandomStream random = stream(configuration, kLate);
    run.late = shuffled(parties, random);
    run.late.resize(late);
  }
  if (protocol.changes) {
    const Checked<ProtocolChangesKeys>& changes = *protocol.changes;
    if (late > 0) throw protocol.keys.error(&ProtocolKeys::late, "cannot stand beside `changes`");
    if (changes->from < protocol.keys->start_within) {
      throw changes.error(&ProtocolChangesKeys::from,
                          "must not be before `start_within`, when all have started");
    }
    plan_changes(changes, stream(configuration, kChanges), run);
  }
  return run;
}

ProtocolCalculation run_protocol(const Configuration& configuration, const Network& network,
                                 const RoutedFlows& flows) {
  const ProtocolInput& protocol = *configuration.protocol;
  check_announcement(protocol, false);
  ProtocolCalculation out;
  out.protocol = protocol.chosen.name;
  out.algorithm = flows.algorithm;
  at_place(configuration.source, "protocol.model", [&] {
    const rates::FlowSet back = ways_back(network, flows);
    const rates::ControlPlane plane = rates::make_control_plane(*network.graph, flows.set, &back);
    rates::ControlWires wires(plane);
    const auto model = make_protocol(configuration, protocol, *network.graph, plane, wires);
    const rates::ProtocolRun run = plan_protocol(configuration, protocol, *model, flows.list);
    out.outcome = rates::run_protocol(*model, wires, plane, run);
  });
  for (std::size_t f = 0; f < flows.set.flow_count(); ++f) {
    if (out.outcome.is_present[f]) out.present.push_back(f);
  }
  out.set = subset(flows.set, out.present);
  out.expected = calculate_rates(out.set, out.algorithm, configuration.fabric.seed);
  compare(out);
  return out;
}

void add_protocol_metrics(const rates::ProtocolOutcome& outcome, metrics::RunResult& result) {
  const auto add = [&](std::string_view metric, double value) {
    result.add_scalar(metric, {}, value);
  };
  add("calculation_settled", outcome.is_settled ? 1 : 0);
  if (outcome.is_settled) {
    add("calculation_time_mean", outcome.mean_time_us() * 1'000);
    add("calculation_time_max", outcome.longest_time_us() * 1'000);
  }
  add("calculation_packets_mean", outcome.mean_messages());
  add("calculation_packets_max", outcome.most_messages());
  add("calculation_packets_along", static_cast<double>(outcome.counters.along));
  add("calculation_packets_between", static_cast<double>(outcome.counters.over));
  add("calculation_fields", static_cast<double>(outcome.counters.with_data));
  add("calculation_announced", static_cast<double>(outcome.counters.with_set_up));
  add("calculation_bytes", static_cast<double>(outcome.counters.bytes.count));
  add("calculation_trip_max", to_nanoseconds(outcome.counters.longest_trip));
  add("calculation_rounds", outcome.rounds);
  if (outcome.leader_time) {
    add("calculation_iterations", outcome.iterations);
    add("calculation_leader_time", to_nanoseconds(*outcome.leader_time));
  }
}

void add_protocol_metrics(const ProtocolCalculation& calculation, metrics::RunResult& result) {
  add_protocol_metrics(calculation.outcome, result);
  const auto add = [&](std::string_view metric, double value) {
    result.add_scalar(metric, {}, value);
  };
  const rates::ProtocolOutcome& outcome = calculation.outcome;
  add("expected_rate_mean", calculation.expected_mean);
  add("calculation_deviation", calculation.largest_deviation);
  add("oversubscription_max", outcome.oversubscription);
  if (outcome.carried_rate > 0) add("carried_rate_mean", outcome.carried_rate);
  add("oversubscribed_share", outcome.oversubscribed_share);
}

}  // namespace weir::experiment

#include "weir/rates/protocol_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "weir/base/error.hpp"
#include "weir/rates/control_network.hpp"
#include "weir/rates/rate_monitor.hpp"

namespace weir::rates {
namespace {

double microseconds_of(Time time) { return to_nanoseconds(time) / 1'000; }

void check(const ProtocolRun& run, std::size_t parties) {
  if (!run.starts.empty() && run.starts.size() != parties) {
    throw InputError(fmt::format("{} times to start at for {} flows or applications",
                                 run.starts.size(), parties));
  }
  const auto check_party = [&](std::uint32_t party) {
    if (party < parties) return;
    throw InputError(fmt::format("there is no flow or application {} that could be late", party));
  };
  for (const std::uint32_t party : run.late) check_party(party);
  for (const PartyChange& change : run.changes) check_party(change.party);
}

/// Hands events on, and looks at the rates.
struct Watched {
  RateProtocol& protocol;
  std::vector<bool> is_in;

  [[nodiscard]] std::size_t present(const ControlPlane& plane) const {
    std::size_t count = 0;
    for (FlowIndex f = 0; f < plane.flow_count(); ++f) count += is_in[protocol.party_of(f)] ? 1 : 0;
    return count;
  }

  void handle(ControlEvent event, std::uint32_t payload) { protocol.handle(event, payload); }
  void start(std::uint32_t party) {
    is_in[party] = true;
    protocol.start(party);
  }
  void end(std::uint32_t party) {
    is_in[party] = false;
    protocol.end(party);
  }
};

/// Times of the first and the last change; equal when there are none.
std::pair<Time, Time> span_of(const std::vector<PartyChange>& changes) {
  if (changes.empty()) return {Time::max(), Time::max()};
  const auto [first, last] =
      std::minmax_element(changes.begin(), changes.end(),
                          [](const PartyChange& a, const PartyChange& b) { return a.at < b.at; });
  return {first->at, last->at};
}

}  // namespace

ControlPlane make_control_plane(const topology::Graph& graph, const FlowSet& flows,
                                const FlowSet* back) {
  ControlPlane plane(graph);
  std::vector<bool> is_used(plane.link_count(), false);
  std::vector<LinkIndex> links;
  std::vector<LinkIndex> answers;
  for (std::size_t i = 0; i < flows.flow_count(); ++i) {
    const FlowId f(i);
    links.clear();
    for (const LinkId l : flows.path(f)) {
      links.push_back(l.value);
      if (!is_used[l.index()]) plane.set_capacity(l.value, flows.capacity(l).value());
      is_used[l.index()] = true;
    }
    answers.clear();
    if (back != nullptr) {
      for (const LinkId l : back->path(f)) answers.push_back(l.value);
    }
    plane.add_flow(links, flows.weight(f).value(), flows.application(f).value, answers);
  }
  return plane;
}

double ProtocolOutcome::mean_time_us() const {
  double sum = 0;
  double count = 0;
  for (FlowIndex f = 0; f < found_at.size(); ++f) {
    if (!is_present[f]) continue;
    sum += microseconds_of(found_at[f] - began);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

double ProtocolOutcome::longest_time_us() const {
  Time last = began;
  for (FlowIndex f = 0; f < found_at.size(); ++f) {
    if (is_present[f]) last = std::max(last, found_at[f]);
  }
  return microseconds_of(last - began);
}

double ProtocolOutcome::mean_messages() const {
  const double sum = std::accumulate(messages.begin(), messages.end(), 0.0);
  return messages.empty() ? 0 : sum / static_cast<double>(messages.size());
}

std::uint32_t ProtocolOutcome::most_messages() const {
  return messages.empty() ? 0 : *std::max_element(messages.begin(), messages.end());
}

ProtocolOutcome run_protocol(RateProtocol& protocol, ControlWires& wires, const ControlPlane& plane,
                             const ProtocolRun& run) {
  const std::size_t parties = protocol.party_count();
  check(run, parties);
  RateMonitor monitor(plane);
  protocol.listen([&](FlowIndex f) { monitor.set(f, protocol.rate(f), wires.now()); });
  Watched watched{protocol, std::vector<bool>(parties, false)};
  ProtocolOutcome out;
  const auto plan = [&](Time at, std::uint32_t party, bool is_start) {
    out.began = std::max(out.began, at);
    wires.plan(at, party, is_start);
  };
  std::vector<bool> is_late(parties, false);
  for (const std::uint32_t party : run.late) is_late[party] = true;
  for (std::uint32_t party = 0; party < parties; ++party) {
    const Time start = run.starts.empty() ? Time() : run.starts[party];
    if (!is_late[party] && start < Time::max()) plan(start, party, true);
  }
  for (const PartyChange& change : run.changes) plan(change.at, change.party, change.is_start);
  constexpr int kSamples = 200;
  const std::pair<Time, Time> span = span_of(run.changes);
  const Time first = span.first;
  const Time last = span.second;
  const Time step = std::max(Time(1), (last - first) / kSamples);
  Time next = first;
  const auto is_over = [&] {
    if (wires.now() >= next && next < last) {
      monitor.sample(wires.now(), watched.present(plane));
      next = std::max(next, wires.now()) + step;
    }
    return wires.planned() == 0 && protocol.is_settled();
  };
  out.is_settled = wires.run(watched, run.limit, is_over);
  if (!run.late.empty() && out.is_settled) {
    for (const std::uint32_t party : run.late) plan(wires.now(), party, true);
    out.is_settled = wires.run(watched, run.limit, is_over);
  }
  out.ended = out.is_settled ? wires.now() : run.limit;
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    out.rates.push_back(protocol.rate(f));
    out.is_present.push_back(watched.is_in[protocol.party_of(f)]);
    out.found_at.push_back(std::max(protocol.found_at(f), out.began));
    out.messages.push_back(protocol.messages_of(f));
  }
  out.counters = protocol.counters();
  out.rounds = protocol.rounds();
  out.iterations = protocol.iterations();
  out.leader_time = protocol.leader_time();
  out.oversubscribed_share = monitor.oversubscribed_share(out.ended);
  out.oversubscription = monitor.oversubscription();
  out.carried_rate = monitor.carried_rate();
  protocol.listen({});
  return out;
}

ProtocolOutcome run_dffa_star(const ControlPlane& plane, const ProtocolRun& run,
                              bool is_optimized) {
  if (!run.late.empty())
    throw InputError("DFFA* is for flows that are known beforehand: none late");
  ControlWires wires(plane);
  return run_protocol(*make_dffa_star({plane, run.timing, wires, 1, {}}, is_optimized), wires,
                      plane, run);
}

ProtocolOutcome run_dffa(const ControlPlane& plane, const ProtocolRun& run,
                         const DffaSettings& settings) {
  ControlWires wires(plane);
  return run_protocol(*make_dffa({plane, run.timing, wires, 1, {}}, settings), wires, plane, run);
}

ProtocolOutcome run_saa_m(const ControlPlane& plane, const ProtocolRun& run,
                          const SaaMSettings& settings) {
  ControlWires wires(plane);
  return run_protocol(*make_saa_m({plane, run.timing, wires, 1, {}}, settings), wires, plane, run);
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

#include "weir/experiment/run/flow_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/base/state_archive.hpp"

namespace weir::experiment {

using rates::FlowId;

namespace {

/// Paths that are found on the way may lead over any link.
void set_capacities(const rates::FlowSet& set, rates::ControlPlane& plane) {
  for (std::uint32_t l = 0; l < plane.link_count(); ++l) {
    const bool is_cabled = plane.link(l).from != rates::kNone;
    if (is_cabled) plane.set_capacity(l, set.capacity(rates::LinkId(l)).value());
  }
}

/// Flows that are set up by packets start when that is done.
void check_takes_starts(const ProtocolInput& protocol) {
  if (protocol.changes) {
    throw protocol.keys.error(&ProtocolKeys::changes,
                              "is for paths that are known: with flow_routing.set_up = "
                              "\"packets\" flows start when they are set up");
  }
  if (protocol.chosen.make->takes_changes) return;
  throw InputError(
      fmt::format("{} is for flows that are known beforehand, not for flow_routing.set_up = "
                  "\"packets\"",
                  protocol.chosen.name));
}

void check_takes_phases(const ProtocolInput& protocol) {
  if (protocol.changes) {
    throw protocol.keys.error(&ProtocolKeys::changes, "cannot stand beside phases of [[flow]]s");
  }
  if (protocol.chosen.make->takes_changes) return;
  throw InputError(
      fmt::format("{} is for flows that are known beforehand, not for phases of "
                  "[[flow]]s",
                  protocol.chosen.name));
}

}  // namespace

FlowProtocol::FlowProtocol(const Configuration& configuration, const Network& network,
                           const RoutedFlows& flows)
    : seed_(configuration.fabric.seed), waits_for_paths_(network.flow_tables != nullptr) {
  if (const ConfigValue* failures = configuration.source.find("failure")) {
    throw InputError(failures->position, "failure",
                     "the packets of a rate protocol must all arrive: it relies on links that do "
                     "not fail");
  }
  const ProtocolInput& protocol = *configuration.protocol;
  if (protocol.keys->late > 0) {
    throw protocol.keys.error(&ProtocolKeys::late,
                              "is for experiment.kind = \"rates\"; take `changes`");
  }
  check_announcement(protocol, waits_for_paths_);
  rides_on_set_up_ = protocol.keys->rides_on_set_up;
  rides_.assign(flows.list.flows.size(), false);
  const rates::FlowSet back = ways_back(network, flows);
  plane_ = rates::make_control_plane(*network.graph, flows.set, &back);
  if (waits_for_paths_) set_capacities(flows.set, plane_);
  control_ = std::make_shared<rates::FabricControl>(protocol.keys->preempts);
  at_place(configuration.source, "protocol.model", [&] {
    protocol_ = make_protocol(configuration, protocol, *network.graph, plane_, *control_);
    plan(configuration, protocol, flows.list);
  });
  control_->carry(*protocol_);
  share_rates(flows.list);
}

void FlowProtocol::plan(const Configuration& configuration, const ProtocolInput& protocol,
                        const FlowList& flows) {
  const rates::ProtocolRun run = plan_protocol(configuration, protocol, *protocol_, flows);
  if (waits_for_paths_) check_takes_starts(protocol);
  starts_ = run.starts;
  const std::vector<std::size_t> phases = phases_of_parties(protocol, flows);
  const bool are_many = std::any_of(phases.begin(), phases.end(), [](auto p) { return p > 0; });
  for (std::uint32_t party = 0; party < run.starts.size() && !waits_for_paths_; ++party) {
    if (run.starts[party] == Time::max() || phases[party] > 0) continue;
    control_->plan({run.starts[party], party, true});
    began_ = std::max(began_, run.starts[party]);
  }
  for (const rates::PartyChange& change : run.changes) {
    control_->plan(change);
    began_ = std::max(began_, change.at);
  }
  const bool some_start_late = std::any_of(flows.starts.begin(), flows.starts.end(),
                                           [](Time start) { return start > Time(); });
  ends_with_data_ =
      protocol.chosen.make->takes_changes && run.changes.empty() &&
      (!protocol.chosen.make->is_by_application || waits_for_paths_ || some_start_late || are_many);
  without_.assign(starts_.size(), 0);
  for (std::uint32_t f = 0; f < flows.flows.size(); ++f) ++without_[protocol_->party_of(f)];
  unfinished_ = without_;
  for (std::uint32_t f = 0; f < flows.flows.size() && waits_for_paths_; ++f) {
    if (flows.phases[f] == 0) control_->plan_wish(start_of(f), f);
  }
}

std::vector<std::size_t> FlowProtocol::phases_of_parties(const ProtocolInput& protocol,
                                                         const FlowList& flows) const {
  std::vector<std::size_t> phases(starts_.size(), SIZE_MAX);
  for (std::uint32_t f = 0; f < flows.flows.size(); ++f) {
    std::size_t& its = phases[protocol_->party_of(f)];
    if (its == SIZE_MAX) its = flows.phases[f];
    if (its != flows.phases[f]) {
      throw InputError("flow.phase",
                       fmt::format("an application has flows of the phases {} and {}, and {} finds "
                                   "rates of whole applications",
                                   its + 1, flows.phases[f] + 1, protocol.chosen.name));
    }
    if (its > 0) check_takes_phases(protocol);
  }
  return phases;
}

void FlowProtocol::begin_phase(const std::vector<std::uint32_t>& flows, Time at) {
  std::vector<std::uint32_t> parties;
  for (const std::uint32_t f : flows) parties.push_back(protocol_->party_of(f));
  std::sort(parties.begin(), parties.end());
  parties.erase(std::unique(parties.begin(), parties.end()), parties.end());
  for (const std::uint32_t party : parties) {
    starts_[party] += at;
    if (!waits_for_paths_) control_->plan_at({starts_[party], party, true});
    began_ = std::max(began_, starts_[party]);
  }
  for (const std::uint32_t f : flows) {
    if (waits_for_paths_) control_->plan_wish_at(start_of(f), f);
  }
}

void FlowProtocol::share_rates(const FlowList& flows) {
  connections_ = list_connections(flows);
  rates_.assign(connections_.of_flow.size(), 0);
  sums_.assign(connections_.names.size(), 0);
}

FlowProtocol::~FlowProtocol() = default;

void FlowProtocol::attach(fabric::Fabric& fabric, Rate line) {
  fabric_ = &fabric;
  line_ = static_cast<double>(line.count);
  for (const fabric::ConnectionName& one : connections_.names) fabric.set_rate(one, Rate(0));
  protocol_->listen([this](rates::FlowIndex f) { tell(f); });
}

void FlowProtocol::tell(std::uint32_t flow) {
  const double rate = protocol_->rate(flow);
  if (rate == rates_[flow]) return;
  control_->note_rate();
  const std::uint32_t connection = connections_.of_flow[flow];
  double& sum = sums_[connection];
  sum += rate - rates_[flow];
  rates_[flow] = rate;
  fabric_->set_rate(connections_.names[connection],
                    Rate(std::max<std::int64_t>(0, std::llround(sum * line_))));
}

void FlowProtocol::begin(std::uint32_t flow, std::span<const rates::LinkId> path) {
  std::vector<rates::LinkIndex> links;
  for (const rates::LinkId link : path) links.push_back(link.value);
  plane_.set_route(flow, links);
  const std::uint32_t party = protocol_->party_of(flow);
  if (--without_[party] > 0) return;
  if (rides_[flow]) {
    control_->plan_alight(flow);
  } else {
    control_->plan_now(party, true);
  }
  began_ = fabric_->now();
  if (unfinished_[party] == 0) finish(party);
}

void FlowProtocol::ride(std::uint32_t flow) {
  rides_[flow] = true;
  control_->plan_ride(flow);
}

void FlowProtocol::end(std::uint32_t flow) {
  const std::uint32_t party = protocol_->party_of(flow);
  if (!ends_with_data_ || --unfinished_[party] > 0) return;
  // Flows of one connection share a queue and the sum of their rates: the data of one may be there
  // before it has one.
  if (!waits_for_paths_ || without_[party] == 0) finish(party);
}

void FlowProtocol::finish(std::uint32_t party) {
  const Time now = fabric_->now();
  if (control_->is_in(party)) {
    control_->plan_now(party, false);
    began_ = now;
    return;
  }
  const Time start = waits_for_paths_ ? now : std::max(now, starts_[party]);
  control_->plan_at({start + Time(1), party, false});
  began_ = start + Time(1);
}

void FlowProtocol::checkpoint(StateArchive& state) {
  state(plane_, rides_, starts_, without_, unfinished_, rates_, sums_, began_);
  control_->checkpoint_all(state);
}

void FlowProtocol::report(metrics::RunResult& out, const rates::FlowSet& set,
                          const std::string& algorithm, Time end) const {
  rates::ProtocolOutcome outcome;
  outcome.is_settled = control_->is_quiet();
  outcome.began = began_;
  outcome.ended = end;
  outcome.counters = protocol_->counters();
  outcome.rounds = protocol_->rounds();
  outcome.iterations = protocol_->iterations();
  outcome.leader_time = protocol_->leader_time();
  for (std::uint32_t f = 0; f < rates_.size(); ++f) {
    outcome.rates.push_back(protocol_->rate(f));
    outcome.is_present.push_back(control_->is_in(protocol_->party_of(f)));
    outcome.found_at.push_back(std::max(protocol_->found_at(f), began_));
    outcome.messages.push_back(protocol_->messages_of(f));
  }
  add_protocol_metrics(outcome, out);
  const rates::FabricControl::Calculations& done = control_->calculations();
  out.add_scalar("recalculations", {}, static_cast<double>(done.count));
  if (done.count > 0) {
    const double count = static_cast<double>(done.count);
    out.add_scalar("recalculation_time_mean", {}, to_nanoseconds(done.sum) / count);
    out.add_scalar("recalculation_time_max", {}, to_nanoseconds(done.longest));
  }
  compare(out, set, algorithm);
}

void FlowProtocol::compare(metrics::RunResult& out, const rates::FlowSet& set,
                           const std::string& algorithm) const {
  std::vector<std::size_t> present;
  for (std::uint32_t f = 0; f < rates_.size(); ++f) {
    if (control_->is_in(protocol_->party_of(f))) present.push_back(f);
  }
  if (present.empty()) return;
  const rates::FlowSet some = subset(set, present);
  const rates::Assignment expected = calculate_rates(some, algorithm, seed_);
  double deviation = 0;
  double mean = 0;
  for (std::size_t i = 0; i < present.size(); ++i) {
    const double rate = expected.rate(some, FlowId(i)).value();
    const double found = protocol_->rate(static_cast<std::uint32_t>(present[i]));
    deviation = std::max(deviation, std::abs(found - rate) / rate);
    mean += rate / static_cast<double>(present.size());
  }
  out.add_scalar("expected_rate_mean", {}, mean);
  out.add_scalar("calculation_deviation", {}, deviation);
}

}  // namespace weir::experiment

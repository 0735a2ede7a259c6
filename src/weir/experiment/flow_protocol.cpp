#include "weir/experiment/flow_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace weir::experiment {

using rates::FlowId;

FlowProtocol::FlowProtocol(const Configuration& configuration, const Network& network,
                           const RoutedFlows& flows)
    : set_(flows.set) {
  if (const ConfigValue* failures = configuration.source.find("failure")) {
    throw InputError(failures->position, "failure",
                     "the packets of a rate protocol must all arrive: it relies on links that do "
                     "not fail");
  }
  const Chosen<rates::ProtocolModel> chosen = read_protocol(configuration);
  if (chosen.own.integer("late") > 0) {
    throw chosen.own.error("late", "is for experiment.kind = \"rates\"; take `changes`");
  }
  const rates::FlowSet back = ways_back(network, flows);
  plane_ = rates::make_control_plane(*network.graph, set_, &back);
  control_ = std::make_shared<rates::FabricControl>(chosen.own.boolean("preempt"));
  at_place(configuration.source, "protocol.model", [&] {
    protocol_ = make_protocol(configuration, chosen, *network.graph, plane_, *control_);
    const rates::ProtocolRun run = plan_protocol(configuration, chosen, protocol_->party_count());
    for (std::uint32_t party = 0; party < run.starts.size(); ++party) {
      if (run.starts[party] == Time::max()) continue;
      control_->plan({run.starts[party], party, true});
      began_ = std::max(began_, run.starts[party]);
    }
    for (const rates::PartyChange& change : run.changes) {
      control_->plan(change);
      began_ = std::max(began_, change.at);
    }
    ends_with_data_ =
        chosen.make->takes_changes && !chosen.make->is_by_application && run.changes.empty();
  });
  control_->carry(*protocol_);
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  for (const rates::FlowRequest& flow : flows.list.flows) {
    const std::uint64_t key = std::uint64_t{flow.source.value} << 32 | flow.destination.value;
    const auto [place, is_new] = known.emplace(key, static_cast<std::uint32_t>(hosts_.size()));
    if (is_new) hosts_.push_back(flow);
    pair_.push_back(place->second);
  }
  rates_.assign(pair_.size(), 0);
  sums_.assign(hosts_.size(), 0);
  is_over_.assign(pair_.size(), false);
}

FlowProtocol::~FlowProtocol() = default;

void FlowProtocol::attach(fabric::Fabric& fabric, Rate line) {
  fabric_ = &fabric;
  line_ = static_cast<double>(line.count);
  for (const rates::FlowRequest& pair : hosts_) {
    fabric.set_rate(pair.source, pair.destination, Rate(0));
  }
  protocol_->listen([this](rates::FlowIndex f) { tell(f); });
}

void FlowProtocol::tell(std::uint32_t flow) {
  const double rate = protocol_->rate(flow);
  if (rate == rates_[flow]) return;
  double& sum = sums_[pair_[flow]];
  sum += rate - rates_[flow];
  rates_[flow] = rate;
  const rates::FlowRequest& pair = hosts_[pair_[flow]];
  fabric_->set_rate(pair.source, pair.destination,
                    Rate(std::max<std::int64_t>(0, std::llround(sum * line_))));
}

void FlowProtocol::end(std::uint32_t flow) {
  if (!ends_with_data_ || is_over_[flow]) return;
  is_over_[flow] = true;
  control_->plan_now(flow, false);
  began_ = fabric_->now();
}

void FlowProtocol::report(metrics::RunResult& out, const rates::Assignment& expected,
                          Time end) const {
  rates::ProtocolOutcome outcome;
  outcome.is_settled = control_->is_quiet();
  outcome.began = began_;
  outcome.ended = end;
  outcome.counters = protocol_->counters();
  outcome.rounds = protocol_->rounds();
  outcome.iterations = protocol_->iterations();
  outcome.leader_time = protocol_->leader_time();
  double deviation = 0;
  double mean = 0;
  for (std::uint32_t f = 0; f < pair_.size(); ++f) {
    outcome.rates.push_back(protocol_->rate(f));
    outcome.is_present.push_back(control_->is_in(protocol_->party_of(f)));
    outcome.found_at.push_back(std::max(protocol_->found_at(f), began_));
    outcome.messages.push_back(protocol_->messages_of(f));
    const double rate = expected.rate(set_, FlowId(f)).value();
    deviation = std::max(deviation, std::abs(outcome.rates.back() - rate) / rate);
    mean += rate / static_cast<double>(pair_.size());
  }
  add_protocol_metrics(outcome, out);
  // Only while all flows are there is there something to compare with.
  const bool all_are = std::find(outcome.is_present.begin(), outcome.is_present.end(), false) ==
                       outcome.is_present.end();
  if (!all_are) return;
  out.add_scalar("expected_rate_mean", {}, mean);
  out.add_scalar("calculation_deviation", {}, deviation);
}

}  // namespace weir::experiment

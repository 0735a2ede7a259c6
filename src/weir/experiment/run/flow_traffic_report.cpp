#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "weir/experiment/run/connection_metrics.hpp"
#include "weir/experiment/run/flow_traffic.hpp"
#include "weir/experiment/run/rate_metrics.hpp"

namespace weir::experiment {

using rates::FlowId;
using rates::LinkId;

std::vector<double> FlowTraffic::application_rates(const std::vector<double>& rates) const {
  std::vector<double> least(flows_.set.application_count(), HUGE_VAL);
  for (std::size_t f = 0; f < rates.size(); ++f) {
    double& rate = least[flows_.set.application(FlowId(f)).index()];
    rate = std::min(rate, rates[f] / flows_.set.weight(FlowId(f)).value());
  }
  return least;
}

rates::FlowSet FlowTraffic::set_up_flows() const {
  std::vector<rates::Fraction> capacities;
  for (std::size_t l = 0; l < flows_.set.link_count(); ++l) {
    capacities.push_back(flows_.set.capacity(LinkId(l)));
  }
  rates::FlowSetBuilder builder(std::move(capacities));
  for (std::uint32_t f = 0; f < flows_.list.flows.size(); ++f) {
    const std::span<const LinkId> taken = set_ups_->path(f);
    const rates::FlowRequest& flow = flows_.list.flows[f];
    builder.add(taken.empty() ? flows_.set.path(FlowId(f)) : taken, flow.weight, flow.application);
  }
  return builder.build();
}

void FlowTraffic::report_calculated(metrics::RunResult& out, Time end) const {
  const rates::FlowSet set = set_ups_ ? set_up_flows() : flows_.set;
  const std::vector<Calculated> phases = calculated_.empty() ? calculate_phases(set) : calculated_;
  rates::Fraction heaviest;
  rates::Fraction time;
  RateValues values;
  for (const Calculated& one : phases) {
    for (const rates::Fraction& weight : rates::link_weights(one.set))
      heaviest = std::max(heaviest, weight);
    if (!one.rates) continue;
    time = time + rates::completion_time(*one.rates);
    append(values, one.set, *one.rates);
  }
  out.add_scalar("link_weight_max", "", heaviest.value());
  if (!values.flows.empty()) {
    out.add_scalar("phase_time", "", time.value());
    add_assigned_rates(out, std::move(values));
  }
  if (protocol_) protocol_->report(out, set, flows_.algorithm, end);
}

void FlowTraffic::report_phases(metrics::RunResult& out) const {
  if (phases_.count() == 1) return;
  for (std::size_t p = 0; p < phases_.ended(); ++p) {
    out.add_scalar("phase_length", std::to_string(p + 1), to_nanoseconds(phases_.length(p)));
  }
  // The last one may go on for ever.
  if (phases_.current() + 1 == phases_.count()) return;
  out.notes.push_back(fmt::format("phase {} of {} did not end, so that no later one began",
                                  phases_.current() + 1, phases_.count()));
}

void FlowTraffic::report_completed(metrics::RunResult& out) const {
  std::vector<double> rates;
  const auto line = static_cast<double>(line_.count);
  for (std::uint32_t f = 0; f < flows_.list.flows.size(); ++f) {
    const std::optional<Time> end = ended(f);
    if (!end) continue;
    rates.push_back(static_cast<double>(in_all_[f]) * 8 / (to_seconds(*end - start_of(f)) * line));
  }
  const bool all_end = !has_endless_ && !has_rated();
  if (all_end || !rates.empty()) {
    out.add_scalar("completed_flows", "", static_cast<double>(rates.size()));
  }
  if (!rates.empty()) add_rates(out, "completed_rate", std::move(rates));
}

void FlowTraffic::report_connections(metrics::RunResult& out, Time end) const {
  FlowOutcome outcome;
  const double could = to_seconds(end - warm_up_) * static_cast<double>(line_.count) / 8;
  for (std::uint32_t f = 0; f < flows_.list.flows.size(); ++f) {
    if (end > warm_up_) outcome.delivered.push_back(static_cast<double>(delivered_[f]) / could);
    if (protocol_) {
      outcome.assigned.push_back(protocol_->rate(f));
    } else if (!assigned_.empty()) {
      outcome.assigned.push_back(assigned_[f]);
    }
    outcome.ended.push_back(ended(f));
  }
  add_connections(out, *network_->graph, connections_, outcome);
}

std::vector<FlowTraffic::Arrived> FlowTraffic::all_arrived() const {
  std::vector<Arrived> all;
  for (std::size_t f = 0; f < last_.size(); ++f)
    all.push_back({delivered_[f], in_all_[f], last_[f]});
  if (fabric_->ranks() == nullptr) return all;
  for (const std::vector<Arrived>& its : gathered(fabric_->ranks(), std::vector<Arrived>(all))) {
    for (std::size_t f = 0; f < last_.size(); ++f) {
      // All of a flow arrives in one process.
      all[f].delivered = std::max(all[f].delivered, its[f].delivered);
      all[f].in_all = std::max(all[f].in_all, its[f].in_all);
      all[f].last = std::max(all[f].last, its[f].last);
    }
  }
  return all;
}

void FlowTraffic::set_arrived(const std::vector<Arrived>& arrived) {
  for (std::size_t f = 0; f < last_.size(); ++f) {
    delivered_[f] = arrived.at(f).delivered;
    in_all_[f] = arrived[f].in_all;
    last_[f] = arrived[f].last;
  }
}

void FlowTraffic::end_last_phase() {
  if (!phases_at_meetings_ || phases_.count() == 1 || has_next_phase()) return;
  end_flows();
}

void FlowTraffic::end_flows() {
  std::vector<std::pair<Time, std::uint32_t>> ends;
  for (const std::uint32_t f : phase()) {
    const std::optional<Time> at = messages_->ended(f);
    const bool has_begun = flows_.list.sizes[f].count == 0 || in_all_[f] > 0;
    if (at && has_begun) ends.emplace_back(*at, f);
  }
  std::sort(ends.begin(), ends.end());
  for (const auto& [at, flow] : ends) (void)phases_.end(flow, at);
}

void FlowTraffic::report(metrics::RunResult& out, Time end) {
  if (is_empty()) return;
  if (Ranks* const ranks = fabric_->ranks(); ranks != nullptr) {
    set_arrived(all_arrived());
    messages_->share(*ranks);
  }
  end_last_phase();
  out.add_scalar("flows", "", static_cast<double>(flows_.set.flow_count()));
  out.add_scalar("applications", "", static_cast<double>(flows_.set.application_count()));
  report_calculated(out, end);
  report_completed(out);
  report_phases(out);
  if (have_numbers()) report_connections(out, end);
  if (unit_ > 0) {
    out.add_scalar("delivered_phase_time", "",
                   to_seconds(*std::max_element(last_.begin(), last_.end())) /
                       to_seconds(serialization_time(Bytes(unit_), line_)));
  }
  if ((!has_endless_ && !has_rated()) || end <= warm_up_) return;
  const double could = to_seconds(end - warm_up_) * static_cast<double>(line_.count) / 8;
  std::vector<double> rates;
  rates.reserve(delivered_.size());
  for (const std::int64_t bytes : delivered_) rates.push_back(static_cast<double>(bytes) / could);
  add_rates(out, "delivered_application_rate", application_rates(rates));
  add_rates(out, "delivered_rate", std::move(rates));
}

}  // namespace weir::experiment

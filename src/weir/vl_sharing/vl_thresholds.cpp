#include <fmt/format.h>

#include <stdexcept>

#include "weir/vl_sharing/vl_lanes.hpp"

namespace weir::vl_sharing {
namespace {

using fabric::VlSharing;
using Type = ParameterType;

Parameter service_scv_key() {
  return Parameter::of(Type::real, "service_scv",
                       "squared coefficient of variation of service times, drawn at each port: "
                       "generalized exponential with the time of the packet's bytes as mean "
                       "(default: that time itself)")
      .range(1, 1e6);
}
Parameter capacity_key() {
  return Parameter::of(Type::integer, "capacity",
                       "packets that a VL with one lane holds at a host, k times that with k lanes "
                       "(default: host.backlog alone)")
      .range(1, 1'000'000'000);
}
Parameter lenders_key() {
  return Parameter::of(Type::integers, "lenders", "VLs that may be lent while they are idle")
      .required();
}
Parameter ports_key() {
  return Parameter::of(Type::text, "ports", "ports whose VLs share lanes")
      .by_default("hosts")
      .one_of({"hosts", "switches"});
}

Parameter pools_key() {
  return Parameter::of(Type::text, "pools",
                       "who lends to whom: one, everybody to everybody; by-table, VLs of the "
                       "high-priority arbitration table among themselves and the others likewise")
      .by_default("one")
      .one_of({"one", "by-table"});
}

LaneRules common_rules(const Settings& s) {
  LaneRules rules;
  if (s.has("service_scv")) rules.service_scv = s.real("service_scv");
  if (s.has("capacity")) rules.capacity = s.integer("capacity");
  return rules;
}

/// At the ports that the file names.
std::unique_ptr<VlSharing> at_ports(const Settings& s, LaneRules rules, std::vector<double> rates) {
  rules.rates = std::move(rates);
  rules.lenders = s.integers("lenders");
  rules.has_pools = s.text("pools") == "by-table";
  if (s.text("ports") == "hosts") return std::make_unique<VlLanes>(rules, std::nullopt);
  if (s.has("capacity")) {
    throw s.error("capacity", "is that of hosts' queues; switches have buffer.ingress");
  }
  return std::make_unique<VlLanes>(std::nullopt, rules);
}

/// Rules whose lanes have these thresholds: level k ends at the sum of the first k of them.
std::unique_ptr<VlSharing> with_thresholds(const Settings& s, std::vector<double> rates,
                                           const std::vector<std::int64_t>& thresholds,
                                           const char* key) {
  LaneRules rules = common_rules(s);
  std::int64_t last = 0;
  for (const std::int64_t threshold : thresholds) {
    if (threshold < 0 || threshold > rules.capacity) {
      throw s.error(key,
                    rules.capacity == LaneRules::kNoBound
                        ? fmt::format("must be at least 0 packets, not {}", threshold)
                        : fmt::format("must be 0 to the capacity of a lane ({} packets), not {}",
                                      rules.capacity, threshold));
    }
    rules.last.push_back(last += threshold);
  }
  return at_ports(s, std::move(rules), std::move(rates));
}

std::unique_ptr<VlSharing> make_one_lane(const Settings& s, const topology::Graph&) {
  const auto rules = [&](const char* key) -> std::optional<LaneRules> {
    if (!s.has(key)) return std::nullopt;
    LaneRules made = common_rules(s);
    made.rates = {static_cast<double>(s.rate(key).count)};
    return made;
  };
  if (!s.has("host_rate") && !s.has("switch_rate")) {
    throw s.error("host_rate", "is missing, and so is switch_rate; one of them at least");
  }
  if (s.has("capacity") && !s.has("host_rate")) {
    throw s.error("capacity", "is that of hosts' queues and needs host_rate");
  }
  return std::make_unique<VlLanes>(rules("host_rate"), rules("switch_rate"));
}

/// Checks how the threshold is given: in packets; in entries of the arbitration table, each worth
/// some packets; or in entries that connections fill.
void check_threshold(const Settings& s) {
  if (!s.has("threshold") && !s.has("threshold_entries")) {
    throw s.error("threshold", "is missing; give it, or threshold_entries in its place");
  }
  if (s.has("threshold") && s.has("threshold_entries")) {
    throw s.error("threshold_entries", "and threshold say the same thing: give one of them");
  }
  if (s.has("packets_per_entry") && !s.has("threshold_entries")) {
    throw s.error("packets_per_entry", "belongs to threshold_entries, which is not there");
  }
}

std::unique_ptr<VlSharing> make_entry_threshold(const Settings& s, const topology::Graph&) {
  check_threshold(s);
  std::vector<double> rates{static_cast<double>(s.rate("own_rate").count),
                            static_cast<double>(s.rate("borrowed_rate").count)};
  if (s.has("threshold"))
    return with_thresholds(s, std::move(rates), {s.integer("threshold")}, "threshold");
  if (s.has("packets_per_entry")) {
    const std::int64_t packets = s.integer("threshold_entries") * s.integer("packets_per_entry");
    return with_thresholds(s, std::move(rates), {packets}, "threshold_entries");
  }
  LaneRules rules = common_rules(s);
  rules.entries = static_cast<int>(s.integer("threshold_entries"));
  return at_ports(s, std::move(rules), std::move(rates));
}

std::vector<double> rates_of(const Settings& s) {
  std::vector<double> rates;
  for (const std::string& text : s.texts("rates")) {
    try {
      rates.push_back(static_cast<double>(parse_rate(text).count));
    } catch (const std::invalid_argument& error) {
      throw s.error("rates", error.what());
    }
    if (rates.back() < 1) throw s.error("rates", "must be above 0");
  }
  if (rates.empty()) throw s.error("rates", "needs the rate of one lane at least");
  return rates;
}

std::unique_ptr<VlSharing> make_job_threshold(const Settings& s, const topology::Graph&) {
  std::vector<double> rates = rates_of(s);
  const std::vector<std::int64_t> thresholds = s.integers("thresholds");
  if (thresholds.size() + 1 != rates.size()) {
    throw s.error("thresholds", fmt::format("must be one fewer than rates ({}), not {}",
                                            rates.size(), thresholds.size()));
  }
  return with_thresholds(s, std::move(rates), thresholds, "thresholds");
}

const Registration<fabric::VlSharingFactory> one_lane(
    fabric::vl_sharing_registry(),
    {"one-lane",
     "every VL has a lane of its own and borrows none",
     "yan2006credit; yan2012, section 4.2",
     {Parameter::of(Type::rate, "host_rate",
                    "rate of a lane at hosts' ports (default: no lanes there)")
          .at_least(1),
      Parameter::of(Type::rate, "switch_rate",
                    "rate of a lane at switches' ports (default: no lanes there)")
          .at_least(1),
      capacity_key(), service_scv_key()}},
    make_one_lane);

const Registration<fabric::VlSharingFactory> entry_threshold(
    fabric::vl_sharing_registry(),
    {"entry-threshold",
     "ET: a VL borrows an idle one while it holds more than a threshold of packets, or while its "
     "connections fill as many entries of the arbitration table",
     "yan2007entry; yan2012, section 5.2",
     {Parameter::of(Type::rate, "own_rate", "rate of one lane").required().at_least(1),
      Parameter::of(Type::rate, "borrowed_rate", "rate of both lanes").required().at_least(1),
      Parameter::of(Type::integer, "threshold", "packets above which a VL borrows"),
      Parameter::of(
          Type::integer, "threshold_entries",
          "entries of the arbitration table that make the threshold, in place of `threshold`: "
          "those that connections of the VL fill at the port (admission.tables), or each worth "
          "packets_per_entry")
          .range(1, 64),
      Parameter::of(Type::integer, "packets_per_entry", "packets that an entry is worth")
          .range(1, 1'000'000),
      capacity_key(), lenders_key(), pools_key(), ports_key(), service_scv_key()}},
    make_entry_threshold);

const Registration<fabric::VlSharingFactory> arrival_job_threshold(
    fabric::vl_sharing_registry(),
    {"arrival-job-threshold",
     "AJT: a VL borrows one more idle VL each time the newest lane holds more than its threshold",
     "yan2008job; yan2012, section 5.3",
     {Parameter::of(Type::texts, "rates",
                    "rate of a VL with 1, 2, ... lanes: [\"8 Gbps\", \"16 Gbps\"]")
          .required(),
      Parameter::of(Type::integers, "thresholds",
                    "thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates")
          .required(),
      capacity_key(), lenders_key(), pools_key(), ports_key(), service_scv_key()}},
    make_job_threshold);

}  // namespace
}  // namespace weir::vl_sharing

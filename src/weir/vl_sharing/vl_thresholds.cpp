#include <fmt/format.h>

#include <stdexcept>

#include "weir/base/keys.hpp"
#include "weir/vl_sharing/vl_lanes.hpp"

namespace weir::vl_sharing {
namespace {

using fabric::VlSharing;

/// Every VL has its lane.
struct OneLane : LaneRules {
  std::optional<Rate> host_rate;
  std::optional<Rate> switch_rate;
};

/// VLs that lend lanes to each other.
struct SharedLanes : LaneRules {
  bool is_at_switches = false;
};

struct EntryThreshold : SharedLanes {
  Rate own_rate;
  Rate borrowed_rate;
  std::optional<std::int64_t> threshold;
  std::optional<std::int32_t> threshold_entries;
  std::optional<std::int64_t> packets_per_entry;
};

struct JobThreshold : SharedLanes {
  std::vector<std::string> rate_texts;
  std::vector<std::int64_t> thresholds;
};

Key<LaneRules> capacity_key() {
  return key(&LaneRules::capacity, "capacity",
             "packets that a VL with one lane holds at a host, k times that with k lanes (default: "
             "host.backlog alone)")
      .range(1, 1'000'000'000)
      .without_default();
}
Key<LaneRules> service_scv_key() {
  return key(&LaneRules::service_scv, "service_scv",
             "squared coefficient of variation of service times, drawn at each port: generalized "
             "exponential with the time of the packet's bytes as mean (default: that time itself)")
      .range(1, 1e6);
}

const Keys<SharedLanes>& shared_lane_keys() {
  using S = SharedLanes;
  static const Keys<S> keys{
      capacity_key(),
      key(&S::lenders, "lenders", "VLs that may be lent while they are idle").required(),
      choice(&S::has_pools, "pools",
             "who lends to whom: one, everybody to everybody; by-table, VLs of the high-priority "
             "arbitration table among themselves and the others likewise",
             {{"one", false}, {"by-table", true}}),
      choice(&S::is_at_switches, "ports", "ports whose VLs share lanes",
             {{"hosts", false}, {"switches", true}}),
      service_scv_key()};
  return keys;
}

double number(Rate rate) { return static_cast<double>(rate.count); }

/// At the ports that the file names.
std::unique_ptr<VlSharing> at_ports(const Checked<SharedLanes>& file, LaneRules rules,
                                    std::vector<double> rates) {
  rules.rates = std::move(rates);
  if (!file->is_at_switches) return std::make_unique<VlLanes>(std::move(rules), std::nullopt);
  if (file.is_given(&SharedLanes::capacity)) {
    throw file.error(&SharedLanes::capacity,
                     "is that of hosts' queues; switches have buffer.ingress");
  }
  return std::make_unique<VlLanes>(std::nullopt, std::move(rules));
}

/// Rules whose lanes have these thresholds, which a member gives: level k ends at the sum of the
/// first k of them.
template <class S, class T>
std::unique_ptr<VlSharing> with_thresholds(const Checked<S>& file, T S::*member,
                                           std::vector<double> rates,
                                           const std::vector<std::int64_t>& thresholds) {
  LaneRules rules = *file;
  std::int64_t last = 0;
  for (const std::int64_t threshold : thresholds) {
    if (threshold < 0 || threshold > rules.capacity) {
      throw file.error(member,
                       rules.capacity == LaneRules::kNoBound
                           ? fmt::format("must be at least 0 packets, not {}", threshold)
                           : fmt::format("must be 0 to the capacity of a lane ({} packets), not {}",
                                         rules.capacity, threshold));
    }
    rules.last.push_back(last += threshold);
  }
  return at_ports(file, std::move(rules), std::move(rates));
}

std::unique_ptr<VlSharing> make_one_lane(const Checked<OneLane>& file, const topology::Graph&) {
  const auto rules = [&](const std::optional<Rate>& rate) -> std::optional<LaneRules> {
    if (!rate) return std::nullopt;
    LaneRules made = *file;
    made.rates = {number(*rate)};
    return made;
  };
  if (!file->host_rate && !file->switch_rate) {
    throw file.error(&OneLane::host_rate,
                     "is missing, and so is switch_rate; one of them at least");
  }
  if (file.is_given(&OneLane::capacity) && !file->host_rate) {
    throw file.error(&OneLane::capacity, "is that of hosts' queues and needs host_rate");
  }
  return std::make_unique<VlLanes>(rules(file->host_rate), rules(file->switch_rate));
}

/// Checks how the threshold is given: in packets; in entries of the arbitration table, each worth
/// some packets; or in entries that connections fill.
void check_threshold(const Checked<EntryThreshold>& file) {
  using E = EntryThreshold;
  if (!file->threshold && !file->threshold_entries) {
    throw file.error(&E::threshold, "is missing; give it, or threshold_entries in its place");
  }
  if (file->threshold && file->threshold_entries) {
    throw file.error(&E::threshold_entries, "and threshold say the same thing: give one of them");
  }
  if (file->packets_per_entry && !file->threshold_entries) {
    throw file.error(&E::packets_per_entry, "belongs to threshold_entries, which is not there");
  }
}

std::unique_ptr<VlSharing> make_entry_threshold(const Checked<EntryThreshold>& file,
                                                const topology::Graph&) {
  using E = EntryThreshold;
  check_threshold(file);
  std::vector<double> rates{number(file->own_rate), number(file->borrowed_rate)};
  if (file->threshold)
    return with_thresholds(file, &E::threshold, std::move(rates), {*file->threshold});
  if (file->packets_per_entry) {
    const std::int64_t packets = *file->threshold_entries * *file->packets_per_entry;
    return with_thresholds(file, &E::threshold_entries, std::move(rates), {packets});
  }
  LaneRules rules = *file;
  rules.entries = *file->threshold_entries;
  return at_ports(file, std::move(rules), std::move(rates));
}

std::vector<double> rates_of(const Checked<JobThreshold>& file) {
  const auto wrong = [&](const char* why) { return file.error(&JobThreshold::rate_texts, why); };
  std::vector<double> rates;
  for (const std::string& text : file->rate_texts) {
    try {
      rates.push_back(number(parse_rate(text)));
    } catch (const std::invalid_argument& error) {
      throw wrong(error.what());
    }
    if (rates.back() < 1) throw wrong("must be above 0");
  }
  if (rates.empty()) throw wrong("needs the rate of one lane at least");
  return rates;
}

std::unique_ptr<VlSharing> make_job_threshold(const Checked<JobThreshold>& file,
                                              const topology::Graph&) {
  std::vector<double> rates = rates_of(file);
  const std::vector<std::int64_t>& thresholds = file->thresholds;
  if (thresholds.size() + 1 != rates.size()) {
    throw file.error(
        &JobThreshold::thresholds,
        fmt::format("must be one fewer than rates ({}), not {}", rates.size(), thresholds.size()));
  }
  return with_thresholds(file, &JobThreshold::thresholds, std::move(rates), thresholds);
}

const Registration<fabric::VlSharingFactory> one_lane(
    fabric::vl_sharing_registry(),
    {"one-lane", "every VL has a lane of its own and borrows none",
     "yan2006credit; yan2012, section 4.2"},
    Keys<OneLane>{key(&OneLane::host_rate, "host_rate",
                      "rate of a lane at hosts' ports (default: no lanes there)")
                      .at_least(1),
                  key(&OneLane::switch_rate, "switch_rate",
                      "rate of a lane at switches' ports (default: no lanes there)")
                      .at_least(1),
                  capacity_key(), service_scv_key()},
    make_one_lane);

const Registration<fabric::VlSharingFactory> entry_threshold(
    fabric::vl_sharing_registry(),
    {"entry-threshold",
     "ET: a VL borrows an idle one while it holds more than a threshold of packets, or while its "
     "connections fill as many entries of the arbitration table",
     "yan2007entry; yan2012, section 5.2"},
    Keys<EntryThreshold>{
        key(&EntryThreshold::own_rate, "own_rate", "rate of one lane").required().at_least(1),
        key(&EntryThreshold::borrowed_rate, "borrowed_rate", "rate of both lanes")
            .required()
            .at_least(1),
        key(&EntryThreshold::threshold, "threshold", "packets above which a VL borrows"),
        key(&EntryThreshold::threshold_entries, "threshold_entries",
            "entries of the arbitration table that make the threshold, in place of `threshold`: "
            "those that connections of the VL fill at the port (admission.tables), or each worth "
            "packets_per_entry")
            .range(1, 64),
        key(&EntryThreshold::packets_per_entry, "packets_per_entry",
            "packets that an entry is worth")
            .range(1, 1'000'000)}
        .with(shared_lane_keys()),
    make_entry_threshold);

const Registration<fabric::VlSharingFactory> arrival_job_threshold(
    fabric::vl_sharing_registry(),
    {"arrival-job-threshold",
     "AJT: a VL borrows one more idle VL each time the newest lane holds more than its threshold",
     "yan2008job; yan2012, section 5.3"},
    Keys<JobThreshold>{
        key(&JobThreshold::rate_texts, "rates",
            "rate of a VL with 1, 2, ... lanes: [\"8 Gbps\", \"16 Gbps\"]")
            .required(),
        key(&JobThreshold::thresholds, "thresholds",
            "thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates")
            .required()}
        .with(shared_lane_keys()),
    make_job_threshold);

}  // namespace
}  // namespace weir::vl_sharing

#include "weir/metrics/admission_monitor.hpp"

#include <cstddef>
#include <cstdint>

namespace weir::metrics {

namespace {

using fabric::AdmissionCounters;

struct AdmissionCount {
  const char* metric;
  std::uint64_t AdmissionCounters::*member;
};

constexpr AdmissionCount kAdmissionCounts[] = {
    {"connections_asked", &AdmissionCounters::asked},
    {"connections_accepted", &AdmissionCounters::accepted},
    {"connections_rejected", &AdmissionCounters::rejected},
    {"connections_given_up", &AdmissionCounters::given_up},
    {"connections_released", &AdmissionCounters::released}};

}  // namespace

void AdmissionMonitor::sample(Time at, Time period, const fabric::Admission& admission) {
  if (shares_.empty()) {
    first_ = at - period;
    period_ = period;
  }
  shares_.push_back(admission.most_reserved().share);
}

void AdmissionMonitor::report(RunResult& result, const fabric::Admission& admission) const {
  for (const TrafficGroup& group : traffic_groups(classes_, false)) {
    std::uint64_t accepted = 0;
    Time setup;
    for (const std::size_t c : group.members) {
      const AdmissionCounters counters = admission.counters(static_cast<std::uint8_t>(c));
      accepted += counters.accepted;
      setup += counters.setup;
    }
    for (const AdmissionCount& count : kAdmissionCounts) {
      std::uint64_t sum = 0;
      for (const std::size_t c : group.members)
        sum += admission.counters(static_cast<std::uint8_t>(c)).*count.member;
      result.add_scalar(count.metric, group.label, static_cast<double>(sum));
    }
    if (accepted == 0) continue;
    result.add_scalar("connection_setup", group.label,
                      to_nanoseconds(setup) / static_cast<double>(accepted));
  }
  result.add_scalar("reserved_share_max", "", admission.largest_share());
  result.add_scalar("reservations_left", "",
                    static_cast<double>(admission.reserved_in_all()) * 8e-9);
  if (!shares_.empty()) {
    result.add_series("reserved_share", "", first_, period_, shares_, Reading::sampled);
  }
}

}  // namespace weir::metrics

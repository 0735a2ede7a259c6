#pragma once

#include <string_view>

#include "weir/analysis/threshold_queue.hpp"
#include "weir/base/keys.hpp"

namespace weir::analysis {

/// Keys that the models share, bound to members of the same names. Limits stand in the models,
/// which know why.
template <class S>
Key<S> arrival_rate_key() {
  return key(&S::arrival_rate, "arrival_rate", "packets that arrive in a unit of time").required();
}
template <class S>
Key<S> arrival_scv_key() {
  return key(&S::arrival_scv, "arrival_scv",
             "squared coefficient of variation of the times between arrivals, at least 1: arrivals "
             "in batches of (scv + 1) / 2 on average");
}
template <class S>
Key<S> service_rate_key() {
  return key(&S::service_rate, "service_rate", "packets served in a unit of time").required();
}
template <class S>
Key<S> service_scv_key() {
  return key(&S::service_scv, "service_scv",
             "squared coefficient of variation of the service times, at least 1");
}
template <class S>
Key<S> lane_rates_key() {
  return key(&S::rates, "rates", "service rate with 1, 2, ... lanes").required();
}
template <class S>
Key<S> lane_capacity_key(std::string_view help) {
  return key(&S::capacity, "capacity", help).required();
}
template <class S>
Key<S> lane_thresholds_key() {
  return key(&S::thresholds, "thresholds",
             "thresholds of lane 1, 2, ..., in packets of that lane; one fewer than rates")
      .required();
}
template <class S>
Key<S> boundary_key() {
  return choice(&S::boundary, "boundary",
                "weight of the full queue: exact, or as published (equation 2.10), which is right "
                "for Poisson arrivals only",
                {{"exact", Boundary::exact}, {"published", Boundary::published}});
}
template <class S>
Key<S> mode_key() {
  return choice(&S::mode, "mode",
                "when the next level begins: above, with the packet above the threshold; "
                "at-or-above, with the packet that reaches it",
                {{"above", ThresholdMode::above}, {"at-or-above", ThresholdMode::at_or_above}});
}

}  // namespace weir::analysis

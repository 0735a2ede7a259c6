#pragma once

#include <string>
#include <vector>

#include "weir/base/catalog.hpp"

namespace weir::analysis {

/// Keys that the models share. Limits stand in the models, which know why.
inline Parameter arrival_rate_key() {
  return Parameter::of(ParameterType::real, "arrival_rate", "packets that arrive in a unit of time")
      .required();
}
inline Parameter arrival_scv_key() {
  return Parameter::of(ParameterType::real, "arrival_scv",
                       "squared coefficient of variation of the times between arrivals, at least "
                       "1: arrivals in batches of (scv + 1) / 2 on average")
      .by_default("1.0");
}
inline Parameter service_rate_key() {
  return Parameter::of(ParameterType::real, "service_rate", "packets served in a unit of time")
      .required();
}
inline Parameter service_scv_key() {
  return Parameter::of(ParameterType::real, "service_scv",
                       "squared coefficient of variation of the service times, at least 1")
      .by_default("1.0");
}
inline Parameter capacity_key(std::string help) {
  return Parameter::of(ParameterType::integer, "capacity", std::move(help)).required();
}
inline Parameter mode_key() {
  return Parameter::of(ParameterType::text, "mode",
                       "when the next level begins: above, with the packet above the threshold; "
                       "at-or-above, with the packet that reaches it")
      .by_default("above")
      .one_of({"above", "at-or-above"});
}

}  // namespace weir::analysis

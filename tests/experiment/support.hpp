#pragma once

#include <functional>
#include <string>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/experiment/config/variants.hpp"

namespace weir::experiment {

/// A small experiment that runs in a moment; tests add to it.
inline const std::string kSmall = R"(
[experiment]
name = "small"
duration = "20 us"
[topology]
model = "single-switch"
hosts = 4
[routing]
model = "shortest-path"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
)";

inline ConfigTable table_of(const std::string& text) { return parse_experiment(text, "x.toml"); }

/// kSmall with one --set each.
inline ConfigTable small_with(const std::vector<std::string>& set) {
  std::vector<ConfigTable> overrides;
  overrides.reserve(set.size());
  for (const std::string& one : set) overrides.push_back(parse_override(one));
  return ExperimentFile(table_of(kSmall), overrides).variants().front().table;
}

/// Message of the InputError that `work` throws.
inline std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string refusal(const std::string& text) {
  return refusal([&] { (void)resolve(table_of(text)); });
}

}  // namespace weir::experiment

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "weir/topology/port_counters.hpp"

namespace weir::cli {

/// Counters of a real subnet, as the command line names them.
struct CounterChoices {
  std::string after;
  std::string before;
  std::string interval;
  std::string tick;

  /// Throws InputError for what is no time.
  [[nodiscard]] topology::CounterFiles files() const;
};

/// Adds --before, --interval and --tick, which need `after`.
void add_counter_options(CLI::App& command, CounterChoices& choices, CLI::Option* after);

}  // namespace weir::cli

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/fabric.hpp"

namespace weir::experiment {

/// Cables that are out of service for a time: one [[failure]].
struct FailureKeys {
  std::vector<std::string> links;  ///< ports by name; their cables fail
  std::int64_t random = 0;         ///< cables between switches besides, drawn by the seed
  Time at;
  Time until = Time::max();
};

const Keys<FailureKeys>& failure_keys();

using Failure = Checked<FailureKeys>;

/// Reads all [[failure]] tables and puts them, with defaults, into `resolved`. Throws InputError.
std::vector<Failure> read_failures(const ConfigTable& table, ConfigTable& resolved);

/// Has the cables fail and come back when the time comes. Throws InputError for names that no port
/// has, and for more cables than there are.
void schedule_failures(const std::vector<Failure>& failures, std::uint64_t seed,
                       fabric::Fabric& fabric);

/// What was lost: a line for the user; empty when nothing was.
std::string losses(const fabric::Fabric& fabric);

}  // namespace weir::experiment

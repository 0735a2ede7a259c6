#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/metrics/run_result.hpp"

namespace weir::experiment {

/// One run: what it was, and what it measured.
struct RunRecord {
  std::int64_t id = 0;  ///< given by the store
  std::string experiment;
  std::string case_name;   ///< empty: the only one
  std::int64_t place = 0;  ///< in the plan of its experiment, from 0: the order of tables and files
  /// What a sweep or case set in this run: dotted key and value as written, in order.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string configuration;       ///< resolved experiment, TOML
  std::string configuration_hash;  ///< see configuration_hash()
  std::uint64_t seed = 0;
  std::string version;          ///< of weir
  std::string status = "done";  ///< "done" or "failed"
  std::string error;            ///< why it failed
  std::string host;             ///< where it ran
  std::string started;          ///< UTC, ISO 8601
  std::string finished;
  metrics::RunResult result;
};

/// This machine for RunRecord::host: name, system, processors.
std::string host_description();

/// The present as "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace weir::experiment

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/experiment/config/configuration.hpp"

namespace weir::experiment::parallel {

/// How a run is divided.
struct Division {
  std::uint32_t parts = 1;  ///< 1: not at all
  /// Nodes are in parts drawn by this seed, wherever they stand; nothing: as for a user.
  std::optional<std::uint64_t> scatter = std::nullopt;
  /// Processes, played by threads, of which each has as many parts; 0: it is not divided among any.
  std::uint32_t ranks = 0;
};
std::string to_string(const Division& division);

/// What a run has left behind that no division may change.
struct Numbers {
  std::uint64_t fingerprint = 0;
  /// Of the database of results: a line for each row of each table, with all digits, in order.
  std::vector<std::string> rows;
  std::string failure;  ///< first line of an error on the way; then there is nothing else
  std::uint64_t packets = 0;
  Time end;               ///< simulated
  std::size_t stops = 0;  ///< checkpoints from which it went on
};

/// Runs it to its end. Throws InputError for what is refused. Ranks that do not know the same at
/// the end are a failure.
Numbers run(const Configuration& configuration, const Division& division);

/// The same with checkpoints on the way: each division goes on where the one before has stopped, at
/// times spread over the time until `end`.
Numbers run_in_stages(const Configuration& configuration, const std::vector<Division>& stages,
                      Time end);
/// What keeps it from having checkpoints; empty: nothing.
std::string no_checkpoints(const Configuration& configuration);

/// Of its network.
std::size_t hosts_of(const Configuration& configuration);

/// Makes the checks of a run in one part before its first event, and then of the same divided.
/// Throws InputError for a run that is wrong; what is returned says that only the divided one is
/// refused.
std::optional<InputError> refusal(const Configuration& configuration, const Division& division);
inline std::optional<InputError> refusal_in_parts(const Configuration& configuration) {
  return refusal(configuration, {2});
}
inline std::optional<InputError> refusal_in_ranks(const Configuration& configuration) {
  return refusal(configuration, {1, std::nullopt, 2});
}

/// A number that who runs the tests may give.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise);

/// The first rows in which they differ, one a line; empty: in none.
std::string difference(const Numbers& whole, const Numbers& divided);

}  // namespace weir::experiment::parallel

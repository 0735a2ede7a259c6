#pragma once

#include <cstdint>

namespace weir::workload {

/// What numbers of a schedule may be at most, however it is written.
inline constexpr std::uint64_t kMostRanks = 1'000'000;
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
/// A year in ns; the clock of a simulation runs for 106 days.
inline constexpr std::uint64_t kLongestCalculation = 9'000'000'000'000'000;

}  // namespace weir::workload

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/metrics/histogram.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir::report {

/// Neither NaN nor infinite.
inline bool is_number(double value) { return std::isfinite(value); }

/// A series of at most `most` values (2 or more) that looks the same: of every group of bins the
/// smallest and the largest value stay, in the order in which they came. The bins are that much
/// wider.
metrics::Series thinned(const metrics::Series& series, std::size_t most);

/// At most `most` buckets as (middle, count), neighbours merged; values in ps.
std::vector<std::pair<double, std::uint64_t>> buckets_of(const metrics::Histogram& histogram,
                                                         std::size_t most);

/// The nearest number with six significant digits.
double rounded(double value);

}  // namespace weir::report

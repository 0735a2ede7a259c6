#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weir/metrics/run_result.hpp"

namespace weir::experiment {

/// Numbers as a JSON list that reads back to the same bits; NaN and infinities become null and read
/// as NaN.
std::string to_json(const std::vector<double>& values);
std::vector<double> numbers_from_json(const std::string& text);

/// Times in ps.
std::string to_json(const std::vector<Time>& times);
std::vector<Time> times_from_json(const std::string& text);

std::string to_json(const std::vector<std::string>& texts);
std::vector<std::string> texts_from_json(const std::string& text);

/// {"sum": .., "min": .., "max": .., "buckets": [[lowest value, count], ..]}, values in ps.
std::string to_json(const metrics::Histogram& histogram);
metrics::Histogram histogram_from_json(const std::string& text);

/// [[port, depth], ..]
std::string branches_to_json(const metrics::TreeRecord& tree);
void branches_from_json(const std::string& text, metrics::TreeRecord& tree);
/// [[side, hops], ..]
std::string sides_to_json(const metrics::SetAsideTree& tree);
void sides_from_json(const std::string& text, metrics::SetAsideTree& tree);

}  // namespace weir::experiment

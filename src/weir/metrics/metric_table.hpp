#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/metrics/metric_registry.hpp"

namespace weir::metrics {

/// MetricRow::source of what no document defines.
inline constexpr const char* kThisProgram = "weir2026, docs/architecture.md";

struct MetricRow {
  std::string name;
  std::string unit;  ///< "1": a ratio; "": a count
  std::uint8_t forms = metric_form::kScalar;
  std::string source;
  std::string meaning;
  std::uint8_t sampled = 0;  ///< see MetricKind
  std::string needs = {};
  std::string series_needs = {};
};

/// Registers metrics during static initialization; see tables/.
struct MetricTable {
  /// `needs`: of rows that do not say.
  explicit MetricTable(const std::vector<MetricRow>& rows, const std::string& needs = {});
};

}  // namespace weir::metrics

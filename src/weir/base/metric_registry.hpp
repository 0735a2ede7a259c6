#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/catalog.hpp"

namespace weir {

/// Forms in which a metric is stored.
namespace metric_form {
inline constexpr std::uint8_t kScalar = 1U << 0;  ///< one number a run (and label)
inline constexpr std::uint8_t kSeries = 1U << 1;  ///< a number a bin of simulated time
inline constexpr std::uint8_t kHistogram = 1U << 2;
}  // namespace metric_form

/// What a number means. Unit "1": a ratio; "": a count.
struct MetricKind {
  std::string unit;
  std::uint8_t forms = metric_form::kScalar;
  /// Forms that are made of readings at the ends of bins (metrics.bin): what happens between two
  /// readings is not seen. All others are counted, or integrated over time, event by event.
  std::uint8_t sampled = 0;
  std::string needs;  ///< what turns it on, for people: "metrics.links = true"; empty: nothing
  std::string series_needs;  ///< the same of its series alone
};

/// How a number came about; see MetricKind::sampled.
enum class Reading : std::uint8_t { exact, sampled };

/// Every metric that a result may carry. `weir list metric` and `weir describe metric NAME` read
/// it; RunResult refuses names that it does not know.
Registry<MetricKind>& metric_registry();

/// Unit and forms of a metric. An unknown name is a programmer's mistake: throws std::logic_error.
const MetricKind& metric_kind(std::string_view name);

/// A metric and the label that says of what: a traffic class, "hot", "cold", "victim", a port, a
/// group of links. Without label: of everything. Written "latency_mean[hot]".
struct MetricName {
  std::string metric;
  std::string label;

  auto operator<=>(const MetricName&) const = default;
};
std::string to_string(const MetricName& name);
/// "; it needs metrics.links = true", or nothing: for messages that a metric is not there.
std::string needs_of(std::string_view metric, std::uint8_t form = metric_form::kScalar);
/// Splits "metric[label]" and checks the metric. Throws InputError with the nearest name.
MetricName parse_metric_name(std::string_view text, const SourcePosition& position = {},
                             std::string_view key = "metric");

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

}  // namespace weir

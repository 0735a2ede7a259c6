#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "weir/metrics/link_comparison.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {

/// Which links stand first.
enum class LinkOrder : std::uint8_t {
  disagreement,  ///< ranks of waiting farthest apart
  measured,      ///< waited most
  simulated,     ///< waited most in the simulation
  name,
};

/// How far the order of links by waiting, and by what they sent, is the same: two lines.
std::string agreement_text(const metrics::LinkComparison& comparison);

/// A line a link, at most `rows` (0: all), measured beside simulated; a last line says how many are
/// not shown.
std::string counters_table(const metrics::LinkComparison& comparison, LinkOrder order,
                           std::size_t rows, const TextTable::Look& look);

/// The same as CSV with all numbers.
std::string counters_csv(const metrics::LinkComparison& comparison, LinkOrder order,
                         std::size_t rows);

/// {"wait": {"spearman", "links"}, "sent": .., "notes", "links": [{"name", "group", "sent": {..},
/// "wait": {..}}]}; what is not known is null.
nlohmann::json counters_json(const metrics::LinkComparison& comparison, LinkOrder order,
                             std::size_t rows);

}  // namespace weir::report

#pragma once

#include <vector>

#include "weir/analysis/threshold_queue.hpp"

namespace weir::analysis {

/// The closed formulas of the document for the Entry Threshold, for the record: they estimate load
/// and mean length of the queue as a whole by averages over the levels (equations 5.19 and 5.20),
/// which gives numbers that are no probabilities. EntryThresholdQueue::solve() is the model.
struct PublishedThreshold {
  double rho = 0;                      ///< busy probability, equation 5.19
  double mean_length = 0;              ///< equation 5.20
  double x1 = 0, g1 = 0, level_1 = 0;  ///< lower level; `level_1` its mass over P(0)
  double x2 = 0, g2 = 0, y = 0;        ///< upper level and full queue
  std::vector<double> distribution;    ///< may be negative, need not add up to 1
};

/// Which text of equations 5.9, 5.10 and 5.16 to 5.18.
enum class Text : std::uint8_t { printed, repaired };

/// Load at both rates must be below 1 (InputError): the formulas have no other meaning.
/// Source: yan2012, section 5.2.
[[nodiscard]] PublishedThreshold published_entry_threshold(const EntryThresholdQueue& queue,
                                                           Text text);

/// Equations 5.16 and 5.17, repaired: g2 and x2 of a queue without bound whose busy probability and
/// mean length are known. With exact ones they are exact.
struct UpperLevel {
  double g2 = 0;
  double x2 = 0;
};
[[nodiscard]] UpperLevel upper_level(const EntryThresholdQueue& queue, double rho,
                                     double mean_length, Text text = Text::repaired);

/// Equations 5.34, 5.35 and 5.40 to 5.45 for the Arrival Job Threshold. Printed, they lack the
/// factors of the levels below, the factor rho of the mean lengths and the full queue in the
/// normaliser; repaired, only the averaged load of 5.44 is left as it is.
struct PublishedLevels {
  double rho = 0;
  std::vector<double> x;
  std::vector<double> g;
  double y = 0;
  std::vector<double> distribution;
};
[[nodiscard]] PublishedLevels published_job_threshold(const ArrivalJobThresholdQueue& queue,
                                                      Text text);

}  // namespace weir::analysis

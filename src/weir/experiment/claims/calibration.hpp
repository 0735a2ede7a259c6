#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "weir/experiment/claims/findings.hpp"

namespace weir::experiment::claims {

/// What the published claims of a document make of one choice of its unknowns.
struct Score {
  std::size_t holds = 0;
  std::size_t differs = 0;
  std::size_t depends = 0;
  std::size_t undecided = 0;
  std::size_t missing = 0;  ///< not measured, or not with these values

  [[nodiscard]] std::size_t decided() const { return holds + differs + depends; }
  /// Share of the decided claims that hold; 0 where none is decided.
  [[nodiscard]] double share() const;
};

/// The statements that the values are about in which a point of the grid differs from the adopted
/// one.
struct Comparison {
  std::size_t about = 0;          ///< so many
  std::size_t measured = 0;       ///< of these at this point
  std::size_t claims = 0;         ///< decided at both points
  std::size_t holds = 0;          ///< at this point
  std::size_t adopted_holds = 0;  ///< at the adopted one
};

/// One value for each unknown, with its scores.
struct CalibrationPoint {
  std::vector<std::size_t> values;  ///< numbers in Unknown::values
  Score all;                        ///< of all published claims
  Score touched;                    ///< of those measured along any unknown
  std::array<Score, 2> halves;      ///< of two halves of the claims, drawn by their ids
  Comparison to_adopted;            ///< shares of all hide what a value is not about
};

/// The recorded findings of a document read at every combination of its unknowns.
struct Calibration {
  std::vector<CalibrationPoint> points;  ///< the last unknown runs fastest
  std::size_t adopted = 0;               ///< index of the adopted point

  [[nodiscard]] const CalibrationPoint& adopted_point() const { return points[adopted]; }
  /// The point whose `score` holds for the largest share, of those that were measured for as many
  /// claims as the adopted one; the adopted one where it does as well.
  [[nodiscard]] const CalibrationPoint& best(Score (*score)(const CalibrationPoint&)) const;
  /// The adopted point with another value of one unknown.
  [[nodiscard]] const CalibrationPoint& with(std::size_t unknown, std::size_t value) const;
};

/// Scores each point of the grid with the longest runs that are recorded and not stale. Throws
/// InputError when the unknowns have more than 100,000 combinations.
Calibration calibrate(const Document& document, const Findings& findings);

/// What a published claim could be, were its document read for it alone: bounds of what any choice
/// for all claims gives.
struct OwnChoice {
  bool by_values = false;    ///< it holds with some of the values that were tried of the unknowns
  bool by_readings = false;  ///< it holds so for some reading of its sentence
};

/// From the longest runs that are recorded.
OwnChoice own_choice(const Document& document, const Findings& findings, const Claim& claim);

}  // namespace weir::experiment::claims

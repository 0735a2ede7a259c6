#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/experiment/claims/changes.hpp"
#include "weir/experiment/claims/claim.hpp"

namespace weir::experiment::claims {

/// A value that an unknown may have.
struct UnknownValue {
  std::string name;
  Combination at;               ///< axes of claims with the text that this value has there
  std::vector<Change> changes;  ///< of runs; only where the unknown is no axis of the claims
};

/// Something that a document leaves open and its claims depend on: an axis along which they were
/// measured, of which one value is adopted for all of them. Where no experiment varies it, its
/// values change the runs instead; it is an axis by its own name then, and what its values give is
/// recorded apart (see Alternative).
struct Unknown {
  std::string name;
  std::string question;
  std::string allowed;  ///< what the document says, so that each value is possible
  std::string because;  ///< why that value is adopted
  std::vector<UnknownValue> values;
  std::size_t adopted = 0;               ///< index into `values`
  std::vector<std::string> experiments;  ///< whose claims it is about; empty: all
  bool is_laid_over = false;             ///< its values change runs

  /// The number of a value; throws InputError with the nearest name.
  [[nodiscard]] std::size_t value_called(const std::string& wanted) const;

  /// It is an axis of claims of this experiment.
  [[nodiscard]] bool concerns(const std::string& experiment) const;
};

/// No axis of the point has another text than in `chosen`. What only one of them names is left out.
[[nodiscard]] bool agrees(const Combination& point, const Combination& chosen);

}  // namespace weir::experiment::claims

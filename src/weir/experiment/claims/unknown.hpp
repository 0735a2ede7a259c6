#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/experiment/claims/claim.hpp"

namespace weir::experiment::claims {

/// A value that an unknown may have.
struct UnknownValue {
  std::string name;
  Combination at;  ///< axes of claims with the text that this value has there
};

/// Something that a document leaves open and its claims depend on: an axis along which they were
/// measured, of which one value is adopted for all of them.
struct Unknown {
  std::string name;
  std::string question;
  std::string allowed;  ///< what the document says, so that each value is possible
  std::string because;  ///< why that value is adopted
  std::vector<UnknownValue> values;
  std::size_t adopted = 0;               ///< index into `values`
  std::vector<std::string> experiments;  ///< whose claims it is about; empty: all

  /// It is an axis of claims of this experiment.
  [[nodiscard]] bool concerns(const std::string& experiment) const;
};

/// Reads one [[unknown]] table, the `index`-th. Throws InputError.
Unknown read_unknown(const ConfigTable& table, std::size_t index);

/// No axis of the point has another text than in `chosen`. What only one of them names is left out.
[[nodiscard]] bool agrees(const Combination& point, const Combination& chosen);

}  // namespace weir::experiment::claims

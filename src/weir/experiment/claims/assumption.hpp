#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/keys.hpp"

namespace weir::experiment::claims {

class Plan;

/// Where a value of the experiments of a document comes from.
enum class Origin : std::uint8_t {
  published,   ///< the document prints it
  calibrated,  ///< the document leaves it open, and an unknown settles it
  chosen,      ///< neither
};
/// "published", "calibrated", "chosen".
[[nodiscard]] std::string_view to_string(Origin origin);

/// A value that the experiments of a document have.
struct Assumption {
  std::string key;  ///< dotted
  ConfigValue value;
  Origin origin = Origin::chosen;
  std::string source;                    ///< where it is printed, which unknown, or why
  std::vector<std::string> experiments;  ///< that have it; empty: any
  SourcePosition position;

  [[nodiscard]] bool concerns(const std::string& experiment) const;
  /// Some run of the plan has this value.
  [[nodiscard]] bool is_met(const Plan& plan) const;
};

/// The keys of an [[assumption]] table.
const Keys<Assumption>& assumption_keys();

}  // namespace weir::experiment::claims

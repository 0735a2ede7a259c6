#pragma once

#include <string>
#include <string_view>

#include "weir/base/error.hpp"

namespace weir::experiment::claims {

/// A unit that numbers of claims are shown in. Units of one dimension convert into each other.
struct Unit {
  std::string name;       ///< "us"; "1" or "" for a plain number
  std::string dimension;  ///< "time", "data rate", "data"; empty: a plain number
  double factor = 1;      ///< of the dimension's base unit (ns, Gbps, B, 1)
};

/// The unit called `name`; throws InputError with the nearest name.
Unit find_unit(std::string_view name, const SourcePosition& position, std::string_view key);

/// The unit of a metric, as registered. One that is not in the list is a dimension of its own.
Unit unit_of_metric(std::string_view metric);

}  // namespace weir::experiment::claims

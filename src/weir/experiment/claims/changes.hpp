#pragma once

#include <string>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/experiment/config/keys.hpp"

namespace weir::experiment::claims {

/// What runs have with a value of an unknown that the experiment files have not.
struct Change {
  std::vector<KeyedValue> where;  ///< a run must have all of them; a list: one of its values
  ConfigTable set;                ///< laid over such a run, whatever its case and sweep say

  /// Whether it is about a run with this resolved configuration.
  [[nodiscard]] bool is_about(const ConfigTable& resolved) const;
};

/// Reads a list of tables { where = { key = value }, set = { key = value } }. Throws InputError.
std::vector<Change> read_changes(const ConfigValue& written, const std::string& where);

/// Settings of all changes that are about a run, later ones over earlier ones; empty: none is.
ConfigTable changes_for(const std::vector<Change>& changes, const ConfigTable& resolved);

}  // namespace weir::experiment::claims

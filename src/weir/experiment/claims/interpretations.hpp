#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"

namespace weir::experiment::claims {

/// Values for the names of `readings` in one combination.
struct Interpretation {
  std::vector<std::pair<std::string, ConfigValue>> names;
  std::optional<double> value;  ///< its own expected number

  /// The names with their values as text.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> labels() const;
};

/// Reads `readings`: a table of lists, all combinations of which are meant, or a list of tables.
/// One without names where there is none (null). Throws InputError, naming `key`.
std::vector<Interpretation> read_interpretations(const ConfigValue* written,
                                                 const std::string& key);

/// The table with each `{name}` in its texts replaced; a text that is only that becomes the value
/// itself. Throws InputError at a name that `readings` has not, naming `key`.
ConfigTable replaced(const ConfigTable& table, const Interpretation& one, const std::string& key);

/// The names that replaced() would find.
std::vector<std::string> names_in(const ConfigTable& table);

}  // namespace weir::experiment::claims

#pragma once

#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/experiment/claims/unknown.hpp"

namespace weir::experiment::claims {

/// An [[unknown]] table, with what the unknown has in another form.
struct UnknownKeys : Unknown {
  std::vector<std::string> axes;
  ConfigValue written_values;
  std::string adopted_name;
};

/// Checks the keys of one [[unknown]] table, the `index`-th. Throws InputError.
Checked<UnknownKeys> check_unknown(const ConfigTable& table, std::size_t index);

/// Reads such a table. Throws InputError.
Unknown read_unknown(const Checked<UnknownKeys>& file);

}  // namespace weir::experiment::claims

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/experiment/claims/claim.hpp"

namespace weir::experiment::claims {

/// A [[claim]] table, with what the claim has in another form.
struct ClaimKeys : Claim {
  ConfigValue expect;
  ConfigValue tolerance{ConfigTable(), {}};
  std::string unit_name = "1";
  std::optional<std::string> arithmetic;  ///< none: its only value
  ConfigValue values;
  std::optional<ConfigValue> interpretations;
  std::vector<std::string> scale_names{"quick", "full"};
};

/// Checks the keys of one [[claim]] table, the `index`-th. Throws InputError.
Checked<ClaimKeys> check_claim(const ConfigTable& table, std::size_t index);

/// Reads such a table. Throws InputError.
Claim read_claim(const Checked<ClaimKeys>& file);

/// "quick", "full" and both of them.
Scales scales_called(const std::vector<std::string>& names);

/// Reads the key that such names are bound to.
template <class S>
Scales read_scales(const Checked<S>& file, std::vector<std::string> S::*names) {
  if (((*file).*names).empty()) throw file.error(names, "is empty: it would never be run");
  return scales_called((*file).*names);
}

}  // namespace weir::experiment::claims

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "weir/base/keys.hpp"
#include "weir/fabric/settings.hpp"

namespace weir::experiment {

/// Reads [switch], [buffer], [flow_control], [vl_arbitration] and [host], and adds them with all
/// defaults to `resolved`. Throws InputError.
fabric::FabricSettings read_fabric_settings(const ConfigTable& table, ConfigTable& resolved);

/// A table of the experiment file, empty when it is left out. Throws InputError when it is none.
ConfigTable section_table(const ConfigTable& table, std::string_view name);

/// A section without model; it may be left out.
template <class S>
Checked<S> read_section(const Keys<S>& keys, const ConfigTable& table, std::string_view name) {
  return keys.check(section_table(table, name), name);
}
/// The same, put with all defaults into `resolved`. Members without a key are those of `values`.
template <class S>
Checked<S> add_section(const Keys<S>& keys, const ConfigTable& table, std::string_view name,
                       ConfigTable& resolved, S values) {
  Checked<S> made = keys.check(section_table(table, name), name, {}, std::move(values));
  const ConfigTable written = made.settings().resolved();
  resolved.set(std::string(name), ConfigValue(written, written.position));
  return made;
}
template <class S>
Checked<S> add_section(const Keys<S>& keys, const ConfigTable& table, std::string_view name,
                       ConfigTable& resolved) {
  return add_section(keys, table, name, resolved, keys.defaults());
}

}  // namespace weir::experiment

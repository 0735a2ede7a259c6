#pragma once

#include <string_view>

#include "weir/base/catalog.hpp"
#include "weir/fabric/settings.hpp"

namespace weir::experiment {

/// Reads [switch], [buffer], [flow_control], [vl_arbitration] and [host], and adds them with all
/// defaults to `resolved`. Throws InputError.
fabric::FabricSettings read_fabric_settings(const ConfigTable& table, ConfigTable& resolved);

/// The checked settings of a section without model; it may be left out.
Settings read_section(const ConfigTable& table, std::string_view name);

/// A table of the experiment file, empty when it is left out. Throws InputError when it is none.
ConfigTable section_table(const ConfigTable& table, std::string_view name);

}  // namespace weir::experiment

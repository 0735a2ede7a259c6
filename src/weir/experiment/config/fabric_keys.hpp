#pragma once

#include <optional>

#include "weir/base/keys.hpp"
#include "weir/fabric/settings.hpp"

namespace weir::experiment {

/// Keys of the sections that fill FabricSettings.
const Keys<fabric::FabricSettings>& switch_keys();
const Keys<fabric::FabricSettings>& buffer_keys();
const Keys<fabric::FabricSettings>& flow_control_keys();

/// [vl_arbitration]; the tables are lists of rows, see vl_row_keys().
struct VlArbitrationKeys {
  ConfigValue high{ConfigArray{}, {}};
  ConfigValue low{ConfigArray{}, {}};
  int high_limit = fabric::VlArbitration().high_limit;
  int limit_unit = fabric::VlArbitration().limit_unit;
};
const Keys<VlArbitrationKeys>& vl_arbitration_keys();

/// An entry of a VL arbitration table, or a connection that fills entries.
struct VlRow {
  int vl = 0;
  std::optional<std::uint8_t> weight;
  std::optional<double> share;
};
const Keys<VlRow>& vl_row_keys();

const Keys<fabric::FabricSettings>& host_keys();

}  // namespace weir::experiment

#pragma once

#include <optional>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/rates/rate_protocol.hpp"

namespace weir::experiment {

/// Keys of [protocol] that all protocols have, and of its `changes`.
std::vector<Parameter> protocol_parameters();
std::vector<Parameter> protocol_changes_parameters();

/// The section `[protocol]` of an experiment; puts it with all defaults into `resolved`, and the
/// calculation that it is compared with into its `rates.algorithm`. Throws InputError.
Chosen<rates::ProtocolModel> read_protocol(const ConfigTable& table, ConfigTable& resolved);

[[nodiscard]] Chosen<rates::ProtocolModel> read_protocol(const Configuration& configuration);
[[nodiscard]] bool has_protocol(const Configuration& configuration);

/// Throws InputError where the keys do not fit the protocol or each other; `resolved` is its table.
void check_protocol_keys(const Chosen<rates::ProtocolModel>& chosen, ConfigTable& resolved);

/// `protocol.changes`, checked; nothing when there are none.
std::optional<Settings> read_protocol_changes(const Settings& own);

}  // namespace weir::experiment

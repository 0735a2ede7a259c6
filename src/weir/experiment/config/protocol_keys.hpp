#pragma once

#include <optional>

#include "weir/base/keys.hpp"
#include "weir/experiment/config/chosen.hpp"
#include "weir/rates/rate_protocol.hpp"

namespace weir::experiment {

/// Keys of [protocol] that all protocols have.
struct ProtocolKeys {
  Time start_within = nanoseconds(10);
  std::size_t late = 0;
  std::optional<ConfigValue> changes;
  Time limit = milliseconds(10);
  bool preempts = true;
  bool rides_on_set_up = false;
  rates::ControlTiming timing;  ///< all but the time of routing
};
const Keys<ProtocolKeys>& protocol_keys();

/// protocol.changes
struct ProtocolChangesKeys {
  Time every;
  std::int64_t count = 10;
  double present = 0.5;
  Time from = microseconds(100);
};
const Keys<ProtocolChangesKeys>& protocol_changes_keys();

/// The section `[protocol]` of an experiment.
struct ProtocolInput {
  Chosen<rates::ProtocolModel> chosen;
  Checked<ProtocolKeys> keys;
  std::optional<Checked<ProtocolChangesKeys>> changes;
};

/// Reads `changes` and checks that the keys fit the protocol and each other; puts it with its
/// defaults into `resolved`, the table of the protocol. Throws InputError.
void read_protocol_changes(ProtocolInput& protocol, ConfigTable& resolved);

}  // namespace weir::experiment

#include "weir/experiment/config/protocol_keys.hpp"

#include <fmt/format.h>

namespace weir::experiment {
namespace {

Keys<rates::ControlTiming> timing_keys() {
  using T = rates::ControlTiming;
  return {
      key(&T::control_size, "control_size", "size of a control packet").at_least(1),
      key(&T::control_processing, "control_processing",
          "processing time of a control packet at the output of a switch, on the way of its flow"),
      key(&T::broadcast_size, "broadcast_size", "size of a packet with a round number").at_least(1),
      key(&T::broadcast_processing, "broadcast_processing",
          "processing time of a broadcast packet at the input of a switch"),
      key(&T::reduction, "reduction",
          "time to reduce the answers of a switch's neighbours to one (DAFA)")};
}

}  // namespace

const Keys<ProtocolKeys>& protocol_keys() {
  using P = ProtocolKeys;
  static const Keys<P> keys = Keys<P>{
      key(&P::start_within, "start_within",
          "time within which flows (applications) start, at random"),
      key(&P::late, "late",
          "number of flows (applications), drawn at random, that start together when the "
          "others have settled; the calculation that follows is the one that is measured")
          .at_least(0),
      key(&P::changes, "changes",
          "flows (applications) that start and end while it runs (see protocol.changes)"),
      key(&P::limit, "limit", "time at which whatever has not settled is given up"),
      key(&P::preempts, "preempt",
          "whether control packets interrupt data on the wire, in simulations; without it they "
          "wait for the end of the packet"),
      choice(&P::rides_on_set_up, "announce",
             "what carries the message by which a flow announces itself: a control packet once "
             "its path is there, or the packet that sets the path up, at no cost of its own "
             "(flow_routing.set_up = \"packets\")",
             {{"packet", false},
              {"set-up", true}})}.with(&P::timing, timing_keys());
  return keys;
}

const Keys<ProtocolChangesKeys>& protocol_changes_keys() {
  using C = ProtocolChangesKeys;
  static const Keys<C> keys{
      key(&C::every, "every",
          "interval at which one flow starts and one ends, both drawn at random")
          .required(),
      key(&C::count, "count", "number of changes").range(1, 1'000'000),
      key(&C::present, "present", "share of the flows that is there at any time").range(0, 1),
      key(&C::from, "from", "time of the first change")};
  return keys;
}

namespace {

std::optional<Checked<ProtocolChangesKeys>> read_changes(const Checked<ProtocolKeys>& keys) {
  if (!keys->changes) return std::nullopt;
  const ConfigValue& value = *keys->changes;
  if (!value.is_table()) {
    throw keys.error(&ProtocolKeys::changes,
                     "must be a table, as in { every = \"50 us\", count = 20 }");
  }
  auto changes = protocol_changes_keys().check(placed_table(value), "protocol.changes");
  if (changes->every <= Time())
    throw changes.error(&ProtocolChangesKeys::every, "must be positive");
  return changes;
}

}  // namespace

void read_protocol_changes(ProtocolInput& protocol, ConfigTable& resolved) {
  const Checked<ProtocolKeys>& keys = protocol.keys;
  protocol.changes = read_changes(keys);
  if (protocol.changes) {
    resolved.set("changes",
                 ConfigValue(protocol.changes->settings().resolved(), keys->changes->position));
  }
  const bool is_changing = protocol.changes.has_value() || keys->late > 0;
  if (is_changing && !protocol.chosen.make->takes_changes) {
    const std::string why =
        fmt::format("{} is for flows that are known beforehand", protocol.chosen.name);
    if (protocol.changes) throw keys.error(&ProtocolKeys::changes, why);
    throw keys.error(&ProtocolKeys::late, why);
  }
  if (keys->limit <= Time()) throw keys.error(&ProtocolKeys::limit, "must be positive");
}

}  // namespace weir::experiment

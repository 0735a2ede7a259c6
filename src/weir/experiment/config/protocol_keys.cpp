#include "weir/experiment/config/protocol_keys.hpp"

#include <fmt/format.h>

namespace weir::experiment {
namespace {

using Type = ParameterType;

}  // namespace

std::vector<Parameter> protocol_parameters() {
  return {
      Parameter::of(Type::time, "start_within",
                    "time within which flows (applications) start, at random")
          .by_default("10 ns"),
      Parameter::of(Type::integer, "late",
                    "number of flows (applications), drawn at random, that start together when the "
                    "others have settled; the calculation that follows is the one that is measured")
          .by_default("0")
          .at_least(0),
      Parameter::of(Type::any, "changes",
                    "flows (applications) that start and end while it runs (see protocol.changes)"),
      Parameter::of(Type::time, "limit", "time at which whatever has not settled is given up")
          .by_default("10 ms"),
      Parameter::of(Type::boolean, "preempt",
                    "whether control packets interrupt data on the wire, in simulations; without "
                    "it they wait for the end of the packet")
          .by_default("true"),
      Parameter::of(Type::bytes, "control_size", "size of a control packet").by_default("40 B"),
      Parameter::of(
          Type::time, "control_processing",
          "processing time of a control packet at the output of a switch, on the way of its flow")
          .by_default("60 ns"),
      Parameter::of(Type::bytes, "broadcast_size", "size of a packet with a round number")
          .by_default("8 B"),
      Parameter::of(Type::time, "broadcast_processing",
                    "processing time of a broadcast packet at the input of a switch")
          .by_default("30 ns"),
      Parameter::of(Type::time, "reduction",
                    "time to reduce the answers of a switch's neighbours to one (DAFA)")
          .by_default("200 ns")};
}

std::vector<Parameter> protocol_changes_parameters() {
  return {Parameter::of(Type::time, "every",
                        "interval at which one flow starts and one ends, both drawn at random")
              .required(),
          Parameter::of(Type::integer, "count", "number of changes")
              .by_default("10")
              .range(1, 1'000'000),
          Parameter::of(Type::real, "present", "share of the flows that is there at any time")
              .by_default("0.5")
              .range(0, 1),
          Parameter::of(Type::time, "from", "time of the first change").by_default("100 us")};
}

Chosen<rates::ProtocolModel> read_protocol(const Configuration& configuration) {
  ConfigTable ignored;
  return read_protocol(configuration.source, ignored);
}

bool has_protocol(const Configuration& configuration) {
  return configuration.source.contains("protocol") && read_protocol(configuration).make != nullptr;
}

std::optional<Settings> read_protocol_changes(const Settings& own) {
  if (!own.has("changes")) return std::nullopt;
  const ConfigValue& value = own.raw("changes");
  if (!value.is_table()) {
    throw own.error("changes", "must be a table, as in { every = \"50 us\", count = 20 }");
  }
  ConfigTable keys = value.table();
  if (keys.position.line == 0) keys.position = value.position;
  Settings settings = Settings::check(keys, protocol_changes_parameters(), "protocol.changes");
  if (settings.time("every") <= Time()) throw settings.error("every", "must be positive");
  return settings;
}

void check_protocol_keys(const Chosen<rates::ProtocolModel>& chosen, ConfigTable& resolved) {
  const std::optional<Settings> changes = read_protocol_changes(chosen.own);
  if (changes) {
    resolved.set("changes", ConfigValue(changes->resolved(), chosen.own.raw("changes").position));
  }
  const bool is_changing = changes.has_value() || chosen.own.integer("late") > 0;
  if (is_changing && !chosen.make->takes_changes) {
    throw chosen.own.error(changes ? "changes" : "late",
                           fmt::format("{} is for flows that are known beforehand", chosen.name));
  }
  if (chosen.own.time("limit") <= Time()) throw chosen.own.error("limit", "must be positive");
  for (const char* key : {"control_size", "broadcast_size"}) {
    if (chosen.own.bytes(key) <= Bytes(0)) throw chosen.own.error(key, "must be positive");
  }
}

}  // namespace weir::experiment

#include "weir/experiment/config/fabric_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/experiment/config/sections.hpp"
#include "weir/fabric/vl_table_filler.hpp"

namespace weir::experiment {
namespace {

using fabric::FabricSettings;

/// The choices of a parameter stand in the order of the enumerators.
template <class Enum>
Enum choice(const Settings& settings, std::string_view section_name, std::string_view key) {
  for (const Parameter& parameter : section(section_name).parameters) {
    if (parameter.name != key) continue;
    const auto& choices = parameter.choices;
    const auto it = std::find(choices.begin(), choices.end(), settings.text(key));
    return static_cast<Enum>(it - choices.begin());
  }
  throw std::logic_error("no such parameter");
}

Settings add_section(const ConfigTable& table, std::string_view name, ConfigTable& resolved) {
  Settings settings = read_section(table, name);
  const ConfigTable values = settings.resolved();
  resolved.set(std::string(name), ConfigValue(values, values.position));
  return settings;
}

void read_switch(const Settings& s, FabricSettings& out) {
  out.architecture = choice<fabric::Architecture>(s, "switch", "architecture");
  out.speedup = s.real("speedup");
  out.switching = choice<fabric::Switching>(s, "switch", "switching");
  out.arbiter = choice<fabric::ArbiterKind>(s, "switch", "arbiter");
  out.matching_iterations = static_cast<int>(s.integer("iterations"));
  out.routing_delay = s.time("routing_delay");
  out.crossbar_delay = s.time("crossbar_delay");
  out.voq = s.boolean("voq");
}

void read_buffer(const Settings& s, FabricSettings& out) {
  out.ingress_buffer = s.bytes("ingress");
  out.egress_buffer = s.bytes("egress");
  out.memory = choice<fabric::Memory>(s, "buffer", "memory");
  out.reserved = s.bytes("reserved");
}

void read_flow_control(const Settings& s, FabricSettings& out) {
  out.flow_control = choice<fabric::FlowControl>(s, "flow_control", "model");
  out.stop_threshold = s.real("stop");
  out.go_threshold = s.real("go");
}

/// A key that one organization of the source queues needs and no other knows.
void require(const Settings& s, const char* key, bool is_needed, const char* organization) {
  if (s.has(key) == is_needed) return;
  if (is_needed) {
    throw s.error("source_queues", fmt::format("\"{}\" needs host.{}", organization, key));
  }
  throw s.error(key, fmt::format("means nothing with host.source_queues = \"{}\"; it belongs to "
                                 "\"{}\"",
                                 s.text("source_queues"), organization));
}

void read_source_queues(const Settings& s, FabricSettings& out) {
  using Kind = fabric::SourceQueueKind;
  require(s, "source_queue_count", out.source_queues == Kind::modulo, "modulo");
  require(s, "source_memory", out.source_queues == Kind::shared_memory, "shared-memory");
  if (out.source_queues == Kind::modulo)
    out.source_queue_count = static_cast<std::uint32_t>(s.integer("source_queue_count"));
  if (s.has("source_queue_packets")) {
    if (out.source_queues != Kind::per_destination) {
      throw s.error("source_queue_packets",
                    fmt::format("means nothing with host.source_queues = \"{}\"; it belongs to "
                                "\"per-destination\"",
                                s.text("source_queues")));
    }
    const std::string& acks = s.text("acks");
    if (acks != "in-band" && acks != "ideal") {
      throw s.error("source_queue_packets",
                    fmt::format("packets keep their place until their ACK, which host.acks = "
                                "\"{}\" does not send for each of them; take \"in-band\" or "
                                "\"ideal\"",
                                acks));
    }
    out.source_queue_packets = static_cast<std::uint32_t>(s.integer("source_queue_packets"));
  }
  if (out.source_queues != Kind::shared_memory) return;
  out.source_memory = s.bytes("source_memory");
  const Bytes packet(out.mtu.count + out.header.count);
  if (out.source_memory < packet) {
    throw s.error("source_memory", fmt::format("{} hold no packet of {} (host.mtu and host.header)",
                                               to_string(out.source_memory), to_string(packet)));
  }
}

void read_host(const Settings& s, FabricSettings& out) {
  out.mtu = s.bytes("mtu");
  out.header = s.bytes("header");
  out.source_queues = choice<fabric::SourceQueueKind>(s, "host", "source_queues");
  // Who arbitrates among VLs has a queue for each of them, as channel adapters do.
  if (out.arbiter == fabric::ArbiterKind::vl_weighted && !s.given("source_queues"))
    out.source_queues = fabric::SourceQueueKind::per_class;
  read_source_queues(s, out);
  if (s.has("backlog")) out.backlog = s.bytes("backlog");
  if (s.has("backlog") && out.backlog.count < 1) throw s.error("backlog", "must be at least 1 B");
  out.closed_loop_packets = static_cast<int>(s.integer("staged_packets"));
  out.when_full = choice<fabric::WhenFull>(s, "host", "when_full");
  out.saturation = choice<fabric::Saturation>(s, "host", "saturation");
  out.acks = choice<fabric::AckMode>(s, "host", "acks");
  out.ack_size = s.bytes("ack_size");
  if (s.has("ack_delay")) out.ack_delay = s.time("ack_delay");
  out.ack_jitter = s.time("ack_jitter");
}

/// Fills a table with connections. They come in the order of the file.
void add_connection(fabric::VlTableFiller& filler, const Settings& row, int vl,
                    const Settings& settings, const std::string& key) {
  const double share = row.real("share");
  if (!(share > 0) || share > 1) throw row.error("share", "must be above 0 and at most 1");
  if (filler.add(vl, fabric::VlTableFiller::weight_of(share))) return;
  throw settings.error(key, fmt::format("the connections need more than the {} entries of a table",
                                        fabric::VlTableFiller::kEntries));
}

std::vector<fabric::VlWeight> read_weights(const Settings& settings, const std::string& key) {
  static const std::vector<Parameter> columns{
      Parameter::of(ParameterType::integer, "vl", "virtual lane").required().range(0, 15),
      Parameter::of(ParameterType::integer, "weight", "in 64 bytes").range(0, 255),
      Parameter::of(ParameterType::real, "share", "of the link, in place of a weight")};
  const ConfigValue& list = settings.raw(key);
  if (!list.is_array()) throw settings.error(key, "must be a list of { vl = 0, weight = 4 }");
  std::vector<fabric::VlWeight> weights;
  fabric::VlTableFiller filler;
  std::size_t connections = 0;
  for (const ConfigValue& value : list.array()) {
    if (!value.is_table()) throw settings.error(key, "must be a list of { vl = 0, weight = 4 }");
    const std::string where =
        fmt::format("vl_arbitration.{}[{}]", key, weights.size() + connections);
    const Settings row = Settings::check(value.table(), columns, where);
    const auto vl = static_cast<int>(row.integer("vl"));
    if (row.has("weight") == row.has("share")) {
      throw row.error("weight", "is missing, or there is a share besides: it is one or the other");
    }
    if (row.has("share")) {
      add_connection(filler, row, vl, settings, key);
      ++connections;
    } else {
      weights.push_back(
          {static_cast<std::uint8_t>(vl), static_cast<std::uint8_t>(row.integer("weight"))});
    }
  }
  if (connections == 0) return weights;
  if (!weights.empty()) {
    throw settings.error(key, "mixes entries with a weight and connections with a share");
  }
  return filler.table();
}

}  // namespace

ConfigTable section_table(const ConfigTable& table, std::string_view name) {
  const ConfigValue* value = table.find(name);
  ConfigTable section_keys;
  section_keys.position = table.position;
  if (value == nullptr) return section_keys;
  if (!value->is_table()) {
    throw InputError(value->position, name,
                     fmt::format("must be a section, [{}], not {}", name, value->kind_name()));
  }
  section_keys = value->table();
  if (section_keys.position.line == 0) section_keys.position = value->position;
  return section_keys;
}

Settings read_section(const ConfigTable& table, std::string_view name) {
  return Settings::check(section_table(table, name), section(name).parameters, name);
}

FabricSettings read_fabric_settings(const ConfigTable& table, ConfigTable& resolved) {
  FabricSettings out;
  read_switch(add_section(table, "switch", resolved), out);
  read_buffer(add_section(table, "buffer", resolved), out);
  read_flow_control(add_section(table, "flow_control", resolved), out);
  const Settings arbitration = add_section(table, "vl_arbitration", resolved);
  out.vl_arbitration.high = read_weights(arbitration, "high");
  out.vl_arbitration.low = read_weights(arbitration, "low");
  out.vl_arbitration.high_limit = static_cast<int>(arbitration.integer("high_limit"));
  out.vl_arbitration.limit_unit = arbitration.text("limit_unit") == "packet" ? 0 : 4096;
  read_host(add_section(table, "host", resolved), out);
  if (out.source_queues == fabric::SourceQueueKind::per_class) {
    ConfigTable& host = resolved.find("host")->table();
    host.set("source_queues", ConfigValue(std::string("per-class"), host.position));
  }
  return out;
}

}  // namespace weir::experiment

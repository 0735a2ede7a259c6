#include "weir/experiment/config/fabric_settings.hpp"

#include <fmt/format.h>

#include "weir/base/problems.hpp"
#include "weir/experiment/config/fabric_keys.hpp"
#include "weir/fabric/vl_table_filler.hpp"

namespace weir::experiment {
namespace {

using fabric::FabricSettings;
using HostFile = Checked<FabricSettings>;

/// A key that one organization of the source queues needs and no other knows.
template <class T>
void require(const HostFile& file, T FabricSettings::*member, bool is_needed,
             const char* organization) {
  if (file.is_given(member) == is_needed) return;
  const std::string& name = file.name_of(member);
  if (is_needed) {
    throw file.error(&FabricSettings::source_queues,
                     fmt::format("\"{}\" needs host.{}", organization, name));
  }
  throw file.error(member, fmt::format("means nothing with host.source_queues = \"{}\"; it belongs "
                                       "to \"{}\"",
                                       file.written(&FabricSettings::source_queues), organization));
}

void check_source_queues(const HostFile& file, const FabricSettings& host) {
  using Kind = fabric::SourceQueueKind;
  using F = FabricSettings;
  require(file, &F::source_queue_count, host.source_queues == Kind::modulo, "modulo");
  require(file, &F::source_memory, host.source_queues == Kind::shared_memory, "shared-memory");
  if (host.source_queue_packets > 0) {
    require(file, &F::source_queue_packets, host.source_queues == Kind::per_destination,
            "per-destination");
    if (host.acks != fabric::AckMode::in_band && host.acks != fabric::AckMode::ideal) {
      throw file.error(&F::source_queue_packets,
                       fmt::format("packets keep their place until their ACK, which host.acks = "
                                   "\"{}\" does not send for each of them; take \"in-band\" or "
                                   "\"ideal\"",
                                   file.written(&F::acks)));
    }
  }
  if (host.source_queues != Kind::shared_memory) return;
  const Bytes packet(host.mtu.count + host.header.count);
  if (host.source_memory < packet) {
    throw file.error(&F::source_memory,
                     fmt::format("{} hold no packet of {} (host.mtu and host.header)",
                                 to_string(host.source_memory), to_string(packet)));
  }
}

using FlowControlFile = Checked<FabricSettings>;

/// A key that belongs to another model of flow control may only have the value that it has anyway.
template <class Member>
void require_model(const FlowControlFile& file, Member FabricSettings::*member,
                   fabric::FlowControl model, std::string_view name) {
  if (file->flow_control == model || (*file).*member == FabricSettings{}.*member) return;
  throw file.error(member, fmt::format("means nothing with flow_control.model = \"{}\"; it belongs "
                                       "to \"{}\"",
                                       file.written(&FabricSettings::flow_control), name));
}

void check_flow_control(const FlowControlFile& file) {
  using F = FabricSettings;
  const auto stop_and_go = fabric::FlowControl::stop_and_go;
  require_model(file, &F::stop_threshold, stop_and_go, "stop-and-go");
  require_model(file, &F::go_threshold, stop_and_go, "stop-and-go");
  const auto pfc = fabric::FlowControl::pfc;
  require_model(file, &F::headroom, pfc, "pfc");
  require_model(file, &F::hysteresis, pfc, "pfc");
  require_model(file, &F::verify_headroom, pfc, "pfc");
  require_model(file, &F::pause_frame, pfc, "pfc");
  require_model(file, &F::pause_response, pfc, "pfc");
}

/// Fills a table with connections. They come in the order of the file.
void add_connection(fabric::VlTableFiller& filler, const Checked<VlRow>& row,
                    const InputError& too_many) {
  if (!(*row->share > 0) || *row->share > 1)
    throw row.error(&VlRow::share, "must be above 0 and at most 1");
  if (!filler.add(row->vl, fabric::VlTableFiller::weight_of(*row->share))) throw too_many;
}

std::vector<fabric::VlWeight> read_weights(const Checked<VlArbitrationKeys>& file,
                                           ConfigValue VlArbitrationKeys::*member) {
  const std::string& key = file.name_of(member);
  const InputError no_list = file.error(member, "must be a list of { vl = 0, weight = 4 }");
  const ConfigValue& list = (*file).*member;
  if (!list.is_array()) throw no_list;
  std::vector<fabric::VlWeight> weights;
  fabric::VlTableFiller filler;
  std::size_t connections = 0;
  for (const ConfigValue& value : list.array()) {
    if (!value.is_table()) throw no_list;
    const Checked<VlRow> row = vl_row_keys().check(
        value.table(), fmt::format("vl_arbitration.{}[{}]", key, weights.size() + connections));
    if (row->weight.has_value() == row->share.has_value()) {
      throw row.error(&VlRow::weight,
                      "is missing, or there is a share besides: it is one or the other");
    }
    if (row->share) {
      add_connection(
          filler, row,
          file.error(member, fmt::format("the connections need more than the {} entries of a table",
                                         fabric::VlTableFiller::kEntries)));
      ++connections;
    } else {
      weights.push_back({static_cast<std::uint8_t>(row->vl), *row->weight});
    }
  }
  if (connections == 0) return weights;
  if (!weights.empty()) {
    throw file.error(member, "mixes entries with a weight and connections with a share");
  }
  return filler.table();
}

void read_arbitration(const ConfigTable& table, ConfigTable& resolved, FabricSettings& out) {
  const auto file = add_section(vl_arbitration_keys(), table, "vl_arbitration", resolved);
  out.vl_arbitration = {read_weights(file, &VlArbitrationKeys::high),
                        read_weights(file, &VlArbitrationKeys::low), file->high_limit,
                        file->limit_unit};
}

/// `has_switch`: [switch], on which source queues depend, is without mistakes.
void read_host(const ConfigTable& table, ConfigTable& resolved, bool has_switch,
               FabricSettings& out) {
  const HostFile file = add_section(host_keys(), table, "host", resolved, out);
  out = *file;
  if (!has_switch) return;
  // Who arbitrates among VLs has a queue for each of them, as channel adapters do.
  if (out.arbiter == fabric::ArbiterKind::vl_weighted &&
      !file.is_given(&FabricSettings::source_queues)) {
    out.source_queues = fabric::SourceQueueKind::per_class;
  }
  check_source_queues(file, out);
  if (out.source_queues == fabric::SourceQueueKind::per_class) {
    ConfigTable& host = resolved.find("host")->table();
    host.set("source_queues", ConfigValue(std::string("per-class"), host.position));
  }
}

}  // namespace

ConfigTable section_table(const ConfigTable& table, std::string_view name) {
  const ConfigValue* value = table.find(name);
  if (value == nullptr) {
    ConfigTable empty;
    empty.position = table.position;
    return empty;
  }
  if (!value->is_table()) {
    throw InputError(value->position, name,
                     fmt::format("must be a section, [{}], not {}", name, value->kind_name()));
  }
  return placed_table(*value);
}

FabricSettings read_fabric_settings(const ConfigTable& table, ConfigTable& resolved) {
  FabricSettings out;
  Problems problems;
  const bool has_switch =
      problems.attempt([&] { out = *add_section(switch_keys(), table, "switch", resolved, out); });
  problems.attempt([&] { out = *add_section(buffer_keys(), table, "buffer", resolved, out); });
  problems.attempt([&] {
    const FlowControlFile flow_control =
        add_section(flow_control_keys(), table, "flow_control", resolved, out);
    check_flow_control(flow_control);
    out = *flow_control;
  });
  problems.attempt([&] { read_arbitration(table, resolved, out); });
  problems.attempt([&] { read_host(table, resolved, has_switch, out); });
  problems.raise();
  return out;
}

}  // namespace weir::experiment

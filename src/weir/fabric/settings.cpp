#include "weir/fabric/settings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weir/base/error.hpp"

namespace weir::fabric {

namespace {

void require(bool good, std::string_view key, const std::string& message) {
  if (!good) throw InputError(key, message);
}

void validate_buffers(const FabricSettings& s, int classes) {
  const std::int64_t packet = s.mtu.count + s.header.count;
  require(s.mtu.count > 0, "host.mtu", "must be at least 1 B");
  require(s.header.count >= 0, "host.header", "must not be negative");
  const std::int64_t share =
      s.memory == Memory::split ? s.ingress_buffer.count / classes : s.ingress_buffer.count;
  require(share >= packet, "buffer.ingress",
          fmt::format("{} for {} classes leaves {} each, less than a packet of {}",
                      to_string(s.ingress_buffer), classes, to_string(Bytes(share)),
                      to_string(Bytes(packet))));
  if (s.memory == Memory::reserved) {
    require(s.reserved.count * classes <= s.ingress_buffer.count, "buffer.reserved",
            fmt::format("{} for each of {} classes is more than buffer.ingress = {}",
                        to_string(s.reserved), classes, to_string(s.ingress_buffer)));
    require(
        s.reserved.count >= packet || s.ingress_buffer.count - s.reserved.count * classes >= packet,
        "buffer.reserved",
        fmt::format("neither the reservation nor the shared rest holds a packet of {}",
                    to_string(Bytes(packet))));
  }
  if (s.architecture == Architecture::cioq) {
    const std::int64_t egress =
        s.memory == Memory::split ? s.egress_buffer.count / classes : s.egress_buffer.count;
    require(egress >= packet, "buffer.egress",
            fmt::format("{} for {} classes holds no packet of {}", to_string(s.egress_buffer),
                        classes, to_string(Bytes(packet))));
  }
  require(
      s.source_queues != SourceQueueKind::shared_memory || s.source_memory.count >= packet,
      "host.source_memory",
      fmt::format("{} hold no packet of {} (host.mtu, host.header and {} that it carries for "
                  "marking.model or reaction.model)",
                  to_string(s.source_memory), to_string(Bytes(packet)), to_string(s.carried_data)));
  require(s.acks == AckMode::none || s.ack_size.count > 0, "host.ack_size", "must be at least 1 B");
  require(s.source_queue_packets == 0 || s.acks == AckMode::ideal || s.acks == AckMode::in_band,
          "host.source_queue_packets",
          "packets keep their place until their ACK, so that every one "
          "needs an ACK; take host.acks = \"in-band\" or \"ideal\"");
  require(s.source_queue_packets == 0 || s.source_queues == SourceQueueKind::per_destination,
          "host.source_queue_packets", "is for host.source_queues = \"per-destination\"");
  const bool are_packets = s.acks == AckMode::in_band || s.acks == AckMode::becn;
  require(are_packets || !s.ack_service_level, "host.ack_service_level",
          "only ACKs that are packets have one; take host.acks = \"in-band\" or \"becn\"");
  require(!are_packets || !s.ack_delay, "host.ack_delay",
          "only ideal ACKs have a delay of their own; take host.acks = \"ideal\"");
  require(!are_packets || s.ack_jitter.count == 0, "host.ack_jitter",
          "only ideal ACKs have it; take host.acks = \"ideal\"");
}

/// What thresholds in shared memory are made of means nothing without them.
void validate_sharing(const FabricSettings& s) {
  const bool is_dynamic = s.threshold == Threshold::dynamic;
  require(is_dynamic || !s.alpha, "flow_control.alpha",
          "means nothing with flow_control.threshold = \"static\"; it belongs to \"dynamic\"");
  require(!is_dynamic || !s.static_share, "flow_control.static_share",
          "means nothing with flow_control.threshold = \"dynamic\"; it belongs to \"static\"");
  if (s.flow_control != FlowControl::credits && s.memory != Memory::split) {
    require(s.alpha.value_or(1) > 0, "flow_control.alpha", "must be above 0");
    require(s.static_share.value_or(1) > 0, "flow_control.static_share", "must be above 0");
    return;
  }
  const std::string reason =
      s.flow_control == FlowControl::credits
          ? "is for flow_control.model = \"stop-and-go\" and \"pfc\": with credits a sender knows "
            "by itself what is free"
          : "is for memory that classes share; take buffer.memory = \"shared\" or \"reserved\", "
            "and a queueing.model that does not split it";
  require(!s.alpha, "flow_control.alpha", reason);
  require(is_dynamic, "flow_control.threshold", reason);
  require(s.scope == MemoryScope::port, "buffer.scope", reason);
}

/// InfiniBand's VL 15 stands in no table.
constexpr int kDataVls = 15;

void validate_vl_table(const std::vector<VlWeight>& table, const char* key, int classes) {
  require(table.size() <= 64, key,
          fmt::format("{} entries, the table has room for 64", table.size()));
  for (const VlWeight& entry : table) {
    require(entry.vl < classes, key,
            fmt::format("VL {} does not exist, there are {}", entry.vl, classes));
    require(entry.vl < kDataVls, key, "VL 15 is for management and goes before the tables");
  }
}

void validate_arbitration(const FabricSettings& s, int classes, bool connections_fill_tables) {
  // Crossbars are matched by iterative round robin, egress queues take turns.
  require(
      s.architecture != Architecture::input_queued_single || s.arbiter == ArbiterKind::round_robin,
      "switch.arbiter", "an iq-single switch is matched by round robin; only round-robin fits");
  require(s.architecture == Architecture::input_queued || s.arbiter != ArbiterKind::random,
          "switch.arbiter",
          "random fits iq switches only; egress buffers know round-robin, "
          "first-come and vl-weighted");
  if (s.arbiter != ArbiterKind::vl_weighted) return;
  require(classes <= 16, "switch.arbiter",
          fmt::format("vl-weighted serves at most 16 VLs, there are {}", classes));
  require(classes == 1 || s.source_queues == SourceQueueKind::per_class ||
              s.source_queues == SourceQueueKind::per_destination,
          "host.source_queues",
          fmt::format("messages of {} VLs would wait in one queue, so that a "
                      "host could not choose among them as switch.arbiter = \"vl-weighted\" says; "
                      "take \"per-class\" or \"per-destination\"",
                      classes));
  validate_vl_table(s.vl_arbitration.high, "vl_arbitration.high", classes);
  validate_vl_table(s.vl_arbitration.low, "vl_arbitration.low", classes);
  if (connections_fill_tables) return;
  for (int vl = 0; vl < std::min(classes, kDataVls); ++vl) {
    int weight = 0;
    for (const VlWeight& e : s.vl_arbitration.high) weight += e.vl == vl ? e.weight : 0;
    for (const VlWeight& e : s.vl_arbitration.low) weight += e.vl == vl ? e.weight : 0;
    require(weight > 0, "vl_arbitration",
            fmt::format("VL {} has no weight in any table, its packets would wait for ever", vl));
  }
}

}  // namespace

void validate(const FabricSettings& s, int classes, bool connections_fill_tables) {
  validate_buffers(s, classes);
  validate_arbitration(s, classes, connections_fill_tables);
  require(s.architecture != Architecture::cioq || s.speedup >= 1.0, "switch.speedup",
          fmt::format("{} is below 1", s.speedup));
  require(s.matching_iterations >= 1, "switch.iterations", "must be at least 1");
  require(s.routing_delay.count >= 0 && s.crossbar_delay.count >= 0, "switch",
          "delays must not be negative");
  require(s.closed_loop_packets >= 1, "host.staged_packets", "must be at least 1");
  validate_sharing(s);
  if (s.flow_control == FlowControl::pfc) {
    require(s.pause_frame.count >= 1, "flow_control.pause_frame", "must be at least 1 B");
    require(s.pause_response.count >= 0, "flow_control.pause_response", "must not be negative");
  }
  if (s.flow_control != FlowControl::credits) {
    require(
        s.go_threshold > 0 && s.go_threshold < s.stop_threshold && s.stop_threshold <= 1,
        "flow_control",
        fmt::format("0 < go ({}) < stop ({}) <= 1 must hold", s.go_threshold, s.stop_threshold));
    require(s.mtu.count + s.header.count < 1 << 20 && classes <= 1 << 12, "flow_control",
            fmt::format("stop-and-go and pfc serve packets below 1 MiB and at most 4096 "
                        "classes, not {} and {}",
                        to_string(Bytes(s.mtu.count + s.header.count)), classes));
  }
}

}  // namespace weir::fabric

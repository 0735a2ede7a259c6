#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/units.hpp"

namespace weir::fabric {

/// How many packets may leave an ingress buffer at once.
enum class Architecture : std::uint8_t {
  input_queued,         ///< any number, to different outputs
  input_queued_single,  ///< one at a time; outputs are matched to inputs (iSLIP)
  cioq,                 ///< one at a time at `speedup` times the link rate, into an egress buffer
  output_queued,        ///< all at once into an unlimited egress buffer (ideal)
};
enum class Switching : std::uint8_t { cut_through, store_and_forward };
enum class ArbiterKind : std::uint8_t { round_robin, first_come, random, vl_weighted };
/// How an ingress buffer's bytes are divided among its classes.
enum class Memory : std::uint8_t { split, shared, reserved };
/// Whose classes share what is shared where thresholds stop senders.
enum class MemoryScope : std::uint8_t { port, whole_switch };
/// What a class may take of memory that is shared before its sender is stopped.
enum class Threshold : std::uint8_t {
  dynamic,  ///< `alpha` times what is free
  fixed,    ///< `static_share` of all of it
};
enum class FlowControl : std::uint8_t { credits, stop_and_go, pfc };
enum class SourceQueueKind : std::uint8_t {
  fifo,
  per_class,
  per_destination,
  modulo,
  shared_memory
};
enum class WhenFull : std::uint8_t { wait, discard };
/// What a saturated source does when the source queue of its next message is full.
enum class Saturation : std::uint8_t {
  per_queue,     ///< draws messages for other queues: a closed loop for each queue
  head_of_line,  ///< waits for room with all that would come after it: one closed loop
  full_rate,     ///< refuses it: messages come at the rate of the link, whatever the queues hold
};
enum class AckMode : std::uint8_t {
  none,
  ideal,
  in_band,
  becn,  ///< in band, for marked packets only
};

/// What a host does with a data packet that comes before an earlier one of its flow.
enum class HostOrder : std::uint8_t {
  as_they_come,  ///< it is delivered
  reorder,       ///< it is held until those before it are there
};

/// An entry of an InfiniBand VL arbitration table; weight in units of 64 bytes, 0..255.
struct VlWeight {
  std::uint8_t vl = 0;
  std::uint8_t weight = 0;
};
/// InfiniBand VL arbitration of an output port: up to 64 entries a table. `high_limit`: what goes
/// by high priority before a packet of low priority gets its chance, in packets or in units of
/// `limit_unit` bytes; 0 means one packet; 255: no limit.
struct VlArbitration {
  std::vector<VlWeight> high;
  std::vector<VlWeight> low;
  int high_limit = 255;
  int limit_unit = 0;  ///< bytes; 0: packets
};

/// Everything about switches, links and hosts that is not topology, routing, traffic or a model of
/// its own.
struct FabricSettings {
  Architecture architecture = Architecture::input_queued;
  Switching switching = Switching::cut_through;
  ArbiterKind arbiter = ArbiterKind::round_robin;
  VlArbitration vl_arbitration;
  double speedup = 1.0;         ///< crossbar rate over link rate (cioq)
  int matching_iterations = 3;  ///< iSLIP iterations
  Time routing_delay;           ///< header arrival to ready at the ingress queue
  Time crossbar_delay;          ///< ingress to output
  bool voq = true;              ///< virtual output queues inside a buffer class
  Bytes ingress_buffer = Bytes(344'064);
  Bytes egress_buffer = Bytes(344'064);  ///< cioq only
  Memory memory = Memory::split;
  Bytes reserved;  ///< per class, with Memory::reserved
  MemoryScope scope = MemoryScope::port;

  FlowControl flow_control = FlowControl::credits;
  double stop_threshold = 0.75;  ///< of the class's capacity (stop_and_go)
  double go_threshold = 0.5;
  Threshold threshold = Threshold::dynamic;  ///< (stop_and_go and pfc, memory that is not split)
  std::optional<double> alpha;               ///< nothing: 1
  std::optional<double> static_share;        ///< nothing: 1
  std::optional<Bytes> headroom;             ///< of a class (pfc); nothing: what the cable needs
  std::optional<Bytes> hysteresis;  ///< between pause and resume (pfc); nothing: two packets
  bool verify_headroom = true;      ///< (pfc) else a run with too little of it fails when it loses
  Bytes pause_frame = Bytes(64);    ///< on the wire (pfc)
  Time pause_response;              ///< of a sender, from the arrival of a frame (pfc)

  Bytes mtu = Bytes(4'096);  ///< largest payload of a packet
  Bytes header;              ///< added to every packet on the wire, `carried_data` included
  SourceQueueKind source_queues = SourceQueueKind::fifo;
  std::uint32_t source_queue_count = 0;    ///< a host, with SourceQueueKind::modulo
  Bytes source_memory;                     ///< of a host, with SourceQueueKind::shared_memory
  std::uint32_t source_queue_packets = 0;  ///< that a queue of per_destination keeps until their
                                           ///< ACKs; 0: no bound
  Bytes backlog = Bytes::max();            ///< payload a source queue holds; max(): no bound
  int closed_loop_packets = 8;             ///< packets a closed-loop source keeps staged in a queue
  WhenFull when_full = WhenFull::wait;
  Saturation saturation = Saturation::per_queue;
  HostOrder order = HostOrder::as_they_come;
  AckMode acks = AckMode::none;
  Bytes ack_size = Bytes(22);  ///< `carried_by_acks` included
  Bytes carried_data;          ///< what mechanisms add to data packets; see carry()
  Bytes carried_by_acks;
  /// That decides about the class of ACK packets; nothing: that of their data.
  std::optional<std::int64_t> ack_service_level;
  std::optional<Time> ack_delay;  ///< of an ideal ACK; nothing: the latency of an empty one
  Time ack_jitter;                ///< of an ideal ACK, added uniformly from 0 to this

  Time sample_period;  ///< 0: no samples
  Time check_period;   ///< conservation and stall checks; 0: 200 us, and conservation when worth it
  std::uint64_t seed = 1;
};

/// Throws InputError that names the key for impossible combinations: buffers smaller than a packet,
/// thresholds the wrong way round, speedup below 1, tables too long. `classes`: buffer classes, all
/// lanes. A VL needs weight in some table, unless connections bring it during the run.
void validate(const FabricSettings& settings, int classes, bool connections_fill_tables = false);

}  // namespace weir::fabric

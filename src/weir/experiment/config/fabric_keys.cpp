#include "weir/experiment/config/fabric_keys.hpp"

namespace weir::experiment {

const Keys<fabric::FabricSettings>& switch_keys() {
  using F = fabric::FabricSettings;
  static const Keys<fabric::FabricSettings> keys{
      choice(&F::architecture, "architecture",
             "switch architecture: iq, input-queued, where any number of packets leave a buffer at "
             "once; iq-single, one packet at a time, matched by iSLIP; cioq, one packet at a time "
             "at `speedup` times the link rate into an egress buffer; oq, ideal output queues "
             "(default: cioq with an [isolation] model and with presets that need it, else iq)",
             {{"iq", fabric::Architecture::input_queued},
              {"iq-single", fabric::Architecture::input_queued_single},
              {"cioq", fabric::Architecture::cioq},
              {"oq", fabric::Architecture::output_queued}}),
      key(&F::speedup, "speedup", "crossbar rate over link rate, with cioq").range(1, 1000),
      choice(&F::switching, "switching",
             "switching technique: with cut-through a packet may leave while it arrives; with "
             "store-and-forward it has to be complete",
             {{"cut-through", fabric::Switching::cut_through},
              {"store-and-forward", fabric::Switching::store_and_forward}}),
      choice(&F::arbiter, "arbiter", "rule by which an output chooses among the inputs",
             {{"round-robin", fabric::ArbiterKind::round_robin},
              {"first-come", fabric::ArbiterKind::first_come},
              {"random", fabric::ArbiterKind::random},
              {"vl-weighted", fabric::ArbiterKind::vl_weighted}}),
      key(&F::matching_iterations, "iterations", "iterations of the iSLIP matching, with iq-single")
          .range(1, 64),
      key(&F::routing_delay, "routing_delay",
          "time from the arrival of a header until the packet is ready at the ingress queue"),
      key(&F::crossbar_delay, "crossbar_delay",
          "time for a packet to cross the switch from ingress to output"),
      key(&F::voq, "voq",
          "whether each buffer class has virtual output queues; without them it is one FIFO with "
          "head-of-line blocking. Some queueing schemes decide it themselves")};
  return keys;
}

const Keys<fabric::FabricSettings>& buffer_keys() {
  using F = fabric::FabricSettings;
  static const Keys<fabric::FabricSettings> keys{
      key(&F::ingress_buffer, "ingress", "memory of an ingress port, for all its classes together"),
      key(&F::egress_buffer, "egress", "memory of an egress port, with cioq"),
      choice(&F::memory, "memory",
             "how classes share the memory of a port: split evenly; shared by all; or reserved, "
             "`reserved` for each class and the rest shared. Some queueing schemes decide it "
             "themselves",
             {{"split", fabric::Memory::split},
              {"shared", fabric::Memory::shared},
              {"reserved", fabric::Memory::reserved}}),
      key(&F::reserved, "reserved",
          "memory that each class has for itself, with memory = \"reserved\""),
      choice(
          &F::scope, "scope",
          "who shares what is shared, with flow_control.model = \"stop-and-go\" or \"pfc\": port, "
          "the classes of an ingress port; or switch, those of all ports of a switch, which put "
          "their `ingress` together",
          {{"port", fabric::MemoryScope::port}, {"switch", fabric::MemoryScope::whole_switch}})};
  return keys;
}

const Keys<fabric::FabricSettings>& flow_control_keys() {
  using F = fabric::FabricSettings;
  static const Keys<fabric::FabricSettings> keys{
      choice(&F::flow_control, "model",
             "flow control of a link: credits, bytes of free buffer for each class; "
             "stop-and-go, by thresholds; or pfc, priority flow control by pause frames of each "
             "class",
             {{"credits", fabric::FlowControl::credits},
              {"stop-and-go", fabric::FlowControl::stop_and_go},
              {"pfc", fabric::FlowControl::pfc}}),
      key(&F::stop_threshold, "stop",
          "filled share of a class at which the sender is stopped, with stop-and-go; where memory "
          "is "
          "shared, of what `threshold` lets a class take of it")
          .range(0, 1),
      key(&F::go_threshold, "go",
          "filled share of a class at which the sender may go on, with stop-and-go; where memory "
          "is "
          "shared, of what `threshold` lets a class take of it")
          .range(0, 1),
      choice(&F::threshold, "threshold",
             "what a class may take of memory that is shared (buffer.memory = \"shared\" or "
             "\"reserved\") before its sender is stopped: dynamic, `alpha` times what is free, so "
             "that it falls when others take memory (Choudhury and Hahne 1998); or static, "
             "`static_share` of all of it",
             {{"dynamic", fabric::Threshold::dynamic}, {"static", fabric::Threshold::fixed}}),
      key(&F::alpha, "alpha",
          "with threshold = \"dynamic\": multiple of the free shared memory that a class may have "
          "(default: 1). Switches offer powers of two, from 1/128 to 8 or 64")
          .range(0, 1024)
          .without_default(),
      key(&F::static_share, "static_share",
          "with threshold = \"static\": share of the shared memory that a class may have (default: "
          "1, all of it)")
          .range(0, 1)
          .without_default(),
      key(&F::headroom, "headroom",
          "bytes that a class keeps for what comes after a pause, with pfc: above the fill that "
          "pauses its sender where memory is split, else for itself beside what is shared; by "
          "default, for each cable, what may arrive after a pause in the worst case"),
      key(&F::hysteresis, "hysteresis",
          "bytes below the fill that pauses at which the sender may resume, with pfc; by default "
          "two of the largest packets"),
      key(&F::verify_headroom, "verify_headroom",
          "with pfc: refuse too little headroom before the run; false: the run fails at the first "
          "packet that finds no room"),
      key(&F::pause_frame, "pause_frame", "a pause frame on the wire, with pfc").range(1, 4096),
      key(&F::pause_response, "pause_response",
          "time that a sender takes from a pause frame's arrival to its effect, with pfc")};
  return keys;
}

const Keys<VlArbitrationKeys>& vl_arbitration_keys() {
  using V = VlArbitrationKeys;
  static const Keys<V> keys{
      key(&V::high, "high",
          "high-priority table of at most 64 entries { vl = 0, weight = 4 }, weights from 0 to 255 "
          "in units of 64 bytes; or connections { vl = 0, share = 0.1 } of the link, which share "
          "entries of weight 255"),
      key(&V::low, "low", "low-priority table, written like the high-priority one"),
      key(&V::high_limit, "high_limit",
          "packets of high priority, or units of `limit_unit`, after which one of low priority "
          "gets its chance; 0: one packet, 255: no limit")
          .range(0, 255),
      choice(&V::limit_unit, "limit_unit",
             "what high_limit counts: packet; or 4096 B, the bytes of packets that have gone, as "
             "the InfiniBand architecture has it",
             {{"packet", 0}, {"4096 B", 4096}})};
  return keys;
}

const Keys<VlRow>& vl_row_keys() {
  static const Keys<VlRow> keys{key(&VlRow::vl, "vl", "virtual lane").required().range(0, 15),
                                key(&VlRow::weight, "weight", "in 64 bytes").range(0, 255),
                                key(&VlRow::share, "share", "of the link, in place of a weight")};
  return keys;
}

const Keys<fabric::FabricSettings>& host_keys() {
  using F = fabric::FabricSettings;
  constexpr double kMost = 1 << 20;
  static const Keys<fabric::FabricSettings> keys{
      key(&F::mtu, "mtu", "largest payload of a packet").range(1, 1 << 20),
      key(&F::header, "header", "bytes added to every packet on the wire").range(0, 4096),
      choice(&F::source_queues, "source_queues",
             "queues for packets that may not be sent yet: fifo, a single one; per-class, one for "
             "each buffer class (always so with VL arbitration, unless per-destination); "
             "per-destination; modulo, `source_queue_count` of them by the destination's number; "
             "or shared-memory, a memory that all packets share and from which the oldest one that "
             "may go is sent",
             {{"fifo", fabric::SourceQueueKind::fifo},
              {"per-class", fabric::SourceQueueKind::per_class},
              {"per-destination", fabric::SourceQueueKind::per_destination},
              {"modulo", fabric::SourceQueueKind::modulo},
              {"shared-memory", fabric::SourceQueueKind::shared_memory}}),
      key(&F::source_queue_count, "source_queue_count",
          "source queues of a host, with source_queues = \"modulo\"")
          .range(1, kMost)
          .without_default(),
      key(&F::source_queue_packets, "source_queue_packets",
          "places of each source queue, with source_queues = \"per-destination\". A packet keeps "
          "its place until its ACK, so that no flow has more on their way; messages wait before "
          "the queue. 0: no bound (default, but for preset pfister; published: the largest dynamic "
          "window)")
          .range(0, kMost)
          .without_default(),
      key(&F::source_memory, "source_memory",
          "memory of a host for packets with their headers, with source_queues = "
          "\"shared-memory\"; messages wait before it in their order")
          .at_least(1)
          .without_default(),
      key(&F::backlog, "backlog", "payload that a source queue can hold (default: no bound)")
          .at_least(1)
          .without_default(),
      key(&F::closed_loop_packets, "staged_packets",
          "packets that a saturated source keeps ready in its queue")
          .range(1, kMost),
      choice(&F::saturation, "saturation",
             "what a saturated source does when the queue of its next message is full: per-queue, "
             "it generates messages for other queues, so that a blocked class or destination holds "
             "back nobody else; head-of-line, it waits, with all that comes after; full-rate, it "
             "generates at the rate of its link and counts what it cannot store as refused",
             {{"per-queue", fabric::Saturation::per_queue},
              {"head-of-line", fabric::Saturation::head_of_line},
              {"full-rate", fabric::Saturation::full_rate}}),
      choice(&F::when_full, "when_full",
             "what happens to a message that finds its bounded source queue full",
             {{"wait", fabric::WhenFull::wait}, {"discard", fabric::WhenFull::discard}}),
      choice(&F::order, "order",
             "what a host does with a packet that comes before an earlier one of its flow: "
             "as-they-come, it delivers it; reorder, it holds it until those before it are there, "
             "in memory without bound that metrics measure (its ACK goes at once)",
             {{"as-they-come", fabric::HostOrder::as_they_come},
              {"reorder", fabric::HostOrder::reorder}}),
      choice(&F::acks, "acks",
             "acknowledgements: in-band, a packet for each data packet; ideal, outside the network "
             "with the latency of an empty one; becn, a notification for each marked packet",
             {{"none", fabric::AckMode::none},
              {"ideal", fabric::AckMode::ideal},
              {"in-band", fabric::AckMode::in_band},
              {"becn", fabric::AckMode::becn}}),
      key(&F::ack_size, "ack_size", "size of an ACK on the wire").range(1, 4096),
      key(&F::ack_service_level, "ack_service_level",
          "service level of ACKs and notifications, which gives them a virtual lane with "
          "queueing.model = \"service-level\" and, by its weights, priority (default: that of "
          "their "
          "data)")
          .range(0, 15),
      key(&F::ack_delay, "ack_delay",
          "delay of an ideal ACK from the arrival of the packet's tail (default: the latency of "
          "the way back through an empty network)"),
      key(&F::ack_jitter, "ack_jitter",
          "largest random addition to the delay of an ideal ACK, uniform from 0")};
  return keys;
}

}  // namespace weir::experiment

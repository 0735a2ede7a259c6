#pragma once

#include <cstdint>

#include "weir/base/ids.hpp"

namespace weir::fabric {

/// Bits of Packet::flags. The two mark bits mean what the configured marker says.
namespace packet_flag {
inline constexpr std::uint8_t kAck = 1U << 0;
inline constexpr std::uint8_t kLastOfMessage = 1U << 1;
inline constexpr std::uint8_t kMarkA = 1U << 2;
inline constexpr std::uint8_t kMarkB = 1U << 3;
inline constexpr std::uint8_t kMarks = kMarkA | kMarkB;
/// Left its default route, or was told to at its source, where adapted flows are isolated.
inline constexpr std::uint8_t kAdapted = 1U << 4;
/// Of a connection that holds reservations; it releases them (Admission).
inline constexpr std::uint8_t kLastOfConnection = 1U << 5;
/// The two highest bits are a FlowStep (FlowRouting).
inline constexpr unsigned kFlowStepShift = 6;
inline constexpr std::uint8_t kFlowStep = 3U << kFlowStepShift;
/// Of a set-up or tear-down packet: it is on its way back. Other packets use the bit otherwise.
inline constexpr std::uint8_t kAnswer = kLastOfMessage;
}  // namespace packet_flag

/// A packet in one cache line. Times in ps, sizes in bytes.
struct alignas(64) Packet {
  std::int64_t injected = 0;  ///< its first bit left the source host
  std::int64_t ready = 0;     ///< may not start to leave the buffer it is in before
  std::int64_t tail = 0;      ///< its last byte is in the buffer it is in
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t message =
      0;  ///< slab index of the message; of an ACK: index of the flow it is about
  std::uint32_t sequence = 0;     ///< position within its flow; of a set-up packet: hops left
  std::uint32_t next = 0;         ///< behind it in the same queue
  std::uint32_t in_port = 0;      ///< global port it came in by
  std::uint32_t size = 0;         ///< bytes on the wire
  std::uint16_t buffer = 0;       ///< buffer class it occupies now
  std::uint16_t next_buffer = 0;  ///< buffer class at the far end of the output it is routed to
  std::uint16_t out = 0;          ///< local output port it is routed to at this switch
  std::uint8_t lane = 0;          ///< routing lane it travels on
  std::uint8_t next_lane = 0;
  std::uint8_t service_level = 0;
  std::uint8_t traffic_class = 0;
  std::uint8_t flags = 0;
  std::uint8_t hops = 0;  ///< switches entered so far

  [[nodiscard]] bool is_ack() const { return (flags & packet_flag::kAck) != 0; }
  [[nodiscard]] bool is_adapted() const { return (flags & packet_flag::kAdapted) != 0; }
};
static_assert(sizeof(Packet) == 64);

/// A message at its source, cut into packets of at most the MTU as they are sent. One cache line.
struct alignas(64) Message {
  std::int64_t generated = 0;  ///< ps
  std::int64_t bytes = 0;
  std::int64_t unsent = 0;       ///< bytes of payload not yet cut into packets
  std::int64_t undelivered = 0;  ///< bytes of payload not yet received
  std::uint32_t flow = 0;
  std::uint32_t next = 0;  ///< behind it in the same source queue
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t tag = 0;  ///< of the one who submitted it
  std::uint32_t newest =
      0;  ///< of its flow, at a delivery: highest sequence number before, plus one
  std::uint16_t buffer = 0;  ///< buffer class of its packets on the host's link
  std::uint8_t lane = 0;     ///< routing lane there
  std::uint8_t traffic_class = 0;
  std::uint8_t service_level = 0;
  bool has_lost = false;         ///< some of it was discarded for a link that is down
  bool ends_connection = false;  ///< no more messages of its connection (Admission)
  bool keeps_rate = false;       ///< goes at the rate of its connection (Injection::set_rate())
};
static_assert(sizeof(Message) == 64);

/// A connection from one host to another. A pair of hosts can have several, told apart by their
/// numbers: the connection identifier (CID) of zdornov2009, section 1.3.
struct ConnectionName {
  HostId source;
  HostId destination;
  std::uint16_t number = 0;
};

/// A connection that has sent something, with its order and conservation counts. Where an injection
/// scheme ranks flows, what keeps a rate and the rest of a connection are two flows. Flows wait in
/// queues of their own and may overtake each other.
struct Flow {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t injected = 0;      ///< packets that entered the network; the next sequence number
  std::uint32_t delivered = 0;     ///< packets received
  std::uint32_t highest = 0;       ///< highest sequence number received, plus one
  std::uint32_t out_of_order = 0;  ///< packets received after one with a higher number
  std::uint32_t lost = 0;          ///< packets discarded for a link that is down
  bool keeps_rate = false;
  std::uint16_t connection = 0;  ///< its number within the pair of hosts
};

}  // namespace weir::fabric

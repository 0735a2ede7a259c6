#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/error.hpp"
#include "weir/base/ids.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

class Core;

/// Packets that switches send to hosts, with a message of a mechanism: it arrives at on_control()
/// of its recipient at the port of the host. They are management packets: each link takes them
/// before all data that has not begun to leave, for the time that their bytes need, and switches
/// store and forward them after the routing delay in memory of their own, which has no bound.
class MessagesToHosts final : public Mechanism {
 public:
  explicit MessagesToHosts(Core& core) : core_(core) {}

  /// To the source of a data packet at the switch of `port`, on the way that ACKs to it go from
  /// there. Throws InputError where no way leads back.
  void send_to_source(PortId port, const Packet& packet, Bytes size, const ControlMessage& message);

  void on_control(PortId port, const ControlMessage& message) override;

  /// A message on its way.
  struct Transit {
    ControlMessage message;
    std::uint32_t source = 0;  ///< host that an ACK would come from
    std::uint32_t destination = 0;
    std::uint32_t size = 0;
    std::uint32_t next = 0;  ///< of the slab
    std::uint32_t hops = 0;
    std::uint8_t lane = 0;
  };
  /// One from another part of the network arrives at `port` at `at`.
  void admit(std::int64_t at, std::uint32_t port, const Transit& transit);
  /// The one that a message of this is about, for a checkpoint.
  [[nodiscard]] Transit& transit_of(const ControlMessage& message) {
    return transits_[message.as<std::uint32_t>()];
  }
  /// A message about `transit`.
  [[nodiscard]] ControlMessage message_about(const Transit& transit) {
    const std::uint32_t handle = transits_.take();
    transits_[handle] = transit;
    return {*this, handle};
  }
  void checkpoint_totals(TotalState& state) override;
  /// Lost for a link that is down.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  [[nodiscard]] std::size_t memory() const override { return transits_.memory(); }

 private:
  [[nodiscard]] InputError no_way_back(std::uint32_t port, const Transit& transit) const;
  /// From the switch of `in_port`, where it has come in.
  void forward(std::uint32_t in_port, std::uint32_t transit);

  Core& core_;
  Slab<Transit> transits_;
  std::uint64_t lost_ = 0;
};

}  // namespace weir::fabric

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/exact_sum.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/shared_pools.hpp"

namespace weir::fabric {

class Core;

/// Flow control by thresholds: a class of an ingress buffer that fills beyond one stops its sender,
/// and lets it go on when it has drained. With FlowControl::stop_and_go the word travels beside the
/// data in no time but the cable's; with FlowControl::pfc it is a pause frame on the link that
/// leads back (IEEE Std 802.1Qbb): it goes before all data, but not before the packet that is on
/// the wire.
///
/// What arrives after the word must find room: the headroom. With pfc that is, for packets of at
/// most M bytes on a cable of delay d and rate R, with frames of F bytes and response time r,
///
///   ceil(R (2 d + r + a + (max(M, F) + F) / R_back)) + M - 1     bytes:
///
/// the frame waits for a packet or frame that has just begun to leave, then takes its own time, and
/// the sender may just have begun a packet. `a`: time from the arrival of a header to its
/// place in the buffer; a switch that stores and forwards notices a packet only when it has all of
/// it, and needs room for one more.
///
/// Where classes share memory each has that headroom for itself, besides what it has reserved, and
/// the rest is a SharedPools of its port, or of all ports of the switch.
class StopAndGo : public Mechanism {
 public:
  /// Throws InputError for buffers without enough headroom, and where no link leads back.
  explicit StopAndGo(Core& core);

  /// A packet has been stored at ingress `port`. Throws RunError when there is no room for it.
  void come(std::uint32_t port, const Packet& packet, std::uint32_t handle);
  /// `bytes` of class `buffer` of ingress `port` have become free.
  void leave(std::uint32_t port, std::uint16_t buffer, std::uint32_t bytes);

  /// Bytes that have to be free when ingress `port` stops its sender.
  [[nodiscard]] std::int64_t headroom(std::uint32_t port) const;

  void read(Readings& readings, Time now) const override;
  [[nodiscard]] std::size_t memory() const override;
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(NodeState& state) override;
  void checkpoint_totals(TotalState& state) override;

 private:
  void set_thresholds(std::uint32_t port);
  void set_pfc_thresholds(std::uint32_t port);
  void share_memory();
  /// Classes of all ports from `first` to before `last`, which are of one pool.
  void add_pool(std::uint32_t first, std::uint32_t last);
  /// What a class of ingress `port` keeps free for what comes after a pause.
  [[nodiscard]] std::int64_t pfc_headroom(std::uint32_t port) const;
  /// Bytes that lie between a pause and the resume, with pfc.
  [[nodiscard]] std::int64_t hysteresis() const;

  void come_shared(std::uint32_t port, const Packet& packet, std::uint32_t handle);
  void leave_shared(std::size_t i, std::uint32_t bytes);
  /// Class `buffer` of ingress `port`, which is number `i` of all, stops its sender, or lets it go.
  void stop(std::size_t i, std::uint32_t port, std::uint16_t buffer);
  void go(std::size_t i, std::uint32_t port, std::uint16_t buffer);
  /// When the sender that feeds ingress `port` hears what is told it now.
  std::int64_t tell_at(std::uint32_t port);
  [[noreturn]] void overflow(std::uint32_t port, const Packet& packet, std::uint32_t handle) const;

  struct Thresholds {
    std::int64_t stop = 0;  ///< more than that: stop
    std::int64_t go = 0;    ///< less than that: go on
  };

  Core& core_;
  bool is_pfc_;
  std::vector<Thresholds> thresholds_;  ///< per ingress port; empty where memory is shared
  /// Per ingress port and class, until the tail has left; empty where memory is shared.
  std::vector<std::int64_t> occupied_;
  std::unique_ptr<SharedPools> pools_;  ///< null: memory is split
  std::vector<std::int64_t> headroom_;  ///< per ingress port, of a class, where memory is shared
  std::vector<std::int64_t> stopped_since_;  ///< likewise; kNever: its sender may go
  std::vector<std::int64_t> frame_leaves_;   ///< per port: start of its last pause frame
  std::uint64_t frames_ = 0;
  // Integral over time of the classes that have stopped their senders: what is over, and for those
  // that still do, how many and the sum of their starts.
  ExactSum stopped_time_;
  ExactSum open_starts_;
  std::int64_t open_ = 0;
  std::int64_t classes_ = 0;  ///< of this part of the network that could stop a sender
};

}  // namespace weir::fabric

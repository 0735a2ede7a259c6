#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "weir/base/exact_sum.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/parallel/peak.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

class Core;

/// Where hosts hold data packets that have come before their turn (HostOrder::reorder): of each
/// flow those behind a packet that is still on its way. Memory has no bound; how much a host would
/// need is what it measures. A packet that was lost with its link is not waited for.
class ReorderBuffers final : public Mechanism {
 public:
  explicit ReorderBuffers(Core& core);

  /// Holds `packet` of `flow`, whose turn has not come: the flow waits for number `next`.
  void hold(std::uint32_t flow, std::uint32_t next, std::uint32_t packet);
  /// Packet `sequence` of `flow`, which waits for number `next`, will not come.
  void skip(std::uint32_t flow, std::uint32_t next, std::uint32_t sequence);
  /// Takes what is there of number `next` of `flow`: the handle of a packet, kNone (it has not
  /// come) or kLost.
  [[nodiscard]] std::uint32_t take(std::uint32_t flow, std::uint32_t next);

  static constexpr std::uint32_t kLost = kNone - 1;

  [[nodiscard]] std::size_t held() const { return held_; }
  /// Throws RunError where a network without traffic holds packets.
  void check(bool is_idle) const override;
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint_totals(TotalState& state) override;
  /// Of a host, which hands packets over: exchange(handle).
  void checkpoint_held(NodeState& state, const std::function<void(std::uint32_t&)>& exchange);
  void read(Readings& readings, Time now) const override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  /// The packets that wait for others of their flow: place `sequence` modulo the size, a power of
  /// two. Numbers in use are less than the size apart.
  struct Window {
    std::vector<std::uint32_t> places;
    std::uint32_t used = 0;
  };

  [[nodiscard]] Window& window(std::uint32_t flow);
  void change_bytes(std::uint32_t host, std::int64_t bytes);
  void put(std::uint32_t flow, std::uint32_t next, std::uint32_t sequence, std::uint32_t what);

  Core& core_;
  std::vector<std::uint32_t> window_of_;  ///< per flow; kNone: nothing waits
  std::vector<Window> windows_;
  std::vector<std::uint32_t> free_windows_;
  std::vector<std::int64_t> held_at_;  ///< per host: bytes
  std::size_t held_ = 0;               ///< packets
  Peak bytes_;                         ///< of all hosts
  std::int64_t most_at_host_ = 0;      ///< of one host, ever
  std::uint32_t most_ahead_ = 0;       ///< of a packet, of the one that its flow waited for
  std::uint64_t ever_held_ = 0;        ///< packets
  std::uint64_t released_ = 0;         ///< of these
  ExactSum waited_;                    ///< by these, ps
  ExactSum byte_time_;                 ///< bytes times ps, until changed_at_
  std::int64_t changed_at_ = 0;
};

}  // namespace weir::fabric

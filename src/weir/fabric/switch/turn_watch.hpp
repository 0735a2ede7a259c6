#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/fabric/slab.hpp"

namespace weir::fabric {

class Core;
class NodeState;
class SwitchModel;
class TotalState;

/// Looks for heads of queues in switches that others pass: packets of other queues leave by the
/// same output for the same class, again and again, while one stays. No rule of arbitration or
/// admission may do that for long; this is how a rule that does shows.
///
/// A few heads are watched at a time, those that have waited longest; what leaves their outputs is
/// counted until they go. A network without long waits is not watched at all.
class TurnWatch {
 public:
  /// What has been found so far.
  struct Findings {
    std::uint64_t heads = 0;     ///< heads that more than the bound have passed
    std::uint64_t passed = 0;    ///< most packets that have passed one of them
    std::uint32_t port = kNone;  ///< output that the first of them wanted
    std::uint16_t buffer = 0;    ///< and class
    std::uint64_t bound = 0;     ///< packets that may pass a head there

    /// With those of another part of the network.
    Findings& operator+=(const Findings& other);
    /// For the notes of a run; empty: nothing was found.
    [[nodiscard]] std::string note(const Core& core) const;
  };

  /// Packets of others that may pass a head for an output of a switch with `degree` ports before
  /// its turn has come: every input comes before it with each of its queues, as often as an output
  /// may let others go (see CrossbarSwitch), and the same again for heads before it.
  [[nodiscard]] static std::uint64_t bound(std::uint32_t degree, std::uint32_t queues);

  /// Takes stock; called now and then. Heads that wait since before `since` come into question.
  void look(Core& core, const SwitchModel& switches, std::int64_t since);
  /// A packet has left the watched output `port` for class `buffer`.
  void on_sent(std::uint32_t port, std::uint16_t buffer) {
    for (Head& head : heads_) {
      if (head.port == port && head.buffer == buffer) ++head.passed;
    }
  }
  [[nodiscard]] const Findings& findings() const { return findings_; }
  /// Heads at the ports of a node; when read they are found again by find_packets(), when all of
  /// the network is there.
  void checkpoint(NodeState& state);
  void find_packets(Core& core, const SwitchModel& switches);
  void checkpoint_totals(TotalState& state);

 private:
  struct Head {
    std::int64_t ready = 0;
    std::uint32_t packet = kNone;
    std::uint32_t port = kNone;
    std::uint16_t buffer = 0;
    bool is_at_egress = false;
    bool is_still_there = false;
    bool is_counted = false;
    std::uint64_t passed = 0;

    [[nodiscard]] bool is_same(const Head& other) const {
      return packet == other.packet && port == other.port && ready == other.ready &&
             is_at_egress == other.is_at_egress;
    }
  };
  static constexpr std::size_t kMost = 32;

  void collect(const Core& core, const SwitchModel& switches, std::int64_t since);
  void judge(const Core& core);

  std::vector<Head> heads_;       ///< watched
  std::vector<Head> candidates_;  ///< of the look that is going on
  Findings findings_;
};

}  // namespace weir::fabric

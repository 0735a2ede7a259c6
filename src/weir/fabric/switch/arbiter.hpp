#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/switch/ingress.hpp"

namespace weir::fabric {

/// A head that could go now.
struct Contender {
  IngressBuffers::Request request;
  std::uint16_t vl = 0;      ///< class it needs downstream
  std::int64_t arrived = 0;  ///< since when it could go
  std::uint32_t size = 0;
};

/// The tables of a port: as connections fill them in this run, or as they are set.
const VlArbitration& vl_tables(const Core& core, std::uint32_t port);

/// Serves the two VL arbitration tables of one output port (yan2012, section 2.3.3).
class VlArbiter {
 public:
  /// The tables may change while they are served; how many entries they have may not.
  explicit VlArbiter(const VlArbitration& tables) : tables_(&tables) {}
  /// The VL to serve among those in `sendable` (bit per VL, 0..15), or -1.
  int pick(std::uint32_t sendable, std::uint32_t bytes_by_vl[16]);
  void checkpoint(StateArchive& state);

 private:
  struct Cursor {
    std::size_t position = 0;
    int credit = -1;  ///< 64-byte units left; -1: not loaded yet
  };
  int next(const std::vector<VlWeight>& table, Cursor& cursor, std::uint32_t sendable) const;
  static void charge(const std::vector<VlWeight>& table, Cursor& cursor, std::uint32_t bytes);

  const VlArbitration* tables_;
  Cursor high_;
  Cursor low_;
  std::int64_t high_sent_ = 0;  ///< since the last packet of low priority, packets or bytes
};

/// Chooses among the contenders of an output by the configured rule. Round robin over inputs has
/// its own short path in the switches and comes here only for ties inside a VL.
class Arbiter {
 public:
  explicit Arbiter(const Core& core);
  /// Index of the winner. `contenders` is not empty. `next_input`: the port's round-robin pointer.
  std::size_t choose(std::uint32_t port, std::uint16_t next_input,
                     const std::vector<Contender>& contenders);
  void checkpoint(NodeState& state);

 private:
  std::size_t first_come(std::uint16_t next_input, const std::vector<Contender>& contenders) const;
  std::size_t vl_weighted(std::uint32_t port, const std::vector<Contender>& contenders);

  ArbiterKind kind_;
  std::vector<VlArbiter> vl_;  ///< per port
  /// Per port and VL: the input whose turn it is. One pointer for all VLs would move on with the
  /// others, and show a VL the same input again and again.
  std::vector<std::array<std::uint16_t, 16>> next_input_;
  std::vector<RandomStream> random_;  ///< per port
};

}  // namespace weir::fabric

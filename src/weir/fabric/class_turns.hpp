#pragma once

#include <cstdint>
#include <vector>

#include "weir/fabric/core.hpp"

namespace weir::fabric {

/// Turns of inputs at the outputs of switches that are kept for want of room.
///
/// One round-robin pointer serves all classes of an output. While a class has no room it moves on
/// with the others, and where it stands when room comes may always be the same, so that the same
/// input takes it. An input that has been passed over for want of room is remembered here, one an
/// output, and goes first once others have gone for the same class more often than their turns
/// come. Until then nothing is changed.
class ClassTurns {
 public:
  /// With a single class nothing goes while there is no room, and the pointer stays.
  explicit ClassTurns(const Core& core)
      : turns_(core.buffers > 1 ? core.graph.port_count() : std::size_t{0}) {}

  struct Turn {
    std::uint16_t input = 0;
    std::uint16_t buffer = 0;
    std::uint32_t let_pass = 0;  ///< others for the class that have gone since; 0: nobody waits
  };

  /// The head of `input` for class `buffer` of output `port` finds no room.
  void pass_over(std::uint32_t port, unsigned input, std::uint16_t buffer) {
    if (turns_.empty() || turns_[port].let_pass != 0) return;
    turns_[port] = {static_cast<std::uint16_t>(input), buffer, 1};
  }
  /// A head of `input` for class `buffer` goes.
  void serve(std::uint32_t port, unsigned input, std::uint16_t buffer) {
    if (turns_.empty()) return;
    Turn& turn = turns_[port];
    if (turn.let_pass == 0 || turn.buffer != buffer) return;
    turn.let_pass = turn.input == input ? 0 : turn.let_pass + 1;
  }
  /// Who goes first at `port` as soon as there is room; null: nobody.
  [[nodiscard]] Turn* overdue(std::uint32_t port, const Output& out) {
    if (turns_.empty()) return nullptr;
    Turn& turn = turns_[port];
    constexpr std::uint32_t kRounds = 2;
    if (turn.let_pass <= kRounds || turn.let_pass <= kRounds * out.requests.count()) return nullptr;
    return &turn;
  }

 private:
  std::vector<Turn> turns_;  ///< per port; empty with a single class
};

}  // namespace weir::fabric

#pragma once
#include <cstdint>

namespace weir::fabric {

/// The turn that an output of a crossbar keeps for an input that was busy when it came.
///
/// Transfers are not in step: whenever the output is free, the same input may be busy, and
/// iterative round robin would pass it over for good. So the output remembers one such input and
/// counts the packets that it lets others send meanwhile; after `kPatience` rounds it waits for
/// that input. Where several are passed over the turn goes round among them: it is not the search's
/// pointer that decides, which each input that is free sends back to the same place. `Mask`:
/// PortWord or PortMask (port_mask.hpp); inputs are local numbers of one switch.
class KeptTurn {
 public:
  /// Rounds of the inputs that want it that an output lets go before it waits for one that is busy.
  /// Each wait costs at most a packet: with 2, saturated switches lost 0.6 % at the most.
  static constexpr unsigned kPatience = 2;

  [[nodiscard]] unsigned input() const { return input_; }
  /// The output waits: it has let everyone else go often enough. `requests`: who wants it.
  template <class Mask>
  [[nodiscard]] bool is_overdue(const Mask& requests) const {
    return let_pass_ > kPatience && let_pass_ > kPatience * requests.count();
  }
  void drop() { let_pass_ = 0; }

  /// The output is about to serve `input`, whose search began at `next`; `passed`: inputs that want
  /// it and are busy; `degree`: ports of the switch.
  template <class Mask>
  void serve(unsigned input, const Mask& passed, unsigned next, unsigned degree) {
    if (let_pass_ != 0) {
      let_pass_ = input_ == input ? std::uint16_t{0} : static_cast<std::uint16_t>(let_pass_ + 1);
      return;
    }
    if (!passed.any()) return;
    Mask in_turn = passed;
    in_turn.set(input);
    if (in_turn.first_cyclic(next, degree) == input) return;  // its turn was before theirs
    const unsigned behind = input_ + 1U < degree ? input_ + 1U : 0U;
    input_ = static_cast<std::uint8_t>(passed.first_cyclic(behind, degree));
    let_pass_ = 1;
  }

 private:
  std::uint16_t let_pass_ = 0;  ///< others that have gone since; 0: it keeps no turn
  std::uint8_t input_ = 0;      ///< whose turn it keeps, or kept last
};
static_assert(sizeof(KeptTurn) == 4);

}  // namespace weir::fabric

#pragma once

#include <cstdint>
#include <vector>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/switch/ingress.hpp"

namespace weir::fabric {

/// Turns of inputs in the classes of an output that lack room.
///
/// One round-robin pointer serves all classes of an output. A class that has room now and then
/// would find it where the others have left it, which may be the same place every time: the same
/// input would take all the room. So a class has a pointer of its own, which says what goes when
/// there was no room for the class since it went last. The pointer of the output still says which
/// class.
///
/// Queues that are set aside share a class, but not the queue of the output that they lead to,
/// which stops them when it is full. With isolation the classes here are those queues of the
/// output, and a class keeps to its own pointer until both agree.
class ClassTurns {
 public:
  /// With a single class, where no input is ever busy, the pointer of the output does the same.
  ClassTurns(const Core& core, bool inputs_are_busy)
      : classes_stop_(core.mechanisms.isolation != nullptr),
        classes_(inputs_are_busy || core.buffers > 1 ? static_cast<std::size_t>(core.buffers) : 0) {
    if (core.mechanisms.isolation) {
      const SideResources queues = core.mechanisms.isolation->resources(true, 1);
      classes_ = static_cast<std::size_t>(core.buffers) *
                 (std::size_t{queues.normal_queues} + queues.set_aside_queues);
    }
    turns_.resize(core.graph.port_count() * classes_);
  }

  /// A head for class `buffer` of output `port` finds no room.
  void lacks_room(std::uint32_t port, std::uint16_t buffer) {
    if (classes_ != 0) turns_[port * classes_ + buffer].lacked_room = true;
  }
  /// No head of any class does.
  void lacks_room(std::uint32_t port) {
    for (std::size_t b = 0; b < classes_; ++b) turns_[port * classes_ + b].lacked_room = true;
  }
  /// `found`, a head for class `buffer` of output `port`, could go: replaces it by the head for
  /// that class whose turn it is among `inputs`, and accept(queue). False when that input is not in
  /// `free`: the class waits for it.
  template <class Mask, class Accept>
  bool take_turns(std::uint32_t port, std::uint16_t buffer, const IngressBuffers& ingress,
                  const Mask& inputs, const Mask& free, unsigned degree,
                  IngressBuffers::Request& found, Accept accept) {
    if (classes_ == 0) return true;
    Turn& turn = turns_[port * classes_ + buffer];
    if (!turn.lacked_room && !turn.differs) return true;
    const Mask& asked = turn.lacked_room ? inputs : free;
    asked.find_cyclic(turn.next, degree, [&](unsigned input) {
      return input == found.input || ingress.find(port, input, found, [&](const Queue& queue) {
        return ingress.turn_class(queue) == buffer && accept(queue);
      });
    });
    if (free.test(found.input)) return true;
    turn.is_awaited = true;
    return false;
  }
  /// take_turns() would take what the pointer of the output finds.
  [[nodiscard]] bool follows_output(std::uint32_t port, std::uint16_t buffer) const {
    if (classes_ == 0) return true;
    const Turn& turn = turns_[port * classes_ + buffer];
    return !turn.lacked_room && !turn.differs && !turn.is_awaited;
  }
  /// A class has waited for this input while it was busy.
  [[nodiscard]] bool is_awaited(std::uint32_t port, std::uint16_t buffer) const {
    return classes_ != 0 && turns_[port * classes_ + buffer].is_awaited;
  }
  /// It is the turn of `input` in class `buffer` of output `port`, which has no room now.
  void give_turn(std::uint32_t port, unsigned input, std::uint16_t buffer) {
    if (classes_ != 0) turns_[port * classes_ + buffer] = {static_cast<std::uint16_t>(input), true};
  }
  /// A head of `input` for class `buffer` goes, on the turn of input `in_turn`. With queues that
  /// stop and go on, the pointer of the output would find some inputs twice each time while these
  /// are not the same.
  void serve(std::uint32_t port, unsigned input, unsigned in_turn, std::uint16_t buffer,
             unsigned degree) {
    if (classes_ == 0) return;
    Turn& turn = turns_[port * classes_ + buffer];
    const unsigned next = input + 1 < degree ? input + 1 : 0;
    const bool has_own = classes_stop_ && (turn.lacked_room || turn.differs);
    turn = {static_cast<std::uint16_t>(next)};
    turn.differs = has_own && input != in_turn;
  }
  /// A head for class `buffer` goes that was owed a turn: those of the others stay what they are.
  void serve_out_of_turn(std::uint32_t port, std::uint16_t buffer) {
    if (classes_ == 0) return;
    Turn& turn = turns_[port * classes_ + buffer];
    turn.differs = classes_stop_ && (turn.lacked_room || turn.differs);
    turn.lacked_room = turn.is_awaited = false;
  }
  void checkpoint(NodeState& state) { state.of_ports(turns_, classes_); }
  [[nodiscard]] std::size_t memory() const { return turns_.capacity() * sizeof(Turn); }

 private:
  struct Turn {
    std::uint16_t next = 0;  ///< behind the input that was served last
    bool lacked_room = false;
    bool differs = false;  ///< from the pointer of the output, since it lacked room
    bool is_awaited = false;
  };

  bool classes_stop_;
  std::size_t classes_;      ///< of an output; 0: nothing to remember
  std::vector<Turn> turns_;  ///< per port and class
};

}  // namespace weir::fabric

#include "weir/fabric/queues.hpp"

#include "weir/fabric/checkpoint/node_state.hpp"

namespace weir::fabric {

void Queues::checkpoint_queue(NodeState& state, std::uint32_t q) {
  Queue& queue = queues_[q];
  std::uint32_t count = queue.packets();
  bool is_held = queue.is_held;
  bool is_urgent = queue.is_urgent;
  state(count, is_held, is_urgent);
  std::uint32_t packet = queue.head;
  for (; count > 0; --count) {
    state.packet(packet);
    if (state.is_reading()) {
      (void)push(q, packet);
    } else {
      packet = (*packets_)[packet].next;
    }
  }
  state(queue.stored, queue.removed);
  queue.is_held = is_held;
  queue.is_urgent = is_urgent;
}

void Queues::checkpoint_list(StateArchive& state, std::size_t l, std::uint32_t base) {
  std::vector<std::uint32_t> members;
  if (!state.is_reading()) {
    for (std::uint32_t q = lists_[l].first; q != kNone; q = queues_[q].next_active)
      members.push_back(q - base);
  }
  state(members);
  if (!state.is_reading()) return;
  ActiveList& list = lists_[l];
  for (const std::uint32_t member : members) {
    const std::uint32_t q = base + member;
    queues_[q].next_active = kNone;
    (list.first == kNone ? list.first : queues_[list.last].next_active) = q;
    list.last = q;
  }
}

}  // namespace weir::fabric

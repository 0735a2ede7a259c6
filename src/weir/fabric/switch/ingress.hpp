#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/queues.hpp"

namespace weir::fabric {

/// The ingress buffers of all switches: queues by class (one FIFO, or one VOQ per output) and, for
/// every (input, output) pair, the list of queues whose head wants that output.
class IngressBuffers {
 public:
  explicit IngressBuffers(Core& core);

  /// A request found by find(): queue `queue`, behind `before` in its pair's list.
  struct Request {
    std::uint32_t queue = kNone;
    std::uint32_t before = kNone;
    std::uint16_t input = 0;
  };

  /// Stores a routed packet. Returns true when it is a new head, which is a new request for its
  /// output.
  bool push(std::uint32_t port, std::uint32_t packet) {
    return one_queue_a_pair_ ? push_to_pair(port, packet) : push_to_class(port, packet);
  }

  /// Congestion isolation: stores it in the queue at `place` of the port.
  bool push(std::uint32_t port, std::uint32_t packet, std::uint32_t place);
  [[nodiscard]] const Queue& queue(std::uint32_t port, std::uint32_t place) const {
    return queues_[queue_base_[port] + place];
  }
  /// The virtual output queue for local output `out` and class `buffer`.
  [[nodiscard]] const Queue& voq(std::uint32_t port, std::uint16_t out,
                                 std::uint16_t buffer) const {
    return queues_[voq_index(port, out, buffer)];
  }
  /// Tell those that watch queues of a packet that has joined, or left, one. A selection does not
  /// want to hear of nearly empty virtual output queues. `number`: of the queue in its class.
  void report_queued(std::uint32_t port, std::uint32_t packet, const Packet& p,
                     std::uint32_t number = 0) const {
    if (core_.watched_bytes == UINT32_MAX) [[likely]]
      return;
    if (core_.mechanisms.waiting) [[unlikely]]
      watch_queued(port, packet, number);
    if (is_watched(port, p, 0)) core_.models.selection->on_queued(port, p.out, p.buffer);
  }
  void report_removed(std::uint32_t port, std::uint32_t packet, const Packet& p,
                      std::uint32_t queue) const {
    if (core_.watched_bytes == UINT32_MAX) [[likely]]
      return;
    if (core_.mechanisms.waiting) [[unlikely]]
      watch_removed(port, packet, queue);
    if (is_watched(port, p, p.size)) core_.models.selection->on_removed(port, p.out, p.buffer);
  }
  /// Congestion isolation, queues of ingress `port` by their places (Core::queue_place()). hold()
  /// returns the output port that the input has no head for any longer, let_go() the one that it
  /// has a new head for; else kNone.
  std::uint32_t hold(std::uint32_t port, std::uint32_t place);
  std::uint32_t let_go(std::uint32_t port, std::uint32_t place);
  void set_urgent(std::uint32_t port, std::uint32_t place, bool urgent);
  /// Packets of the queue at `place` of the port will join the queue at place `target` of their
  /// output, or take turns as if there was one; 0: the first one of their next class.
  void set_target(std::uint32_t port, std::uint32_t place, std::uint32_t target) {
    targets_[queue_base_[port] + place] = static_cast<std::uint16_t>(target);
  }
  /// What a head shares with those whose turns come before and after its own: the class behind the
  /// output, or with isolation the queue at the output.
  [[nodiscard]] std::uint16_t turn_class(const Queue& queue) const {
    if (targets_.empty()) return queue.head_buffer;
    const std::uint16_t target = targets_[queues_.index_of(queue)];
    return target != 0 ? target : queue.head_buffer;
  }
  [[nodiscard]] std::uint16_t turn_class(const Request& request) const {
    return turn_class(queues_[request.queue]);
  }
  [[nodiscard]] const Queue& queue_of(const Request& request) const {
    return queues_[request.queue];
  }
  /// Number of a queue at its port, in its class.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t port, std::uint32_t queue) const {
    return core_.queue_number(queue - queue_base_[port]);
  }
  struct Moved {
    std::uint32_t lost = kNone;  ///< output port that the input may have no head for any longer
    std::uint32_t asked[2] = {kNone, kNone};  ///< output ports that it has heads for
  };
  Moved move_head(std::uint32_t port, std::uint32_t from, std::uint32_t to);
  /// What is in queue `from` is in the empty queue `to` from now on, and keeps its turn.
  void rename(std::uint32_t port, std::uint32_t from, std::uint32_t to);

  /// First request of local input `input` for output `port` that `accept(queue)` accepts.
  template <class Accept>
  bool find(std::uint32_t port, unsigned input, Request& found, Accept accept) const {
    if (one_queue_a_pair_) {
      const auto q = static_cast<std::uint32_t>(pair(port, input));
      if (!accept(queues_[q])) return false;
      found = {q, kNone, static_cast<std::uint16_t>(input)};
      return true;
    }
    std::uint32_t before = kNone;
    for (std::uint32_t q = queues_.list(pair(port, input)).first; q != kNone;
         before = q, q = queues_[q].next_active) {
      if (!accept(queues_[q])) continue;
      found = {q, before, static_cast<std::uint16_t>(input)};
      return true;
    }
    return false;
  }

  /// Visits every request of local input `input` for output `port`: visit(request, queue).
  template <class Visit>
  void for_each_request(std::uint32_t port, unsigned input, Visit visit) const {
    if (one_queue_a_pair_) {
      const auto q = static_cast<std::uint32_t>(pair(port, input));
      visit(Request{q, kNone, static_cast<std::uint16_t>(input)}, queues_[q]);
      return;
    }
    std::uint32_t before = kNone;
    for (std::uint32_t q = queues_.list(pair(port, input)).first; q != kNone;
         before = q, q = queues_[q].next_active) {
      visit(Request{q, before, static_cast<std::uint16_t>(input)}, queues_[q]);
    }
  }

  /// Takes the head of a request out of its queue; the queue's next head asks for its own output.
  /// Returns the packet, and in `next_output` the output port of the new head (kNone: none).
  std::uint32_t pop(std::uint32_t port, const Request& found, std::uint32_t& next_output) {
    return one_queue_a_pair_ ? pop_from_pair(port, found, next_output)
                             : pop_from_list(port, found, next_output);
  }

  /// With one queue a pair: the queue from local input `input` to output `port`, its head, and
  /// what push() and pop() do with it.
  [[nodiscard]] std::uint32_t pair_queue(std::uint32_t port, unsigned input) const {
    return pair_base_[port] + input;
  }
  [[nodiscard]] std::uint32_t head_of(std::uint32_t queue) const { return queues_[queue].head; }
  void prefetch_pair(std::uint32_t queue) const { weir::prefetch(&queues_[queue]); }
  void prefetch_tail_of(std::uint32_t queue) const { queues_.prefetch_tail(queue); }
  void prefetch_head_of(std::uint32_t queue) const { queues_.prefetch_head(queue); }
  bool push_to_pair(std::uint32_t output, unsigned input, std::uint32_t packet) {
    return push_to_pair(core_.links[output], input, pair_queue(output, input), packet,
                        core_.packets[packet]);
  }
  bool push_to_pair(Output& out, unsigned input, std::uint32_t queue, std::uint32_t packet,
                    Packet& p) {
    out.queued_bytes += p.size;
    if (!queues_.push(queues_[queue], packet, p)) return false;
    out.requests.set(input);
    return true;
  }
  std::uint32_t pop_from_pair(Output& out, unsigned input, std::uint32_t queue) {
    const std::uint32_t packet = queues_[queue].head;
    pop_from_pair(out, input, queue, core_.packets[packet]);
    return packet;
  }
  /// `p`: its head.
  void pop_from_pair(Output& out, unsigned input, std::uint32_t queue, const Packet& p) {
    out.queued_bytes -= p.size;
    if (!queues_.pop(queues_[queue], p)) out.requests.clear(input);
  }

  void prefetch(std::uint32_t port, const Packet& p) const {
    weir::prefetch(&queues_[queue_of(port, p)]);
    if (one_queue_a_pair_) return;
    const PortInfo& in = core_.ports[port];
    queues_.prefetch_list(pair(in.first_port + p.out, in.number));
  }
  void prefetch_tail(std::uint32_t port, const Packet& p) const {
    queues_.prefetch_tail(queue_of(port, p));
  }
  /// What the request that round robin looks at first leads to: its queue and its input.
  void prefetch_request(std::uint32_t port) const {
    visit_next(port, [&](std::size_t pair, std::uint32_t in_port) {
      if (one_queue_a_pair_) {
        weir::prefetch(&queues_[static_cast<std::uint32_t>(pair)]);
      } else {
        queues_.prefetch_list(pair);
      }
      weir::prefetch(&core_.ports[in_port]);
      weir::prefetch(&core_.stored[core_.buffer_index(in_port, 0)]);
    });
  }
  /// Then its packet, and the sender that gets credit for it.
  void prefetch_head(std::uint32_t port) const {
    visit_next(port, [&](std::size_t pair, std::uint32_t in_port) {
      const std::uint32_t queue =
          one_queue_a_pair_ ? static_cast<std::uint32_t>(pair) : queues_.list(pair).first;
      if (queue == kNone) return;
      if (one_queue_a_pair_) {
        queues_.prefetch_head(queue);
      } else {
        weir::prefetch(&queues_[queue]);
      }
      core_.links.prefetch_feedback(core_.ports[in_port].upstream);
    });
  }

  /// Several queues may ask for an output on behalf of one input.
  [[nodiscard]] bool lists_requests() const { return !one_queue_a_pair_; }
  /// Where requests are in lists: calls visit(ingress port, queue) for the first of those that
  /// round robin looks at first.
  template <class Visit>
  void visit_first_request(std::uint32_t port, Visit visit) const {
    visit_next(port, [&](std::size_t pair, std::uint32_t in_port) {
      const std::uint32_t queue = queues_.list(pair).first;
      if (queue != kNone) visit(in_port, queue);
    });
  }
  /// The head of a queue, kNone: there is none.
  std::uint32_t prefetch_packet(std::uint32_t queue) const {
    queues_.prefetch_head(queue);
    return queues_[queue].head;
  }

  /// visit(queue, bytes) for every queue of ingress `port`, or of one class of it.
  template <class Visit>
  void for_each_queue_at(std::uint32_t port, std::uint16_t buffer, bool of_class,
                         Visit visit) const {
    if (!of_class || one_queue_a_pair_) {
      for_each_queue_at(port, [&](std::uint32_t q) { visit(q, queues_[q].bytes); });
      return;
    }
    const auto stride = static_cast<std::uint32_t>(core_.buffers);
    for (std::uint32_t q = queue_base_[port] + buffer; q < queue_base_[port + 1]; q += stride)
      visit(q, queues_[q].bytes);
  }
  /// visit(packet) for every packet stored at ingress `port`.
  template <class Visit>
  void for_each_at(std::uint32_t port, Visit visit) const {
    for_each_queue_at(port, [&](std::uint32_t queue) {
      for (std::uint32_t p = queues_[queue].head; p != kNone; p = core_.packets[p].next) visit(p);
    });
  }
  /// Outputs of its switch that packets stored at ingress `port` want, where counts(packet) is
  /// true.
  template <class Counts>
  [[nodiscard]] PortMask outputs_wanted_at(std::uint32_t port, Counts counts) const {
    PortMask wanted;
    for_each_queue_at(port, [&](std::uint32_t queue) {
      for (std::uint32_t p = queues_[queue].head; p != kNone; p = core_.packets[p].next) {
        if (!counts(core_.packets[p])) continue;
        wanted.set(core_.packets[p].out);
        if (one_queue_a_pair_) return;  // all others of the queue want the same
      }
    });
    return wanted;
  }
  void for_each_packet(const std::function<void(std::uint32_t, std::uint32_t)>& visit) const;
  /// visit(output port, packet) for the head of every queue that is not held.
  template <class Visit>
  void for_each_head(Visit visit) const {
    for_each_filled([&](const Queue& queue) {
      if (queue.is_held) return;
      visit(core_.ports[core_.packets[queue.head].in_port].first_port + queue.head_out, queue.head);
    });
  }
  void for_each_wait(std::uint32_t port, std::uint16_t buffer,
                     const std::function<void(std::uint32_t)>& visit) const;
  void checkpoint(NodeState& state);
  [[nodiscard]] std::size_t memory() const {
    return queues_.memory() + targets_.capacity() * sizeof(std::uint16_t);
  }

 private:
  /// visit(queue) for every queue of ingress `port`.
  template <class Visit>
  void for_each_queue_at(std::uint32_t port, Visit visit) const {
    if (one_queue_a_pair_) {
      const PortInfo& info = core_.ports[port];
      for (std::uint32_t out = 0; out < info.degree; ++out)
        visit(static_cast<std::uint32_t>(pair(info.first_port + out, info.number)));
    } else {
      for (std::uint32_t q = queue_base_[port]; q < queue_base_[port + 1]; ++q) visit(q);
    }
  }
  /// visit(queue) for every queue that holds something, in the order of their places.
  template <class Visit>
  void for_each_filled(Visit visit) const {
    if (!one_queue_a_pair_) {
      for (std::uint32_t q = 0; q < queues_.size(); ++q)
        if (queues_[q].head != kNone) visit(queues_[q]);
      return;
    }
    // Most queues of a large network are empty; the others ask for their outputs.
    for (std::uint32_t port = 0; port < core_.links.size(); ++port) {
      if (pair_base_[port] == pair_base_[port + 1]) continue;  // of a host, or in another part
      const Output& out = core_.links[port];
      out.requests.find_cyclic(0, out.owner_degree, [&](unsigned input) {
        visit(queues_[static_cast<std::uint32_t>(pair(port, input))]);
        return false;
      });
    }
  }
  /// visit(pair, ingress port) of the request of `port` that is next in turn.
  template <class Visit>
  void visit_next(std::uint32_t port, Visit visit) const {
    const Output& out = core_.links[port];
    if (!out.requests.any()) return;
    const unsigned input = out.requests.first_cyclic(out.next_input, out.owner_degree);
    visit(pair(port, input), core_.ports[port].first_port + input);
  }
  [[nodiscard]] std::size_t pair(std::uint32_t output, unsigned input) const {
    return std::size_t{pair_base_[output]} + input;
  }
  [[nodiscard]] std::uint32_t queue_of(std::uint32_t port, const Packet& p) const {
    return voq_ ? voq_index(port, p.out, p.buffer) : queue_base_[port] + p.buffer;
  }
  /// With `more` bytes the queue holds as much as the selection watches.
  [[nodiscard]] bool is_watched(std::uint32_t port, const Packet& p, std::uint32_t more) const {
    return core_.watched_bytes != Core::kNoVoqs &&
           voq(port, p.out, p.buffer).bytes + more >= core_.watched_bytes;
  }
  [[nodiscard]] std::uint32_t voq_index(std::uint32_t port, std::uint16_t out,
                                        std::uint16_t buffer) const {
    if (one_queue_a_pair_) {
      return static_cast<std::uint32_t>(
          pair(core_.ports[port].first_port + out, core_.ports[port].number));
    }
    return queue_base_[port] + out * static_cast<std::uint32_t>(core_.buffers) + buffer;
  }
  /// push() and pop(), with one queue a pair in line: most of all hops.
  bool push_to_pair(std::uint32_t port, std::uint32_t packet) {
    const PortInfo& in = core_.ports[port];
    return push_to_pair(in.first_port + core_.packets[packet].out, in.number, packet);
  }
  bool push_to_class(std::uint32_t port, std::uint32_t packet);
  std::uint32_t pop_from_pair(std::uint32_t port, const Request& found,
                              std::uint32_t& next_output) {
    Output& out = core_.links[port];
    const std::uint32_t packet = pop_from_pair(out, found.input, found.queue);
    next_output = queues_[found.queue].head != kNone ? port : kNone;
    return packet;
  }
  std::uint32_t pop_from_list(std::uint32_t port, const Request& found, std::uint32_t& next_output);
  [[gnu::cold]] void watch_queued(std::uint32_t port, std::uint32_t packet,
                                  std::uint32_t number) const;
  [[gnu::cold]] void watch_removed(std::uint32_t port, std::uint32_t packet,
                                   std::uint32_t queue) const;
  void request(std::uint32_t output, std::uint32_t queue);
  void unrequest(std::uint32_t output, std::uint32_t queue);

  Core& core_;
  bool voq_;
  /// VOQs and a single class: the queue of a pair is the pair, in order of outputs; lists are not
  /// needed.
  bool one_queue_a_pair_;
  Queues queues_;
  std::vector<std::uint16_t> targets_;     ///< per queue; empty without isolation
  std::vector<std::uint32_t> queue_base_;  ///< per ingress port, plus an end mark
  std::vector<std::uint32_t> pair_base_;   ///< per output port
};

}  // namespace weir::fabric

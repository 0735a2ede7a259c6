#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/port_mask.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/topology/graph.hpp"

namespace weir {
class StateArchive;
}

namespace weir::fabric {

class NodeState;

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// Something the far end told the sender, effective from `at`.
struct Feedback {
  enum Kind : std::uint16_t { credit, stop, go };
  std::int64_t at = 0;
  std::uint32_t bytes = 0;
  std::uint16_t buffer = 0;
  std::uint16_t kind = credit;
};

/// Feedback on its way, in order of time, in one cache line as long as it is little. Nearly always
/// appended and removed in order; what does not fit spills into memory that is kept.
class alignas(64) FeedbackQueue {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const Feedback& front() const { return items_[0]; }
  [[nodiscard]] const Feedback& at(std::size_t i) const {
    return i < kInline ? items_[i] : (*spill_)[i - kInline];
  }
  void pop() {
    --count_;
    items_[0] = items_[1];
    items_[1] = items_[2];
    if (count_ >= kInline) take_spilled();
  }
  /// Takes all credits up to `now`, of which there are some.
  std::int64_t take_until(std::int64_t now) {
    std::int64_t bytes = 0;
    do {
      bytes += items_[0].bytes;
      pop();
    } while (count_ != 0 && items_[0].at <= now);
    return bytes;
  }
  /// Appends credit where three are on record of which two have arrived by `now`: these become one.
  /// Credit of one class only. False: it is not so, or `feedback` is not the last.
  bool follow_arrived(const Feedback& feedback, std::int64_t now) {
    if (count_ != kInline || items_[1].at > now || feedback.at < items_[2].at) return false;
    items_[0].at = items_[1].at;
    items_[0].bytes += items_[1].bytes;
    items_[1] = items_[2];
    items_[2] = feedback;
    return true;
  }
  /// Leaves few of those that have arrived by `now`.
  void unite_arrived(std::int64_t now) {
    while (count_ >= kInline && items_[1].at <= now) {
      items_[1].bytes += items_[0].bytes;
      pop();
    }
  }
  /// True when it is the first now.
  bool insert(Feedback feedback) {
    if (count_ >= kInline || (count_ > 0 && feedback.at < items_[count_ - 1].at))
      return insert_slowly(feedback);
    items_[count_++] = feedback;
    return count_ == 1;
  }
  /// The sender can do nothing before the next feedback.
  void set_awaited(bool awaited) { is_awaited_ = awaited; }
  /// An event will tell the sender of the first feedback, or did so just now.
  [[nodiscard]] bool is_announced() const { return is_announced_; }
  void set_announced(bool announced) { is_announced_ = announced; }
  [[nodiscard]] bool is_awaited() const { return is_awaited_; }

  void checkpoint(StateArchive& state);
  /// Makes room for `count` of them beforehand.
  void reserve(std::size_t count) {
    if (count > kInline) spill_ = std::make_unique<std::vector<Feedback>>(count - kInline);
  }
  [[nodiscard]] std::size_t memory() const {
    return spill_ ? spill_->capacity() * sizeof(Feedback) : 0;
  }

 private:
  static constexpr std::size_t kInline = 3;
  bool insert_slowly(Feedback feedback);
  void take_spilled();
  [[nodiscard]] Feedback& item(std::size_t i) {
    return i < kInline ? items_[i] : (*spill_)[i - kInline];
  }

  std::array<Feedback, kInline> items_;
  std::unique_ptr<std::vector<Feedback>> spill_;
  std::uint32_t count_ = 0;
  bool is_awaited_ = false;
  bool is_announced_ = false;
};
static_assert(sizeof(FeedbackQueue) == 64);

/// The sending end of one link direction, in two cache lines: what a transmission changes, and what
/// an arbitration looks at.
struct alignas(64) Output {
  std::int64_t free_at = 0;       ///< the transmitter is busy until then
  std::int64_t wake_at = kNever;  ///< an arbitration is scheduled then
  std::int64_t delay = 0;         ///< propagation
  std::int64_t queued_bytes = 0;  ///< at this switch or host, for this output
  std::int64_t bytes_sent = 0;
  std::int64_t packets_sent = 0;
  std::uint32_t to = UINT32_MAX;   ///< receiving port
  std::uint32_t ps_per_byte = 0;   ///< 0: not a whole number, use `rate`
  std::uint16_t next_input = 0;    ///< round-robin pointer over inputs
  std::uint16_t owner_degree = 0;  ///< ports of the owning node
  bool to_host : 1 = false;
  /// Nothing at the far end holds packets back: a host, or the link is down.
  bool is_open : 1 = false;
  bool is_watched : 1 = false;  ///< TurnWatch wants to hear of what leaves
  bool crosses : 1 = false;     ///< into another part of the network (Border)
  bool dirty = false;           ///< waits for arbitration at this instant
  bool blocked = false;         ///< has packets, none of them may go for lack of credit
  PortMask requests;            ///< inputs that have a head for this output
  std::int64_t rate = 0;
  std::int64_t blocked_since = kNever;
  std::int64_t wait_time = 0;  ///< ps with packets but without credit (as InfiniBand's XmitWait)
  std::uint32_t departing =
      0;  ///< bytes of the packet in transmission, held in egress memory till free_at
  std::uint32_t to_node = UINT32_MAX;  ///< receiving node

  [[nodiscard]] std::int64_t duration(std::int64_t bytes) const {
    if (ps_per_byte != 0) return bytes * ps_per_byte;
    return serialization_time(Bytes(bytes), Rate(rate)).count;
  }
};
static_assert(sizeof(Output) == 128);

/// All link directions with their flow control: what the sender knows of the buffer at the far end.
class Links {
 public:
  /// `buffers`: classes per ingress buffer over all lanes.
  Links(const topology::Graph& graph, const FabricSettings& settings, int buffers);

  /// Makes room for what the receiver of `port` may tell it.
  void foresee_feedback(const topology::Graph& graph, std::uint32_t port);

  Output& operator[](std::uint32_t port) { return outputs_[port]; }
  const Output& operator[](std::uint32_t port) const { return outputs_[port]; }
  [[nodiscard]] std::size_t size() const { return outputs_.size(); }

  /// May a packet be sent into class `buffer` now? Call apply() first. There has to be room for the
  /// largest packet of those that share it, whatever the size of this one: else small packets would
  /// take every byte that comes free, and a large one would never find room.
  [[nodiscard]] bool can_send(std::uint32_t port, std::uint16_t buffer) const {
    if (outputs_[port].is_open) return true;
    const std::size_t i = index(port, buffer);
    if (memory_ == Memory::split && !stop_and_go_) return credits_[i] >= room_[buffer];
    return can_send_shared(port, i, room_[buffer], room_of_all_);
  }
  /// The same where `bytes` have to be free for the class, before others have heard of it.
  [[nodiscard]] bool can_send(std::uint32_t port, std::uint16_t buffer, std::int64_t bytes) const {
    if (outputs_[port].is_open) return true;
    const std::size_t i = index(port, buffer);
    if (memory_ == Memory::split && !stop_and_go_) return credits_[i] >= bytes;
    return can_send_shared(port, i, bytes, std::max(room_of_all_, bytes));
  }
  /// Nothing may be sent now, whatever its class. A quick answer for few classes; false where it is
  /// not known that quickly.
  [[nodiscard]] bool takes_nothing(std::uint32_t port) const {
    if (!is_quick_ || outputs_[port].is_open) return false;
    const std::int64_t* credits = &credits_[index(port, 0)];
    if (buffers_ == 1) return credits[0] < room_[0];
    for (int b = 0; b < buffers_; ++b) {
      if (credits[b] >= room_[static_cast<std::size_t>(b)]) return false;
    }
    return true;
  }
  /// From now on there are packets of `bytes` in class `buffer`.
  void expect(std::uint16_t buffer, std::uint32_t bytes);
  /// Bytes that have to be free before a packet of class `buffer` starts: of its largest so far;
  /// kNever: there has been none. Where classes share memory: of the largest of all.
  [[nodiscard]] std::int64_t room(std::uint16_t buffer) const { return room_[buffer]; }
  [[nodiscard]] std::int64_t room_of_all() const { return room_of_all_; }
  void take(std::uint32_t port, std::uint16_t buffer, std::uint32_t bytes) {
    if (outputs_[port].is_open) return;
    const std::size_t i = index(port, buffer);
    credits_[i] -= bytes;
    if (memory_ != Memory::split) take_shared(port, i, bytes);
  }
  /// take(), and apply() with the opposite of takes_nothing(), with one class, memory of its own,
  /// and credits. `out` is that of `port`.
  void take_plainly(std::uint32_t port, const Output& out, std::uint32_t bytes) {
    credits_[port] -= out.is_open ? 0U : bytes;
  }
  /// Feedback waits until it is needed.
  [[nodiscard]] bool takes_something_plainly(std::uint32_t port, const Output& out,
                                             std::int64_t now) {
    std::int64_t& credits = credits_[port];
    const bool has_credit = credits >= room_[0];
    if (static_cast<int>(out.is_open) | static_cast<int>(has_credit)) [[likely]]
      return true;
    FeedbackQueue& queue = feedback_[port];
    if (queue.empty() || queue.front().at > now) return false;
    credits += queue.take_until(now);
    return credits >= room_[0];
  }
  /// Feedback that becomes effective later than `now`; returns true when an event has to announce
  /// it: the sender waits for it, or another one was to be announced that it comes before.
  bool tell(std::uint32_t port, const Feedback& feedback, std::int64_t now) {
    FeedbackQueue& queue = feedback_[port];
    if (is_quick_ && buffers_ == 1) {
      // The sender may not have looked for long: takes_something_plainly().
      if (queue.follow_arrived(feedback, now)) return false;
      queue.unite_arrived(now);
    }
    if (!queue.insert(feedback) || !(queue.is_awaited() || queue.is_announced())) return false;
    queue.set_announced(true);
    return true;
  }
  void set_waiting(std::uint32_t port, bool waiting) { feedback_[port].set_awaited(waiting); }
  /// The sender waits: true when there is feedback on its way that no event announces yet.
  bool expect_feedback(std::uint32_t port) {
    FeedbackQueue& queue = feedback_[port];
    if (queue.empty() || queue.is_announced()) return false;
    queue.set_announced(true);
    return true;
  }
  /// The event has come.
  void end_announcement(std::uint32_t port) { feedback_[port].set_announced(false); }
  /// Forgets feedback that has arrived by `now`, for who only looks at what is on its way.
  void forget(std::uint32_t port, std::int64_t now) {
    FeedbackQueue& queue = feedback_[port];
    while (!queue.empty() && queue.front().at <= now) queue.pop();
  }
  /// Makes all feedback effective that has arrived by `now`.
  void apply(std::uint32_t port, std::int64_t now) {
    FeedbackQueue& queue = feedback_[port];
    while (!queue.empty() && queue.front().at <= now) {
      apply_one(port, queue.front());
      queue.pop();
    }
  }
  /// Fetches into the cache what a transmission through `port` touches, and feedback alone.
  void prefetch(std::uint32_t port) const {
    weir::prefetch(&outputs_[port]);
    weir::prefetch(&outputs_[port].requests);
    prefetch_feedback(port);
    weir::prefetch(&credits_[index(port, 0)]);
  }
  void prefetch_plainly(std::uint32_t port) const {
    weir::prefetch(&outputs_[port]);
    weir::prefetch(&outputs_[port].requests);
    prefetch_feedback(port);
    weir::prefetch(&credits_[port]);
  }
  void prefetch_feedback(std::uint32_t port) const { weir::prefetch(&feedback_[port]); }
  /// Time of the next feedback on its way, kNever when there is none.
  [[nodiscard]] std::int64_t next_feedback(std::uint32_t port) const {
    return feedback_[port].empty() ? kNever : feedback_[port].front().at;
  }

  /// Of the links that leave a node.
  void checkpoint(NodeState& state);
  /// Of what is on its way back to `sender`, which feeds the node; with `is_elsewhere` it is in
  /// another part of the network.
  void checkpoint_incoming(NodeState& state, std::uint32_t sender, std::int64_t now,
                           bool is_elsewhere);
  /// What is the same everywhere.
  void checkpoint_all(StateArchive& state);

  /// Free bytes at the far end for class `buffer`, as the sender knows it.
  [[nodiscard]] std::int64_t credits(std::uint32_t port, std::uint16_t buffer) const;
  /// Bytes of one class (Memory::split), or of the whole buffer.
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  static constexpr std::uint16_t kEveryBuffer = UINT16_MAX;
  /// Credit bytes on their way back that the sender has after `after`; by default all.
  [[nodiscard]] std::int64_t returning(
      std::uint32_t port, std::uint16_t buffer,
      std::int64_t after = std::numeric_limits<std::int64_t>::min()) const;
  /// Bytes the sender has taken and not got back, of one class.
  [[nodiscard]] std::int64_t taken(std::uint32_t port, std::uint16_t buffer) const {
    return capacity_ - credits_[index(port, buffer)];
  }
  /// credits(), plus what has arrived by `now` but is not yet applied (split memory).
  [[nodiscard]] std::int64_t credits_at(std::uint32_t port, std::uint16_t buffer,
                                        std::int64_t now) const;
  [[nodiscard]] int buffers() const { return buffers_; }
  [[nodiscard]] bool stopped(std::uint32_t port, std::uint16_t buffer) const {
    return stop_and_go_ && stopped_[index(port, buffer)] != 0;
  }
  [[nodiscard]] std::size_t memory() const;

 private:
  [[nodiscard]] std::size_t index(std::uint32_t port, std::uint16_t buffer) const {
    return static_cast<std::size_t>(port) * static_cast<std::size_t>(buffers_) + buffer;
  }
  [[nodiscard]] bool can_send_shared(std::uint32_t port, std::size_t i, std::int64_t room,
                                     std::int64_t room_of_all) const;
  void take_shared(std::uint32_t port, std::size_t i, std::uint32_t bytes);
  void apply_one(std::uint32_t port, const Feedback& feedback);
  /// Bytes of class i beyond its reservation.
  [[nodiscard]] std::int64_t beyond(std::int64_t used) const {
    return used > reserved_ ? used - reserved_ : 0;
  }

  int buffers_;
  Memory memory_;
  bool stop_and_go_;
  bool is_quick_;          ///< takes_nothing() reads one cache line
  std::int64_t capacity_;  ///< of a class with split memory, else of the port
  std::int64_t reserved_ = 0;
  HugeVector<Output> outputs_;
  HugeVector<FeedbackQueue> feedback_;
  HugeVector<std::int64_t> credits_;       ///< per port and class: capacity_ less what is in use
  std::vector<std::int64_t> shared_free_;  ///< per port, shared and reserved memory
  std::vector<std::uint8_t> stopped_;
  std::vector<std::int64_t> room_;  ///< per class
  std::int64_t room_of_all_ = 0;
};

}  // namespace weir::fabric

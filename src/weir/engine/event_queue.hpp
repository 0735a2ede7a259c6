#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/engine/event.hpp"

namespace weir::engine {

/// The pending events of one simulation, popped in the total order of Event.
///
/// A wheel of time buckets for the near future and a binary heap for whatever lies beyond it. A
/// bucket is sorted when it is opened. The bucket width follows the density of events by itself.
///
/// | operation                | cost                                                   |
/// |--------------------------|--------------------------------------------------------|
/// | push within the wheel    | O(1)                                                   |
/// | push into the open bucket| O(log events pushed into it)                           |
/// | push beyond the wheel    | O(log n far events)                                    |
/// | pop                      | O(1) amortized, O(log m) for m events in one bucket    |
/// | memory                   | 64 B per 3 pending events, 4 B per bucket; never shrinks |
class EventQueue {
 public:
  /// `expected_spacing_ps`: typical time between consecutive events, a first guess of the width.
  explicit EventQueue(std::int64_t expected_spacing_ps = 1'000);

  /// Schedules an event. Its time must not be before that of the last popped event.
  void push(const Event& event) {
    ++size_;
    const std::int64_t bucket = event.time >> shift_;
    if (bucket <= cursor_) {
      insert_late(event);
    } else if (bucket - cursor_ < static_cast<std::int64_t>(kBuckets)) {
      insert_into_wheel(event, bucket);
    } else {
      ++pushed_far_;
      far_.push(event);
    }
  }

  /// The next event, or nullptr when none is pending. Valid until the next push or pop.
  [[nodiscard]] const Event* peek() {
    if (late_.empty()) {
      if (next_ == open_.size() && !open_next_bucket()) return nullptr;
      is_late_ = false;
      return &open_[next_];
    }
    is_late_ = next_ == open_.size() || late_.top() < open_[next_];
    return is_late_ ? &late_.top() : &open_[next_];
  }

  /// Removes what peek() returned.
  void pop() {
    --size_;
    if (is_late_) {
      late_.pop();
    } else {
      ++next_;
    }
  }

  /// The event `ahead` places after the next one if it is already sorted, for prefetching.
  [[nodiscard]] const Event* look_ahead(std::size_t ahead) const {
    return next_ + ahead < open_.size() ? &open_[next_ + ahead] : nullptr;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Bytes of memory held.
  [[nodiscard]] std::size_t memory() const;
  /// Calls `visit(event)` for every pending event in no particular order (checks, diagnostics).
  template <class Visit>
  void for_each(Visit visit) const;

 private:
  static constexpr std::size_t kBuckets = 1U << 16;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kPerChunk = 3;

  struct alignas(64) Chunk {
    Event events[kPerChunk];
    std::uint32_t next = kNone;
    std::uint32_t count = 0;
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const { return b < a; }
  };
  class Heap : public std::priority_queue<Event, std::vector<Event>, Later> {
   public:
    [[nodiscard]] const std::vector<Event>& events() const { return c; }
  };

  void insert_into_wheel(const Event& event, std::int64_t bucket) {
    const auto slot = static_cast<std::size_t>(bucket) & (kBuckets - 1);
    std::uint32_t head = heads_[slot];
    if (head == kNone || chunks_[head].count == kPerChunk) {
      const std::uint32_t fresh = take_chunk();
      chunks_[fresh].next = head;
      chunks_[fresh].count = 0;
      heads_[slot] = head = fresh;
      occupied_[slot / 64] |= 1ULL << (slot % 64);
    }
    Chunk& chunk = chunks_[head];
    chunk.events[chunk.count++] = event;
  }
  std::uint32_t take_chunk() {
    if (free_chunk_ == kNone) return grow();
    const std::uint32_t chunk = free_chunk_;
    free_chunk_ = chunks_[chunk].next;
    return chunk;
  }

  std::uint32_t grow();
  void insert_late(const Event& event);
  bool open_next_bucket();
  void drain(std::size_t slot);
  [[nodiscard]] std::int64_t next_occupied() const;
  void pull_far();
  void sample_instants();
  void adapt();
  void rebuild(int shift);

  std::vector<Event> open_;  ///< events of the open bucket, sorted from next_ on
  std::size_t next_ = 0;
  std::int64_t cursor_ = 0;  ///< absolute number of the open bucket
  int shift_;                ///< bucket width is 2^shift_ ps
  std::size_t size_ = 0;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint64_t> occupied_;
  HugeVector<Chunk> chunks_;
  std::uint32_t free_chunk_ = kNone;
  Heap far_;              ///< beyond the wheel
  Heap late_;             ///< pushed into the open bucket
  bool is_late_ = false;  ///< what peek() returned is the top of late_

  // What adapt() looks at: the last buckets opened.
  std::uint32_t opened_ = 0;
  std::uint64_t opened_events_ = 0;
  std::uint64_t opened_instants_ = 0;
  std::uint64_t pushed_late_ = 0;
  std::uint64_t pushed_far_ = 0;
};

template <class Visit>
void EventQueue::for_each(Visit visit) const {
  for (std::size_t i = next_; i < open_.size(); ++i) visit(open_[i]);
  for (const std::uint32_t head : heads_) {
    for (std::uint32_t c = head; c != kNone; c = chunks_[c].next) {
      for (std::uint32_t i = 0; i < chunks_[c].count; ++i) visit(chunks_[c].events[i]);
    }
  }
  for (const Event& event : far_.events()) visit(event);
  for (const Event& event : late_.events()) visit(event);
}

}  // namespace weir::engine

#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/engine/event.hpp"
#include "weir/engine/event_sorter.hpp"

namespace weir::engine {

/// The pending events of one simulation, popped in the total order of Event.
///
/// A wheel of time bins for the near future and a binary heap for whatever lies beyond it. Events
/// are appended to their bin; a bin is sorted when it is opened, by distribution. The width of the
/// bins follows the density of events by itself.
///
/// | operation              | cost                                                       |
/// |------------------------|------------------------------------------------------------|
/// | push within the wheel  | O(1): appends to one of few open cache lines               |
/// | push into the open bin | O(k) among its next k = 48, else O(log n) of such          |
/// | push beyond the wheel  | O(log n far events)                                        |
/// | pop                    | O(1) amortized                                             |
/// | memory                 | 16 B an event, 1 KiB a bin in use, 4 B a bin; never shrinks |
class EventQueue {
 public:
  /// `expected_spacing_ps`: typical time between consecutive events, a first guess of the width.
  explicit EventQueue(std::int64_t expected_spacing_ps = 1'000);

  /// Schedules an event. Its time must not be before that of the last popped event.
  [[gnu::always_inline]] void push(Event event) {
    ++outside_;
    const std::int64_t bin = event.time >> shift_;
    if (static_cast<std::uint64_t>(bin - cursor_ - 1) < kBins) [[likely]] {
      insert_into_wheel(event, bin);
    } else {
      insert_elsewhere(event);
    }
  }

  /// The next event, or nullptr when none is pending. Valid until the next push or pop. May also be
  /// nullptr when the next event is after `limit`: nothing that lies beyond is then put in order,
  /// and events before it may still be pushed at full speed.
  [[nodiscard]] const Event* peek(std::int64_t limit = INT64_MAX) {
    return next_ != ready_end_ ? next_ : peek_slowly(limit);
  }

  /// Removes what peek() returned.
  void pop() {
    if (next_ != ready_end_) {
      ++next_;
    } else {
      pop_slowly();
    }
  }

  /// The next event if it is of the instant `now`, else nullptr; nothing later is put in order.
  [[nodiscard]] const Event* peek_at(std::int64_t now) {
    if (next_ != ready_end_) [[likely]]
      return next_->time == now ? next_ : nullptr;
    const Event* next = peek_slowly(now);
    return next != nullptr && next->time == now ? next : nullptr;
  }

  /// The next events as far as they are already sorted, for prefetching. Some that come
  /// between them may be missing.
  [[nodiscard]] std::span<const Event> look_ahead() const { return {next_, end_}; }

  [[nodiscard]] std::size_t size() const {
    return outside_ + static_cast<std::size_t>(end_ - next_);
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Time that a bin spans now, ps.
  [[nodiscard]] std::int64_t bin_width() const { return std::int64_t{1} << shift_; }
  /// Bytes of memory held.
  [[nodiscard]] std::size_t memory() const;
  /// Calls `visit(event)` for every pending event in no particular order (checks, diagnostics).
  template <class Visit>
  void for_each(Visit visit) const;

 private:
  static constexpr std::size_t kBins = 1U << 12;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// The first slot of a chunk links to another chunk, the others hold events.
  static constexpr std::uint32_t kChunk = 64;

  struct Later {
    bool operator()(const Event& a, const Event& b) const { return b < a; }
  };
  class Heap : public std::priority_queue<Event, std::vector<Event>, Later> {
   public:
    [[nodiscard]] const std::vector<Event>& events() const { return c; }
  };

  void insert_into_wheel(Event event, std::int64_t bin) {
    const auto b = static_cast<std::size_t>(bin) & (kBins - 1);
    // An empty bin looks like one whose last chunk is full.
    std::uint32_t last = last_[b];
    if (last % kChunk == kChunk - 1) last = extend(b);
    slots_[++last] = event;
    last_[b] = last;
  }
  std::uint32_t extend(std::size_t bin) {
    const std::uint32_t chunk = free_ == kNone ? grow() : free_;
    free_ = slots_[chunk].payload;
    slots_[chunk].payload = last_[bin];
    occupied_[bin / 64] |= 1ULL << (bin % 64);
    return chunk;
  }

  std::uint32_t grow();
  void insert_elsewhere(Event event);
  void insert_into_open(Event event);
  const Event* peek_slowly(std::int64_t limit);
  void pop_slowly();
  /// Makes the open bin hold `count` events, with room before them.
  void open(std::size_t count);
  static constexpr std::size_t kGap = 64;  ///< before the events of a bin that is opened
  /// So many events of the open bin at most make way for one that is pushed: nearly all of a bin
  /// of usual length, since each event elsewhere makes it unforeseeable where the next one is.
  static constexpr std::ptrdiff_t kFew = 48;
  bool open_next_bin(std::int64_t limit);
  void drain(std::size_t bin);
  [[nodiscard]] std::int64_t next_occupied() const;
  void pull_far();
  void sample_instants();
  bool adapt();
  void rebuild(int shift);

  /// Events of the open bin, sorted, from next_ to end_. What has been popped leaves room before
  /// them for what is pushed into the bin.
  std::vector<Event> open_;
  Event* next_ = nullptr;
  Event* end_ = nullptr;
  const Event* ready_end_ = nullptr;  ///< end_, or next_ while there are late events
  const Event* gap_ = nullptr;   ///< from here to next_: popped since the last push into the bin
  std::int64_t popped_at_ = -1;  ///< time of the last event popped before; -1: none of this bin
  std::int64_t cursor_ = 0;      ///< absolute number of the open bin
  int shift_;                    ///< the width of a bin is 2^shift_ ps
  std::size_t outside_ = 0;      ///< events elsewhere than in open_
  std::vector<std::uint32_t> last_;  ///< per bin: slot of the event pushed last, kNone: empty
  std::vector<std::uint64_t> occupied_;
  HugeVector<Event> slots_;
  std::uint32_t free_ = kNone;  ///< chunks, linked
  EventSorter sorter_;
  std::vector<std::span<const Event>> runs_;  ///< of the bin that is being opened
  Heap far_;                                  ///< beyond the wheel
  Heap late_;                                 ///< pushed into the open bin, behind those
  bool is_late_ = false;                      ///< what peek() returned is the top of late_
  std::uint8_t widest_shift_ = 40;  ///< wider bins have turned out to be as long as the delays

  // What adapt() looks at: the last bins opened.
  std::uint32_t opened_ = 0;
  std::uint64_t opened_events_ = 0;
  std::uint64_t opened_instants_ = 0;
  std::uint64_t pushed_late_ = 0;  ///< but not into the present instant
  std::uint64_t pushed_far_ = 0;
};

template <class Visit>
void EventQueue::for_each(Visit visit) const {
  for (const Event* event = next_; event != end_; ++event) visit(*event);
  for (std::uint32_t last : last_) {
    while (last != kNone) {
      const std::uint32_t chunk = last / kChunk * kChunk;
      for (std::uint32_t i = chunk + 1; i <= last; ++i) visit(slots_[i]);
      last = slots_[chunk].payload;
    }
  }
  for (const Event& event : far_.events()) visit(event);
  for (const Event& event : late_.events()) visit(event);
}

}  // namespace weir::engine

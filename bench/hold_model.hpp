#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "bench/cpu_clock.hpp"
#include "weir/engine/event_queue.hpp"

namespace weir::bench {

/// Delays between an event and the one it causes, in ps.
enum class Delays : std::uint8_t {
  network,  ///< propagation, routing, packet times and their sums on 100 Gbps links
  random,   ///< uniform between 1 ps and 655.36 ns
};

/// A fast generator (xorshift64*), so that its cost disappears beside an event set's.
class DelaySource {
 public:
  explicit DelaySource(Delays kind) : kind_(kind) {}
  std::int64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const std::uint64_t bits = (state_ * 0x2545f4914f6cdd1dULL) >> 32;
    if (kind_ == Delays::network) return kKnown[bits & 7];
    return 1 + static_cast<std::int64_t>((bits * 655'360) >> 32);
  }
  static constexpr std::int64_t kMean = 327'680;

 private:
  static constexpr std::array<std::int64_t, 8> kKnown = {30'000,  130'000, 327'680, 357'680,
                                                         457'680, 655'360, 327'680, 357'680};
  Delays kind_;
  std::uint64_t state_ = 0x9e3779b97f4a7c15ULL;
};

/// What one would take from the standard library: 32-byte events in a binary heap, equal times in
/// the order of scheduling.
class StandardHeap {
 public:
  explicit StandardHeap(std::size_t pending) { heap_.c_reserve(pending + 1); }
  void push(std::int64_t time, std::uint32_t entity) {
    heap_.push({time, sequence_++, entity, {}});
  }
  /// Time and entity of the next event, which is removed.
  std::pair<std::int64_t, std::uint32_t> take() {
    const Item item = heap_.top();
    heap_.pop();
    return {item.time, item.entity};
  }

 private:
  struct Item {
    std::int64_t time = 0;
    std::uint64_t sequence = 0;
    std::uint32_t entity = 0;
    std::array<std::uint32_t, 3> rest{};
  };
  static_assert(sizeof(Item) == 32);
  struct Later {
    bool operator()(const Item& a, const Item& b) const {
      return std::tie(a.time, a.sequence) > std::tie(b.time, b.sequence);
    }
  };
  class Heap : public std::priority_queue<Item, std::vector<Item>, Later> {
   public:
    void c_reserve(std::size_t n) { c.reserve(n); }
  };
  Heap heap_;
  std::uint64_t sequence_ = 0;
};

/// The engine's event set.
class EngineQueue {
 public:
  explicit EngineQueue(std::size_t pending)
      : queue_(DelaySource::kMean / static_cast<std::int64_t>(pending) + 1) {}
  void push(std::int64_t time, std::uint32_t entity) { queue_.push({time, 1, entity, 0}); }
  std::pair<std::int64_t, std::uint32_t> take() {
    const engine::Event event = *queue_.peek();
    queue_.pop();
    return {event.time, event.entity()};
  }

 private:
  engine::EventQueue queue_;
};

/// Hold model: `pending` events; each one taken schedules one after it.
template <class Queue>
class HoldModel {
 public:
  HoldModel(std::size_t pending, Delays kind) : queue_(pending), delays_(kind) {
    DelaySource start(Delays::random);
    for (std::size_t i = 0; i < pending; ++i)
      queue_.push(start.next(), static_cast<std::uint32_t>(i));
    run(4 * pending + 100'000);
  }
  /// ns per take and push.
  double measure(std::size_t holds) {
    const double start = cpu_seconds();
    run(holds);
    return (cpu_seconds() - start) * 1e9 / static_cast<double>(holds);
  }

 private:
  void run(std::size_t holds) {
    for (std::size_t i = 0; i < holds; ++i) {
      const auto [time, entity] = queue_.take();
      queue_.push(time + delays_.next(), entity);
    }
  }
  Queue queue_;
  DelaySource delays_;
};

}  // namespace weir::bench

#include "weir/engine/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <queue>
#include <random>
#include <vector>

namespace weir::engine {
namespace {

struct Later {
  bool operator()(const Event& a, const Event& b) const { return b < a; }
};
using Reference = std::priority_queue<Event, std::vector<Event>, Later>;

Event random_event(std::mt19937_64& random, std::int64_t now, std::int64_t horizon) {
  const auto delay = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(horizon + 1));
  return {now + delay, static_cast<std::uint32_t>(random() % 4),
          static_cast<std::uint32_t>(random() % 50), static_cast<std::uint32_t>(random() % 1000)};
}

TEST(EventOrder, TimeThenKindThenEntityThenPayload) {
  EXPECT_LT(Event(1, 9, 9, 9), Event(2, 0, 0, 0));
  EXPECT_LT(Event(1, 1, 9, 9), Event(1, 2, 0, 0));
  EXPECT_LT(Event(1, 1, 1, 9), Event(1, 1, 2, 0));
  EXPECT_LT(Event(1, 1, 1, 1), Event(1, 1, 1, 2));
}

// A fabric schedules part of its events for the very instant that it is in. Narrower bins do not
// help those; they would only send all others through the heap beyond the wheel.
TEST(EventQueue, EventsForThePresentInstantDoNotNarrowTheBins) {
  constexpr std::int64_t kStep = 300'000;
  EventQueue queue(1'000);
  for (std::uint32_t i = 0; i < 100; ++i) queue.push({1 + i % 8, 0, i, 0});
  for (int popped = 0; popped < 2'000'000; ++popped) {
    const Event event = *queue.peek();
    queue.pop();
    if (event.kind() == 1) continue;
    queue.push({event.time + kStep, 0, event.entity(), 0});
    if (event.entity() % 4 == 0) queue.push({event.time, 1, event.entity(), 0});
  }
  EXPECT_GE(queue.bin_width() * 4'096, kStep);
}

// Against std::priority_queue in a hold model, for horizons that use the open bucket, the wheel and
// the heap beyond it.
TEST(EventQueue, PopsLikeAPriorityQueue) {
  for (const std::int64_t horizon :
       {0LL, 50LL, 5'000LL, 400'000LL, 40'000'000LL, 900'000'000'000LL}) {
    for (const std::int64_t spacing : {1LL, 1'000LL, 1'000'000LL}) {
      std::mt19937_64 random(7);
      EventQueue queue(spacing);
      Reference reference;
      for (int i = 0; i < 300; ++i) {
        const Event e = random_event(random, 0, horizon);
        queue.push(e);
        reference.push(e);
      }
      for (int i = 0; i < 20'000; ++i) {
        ASSERT_NE(queue.peek(), nullptr);
        const Event popped = *queue.peek();
        ASSERT_EQ(popped, reference.top()) << "horizon " << horizon << " step " << i;
        queue.pop();
        reference.pop();
        const Event e = random_event(random, popped.time, i % 100 == 0 ? horizon * 1000 : horizon);
        queue.push(e);
        reference.push(e);
        ASSERT_EQ(queue.size(), reference.size());
      }
      while (!reference.empty()) {
        ASSERT_EQ(*queue.peek(), reference.top());
        queue.pop();
        reference.pop();
      }
      EXPECT_EQ(queue.peek(), nullptr);
      EXPECT_TRUE(queue.empty());
    }
  }
}

// Many events that are pushed into the open bin, at its front, its end and in between: sorted into
// it while it is short, and kept apart where it is long.
TEST(EventQueue, PutsWhatJoinsTheOpenBinInOrder) {
  for (const int first : {0, 10, 300, 2'000}) {
    std::mt19937_64 random(17);
    EventQueue queue(1'000'000'000);  // one bin holds all
    Reference reference;
    const auto push = [&](std::int64_t from, std::int64_t horizon) {
      const Event e = random_event(random, from, horizon);
      queue.push(e);
      reference.push(e);
    };
    for (int i = 0; i < first; ++i) push(0, 1'000'000);
    std::int64_t now = 0;
    for (int step = 0; step < 5'000; ++step) {
      const int more = step % 100 < 50 ? 3 : 0;
      for (int i = 0; i < more; ++i) push(now, step % 3 == 0 ? 1'000'000 : 10);
      ASSERT_EQ(queue.size(), reference.size());
      const Event* next = queue.peek();
      if (next == nullptr) {
        ASSERT_TRUE(reference.empty());
        continue;
      }
      ASSERT_EQ(*next, reference.top()) << first << " at first, step " << step;
      now = next->time;
      queue.pop();
      reference.pop();
    }
  }
}

// As a fabric does it: the events of an instant, some of them scheduled within it, then the next
// instant up to an end.
TEST(EventQueue, TakesTheEventsOfAnInstantInOrder) {
  std::mt19937_64 random(11);
  EventQueue queue(1'000);
  Reference reference;
  const auto push = [&](std::int64_t now, std::int64_t horizon) {
    Event e = random_event(random, now, horizon);
    e.time = now + (e.time - now) / 4 * 4;  // several in an instant
    queue.push(e);
    reference.push(e);
  };
  for (int i = 0; i < 200; ++i) push(0, 3'000);
  std::int64_t now = 0;
  int later = 0;
  for (int taken = 0; taken < 50'000; ++taken) {
    const Event* next = queue.peek_at(now);
    if (next == nullptr) {
      ASSERT_GT(reference.top().time, now);
      next = queue.peek();
      ASSERT_NE(next, nullptr);
      now = next->time;
      ASSERT_EQ(queue.peek_at(now), next);
      ++later;
    }
    const Event event = *next;
    queue.pop();
    ASSERT_EQ(event, reference.top()) << "event " << taken;
    ASSERT_EQ(event.time, now);
    reference.pop();
    // In the present instant only behind what has been taken.
    if (taken % 5 == 0) {
      const Event joins(now, 4, static_cast<std::uint32_t>(taken), 0);
      queue.push(joins);
      reference.push(joins);
    } else {
      push(now + 4, 3'000);
    }
  }
  EXPECT_GT(later, 1'000);
}

RC_GTEST_PROP(EventQueue, OrderDoesNotDependOnInsertion, (std::vector<std::uint32_t> times)) {
  EventQueue forward(10);
  EventQueue backward(100'000);
  for (std::size_t i = 0; i < times.size(); ++i) {
    forward.push({times[i], 1, static_cast<std::uint32_t>(i % 7), static_cast<std::uint32_t>(i)});
  }
  for (std::size_t i = times.size(); i-- > 0;) {
    backward.push({times[i], 1, static_cast<std::uint32_t>(i % 7), static_cast<std::uint32_t>(i)});
  }
  while (forward.peek() != nullptr) {
    RC_ASSERT(backward.peek() != nullptr);
    RC_ASSERT(*forward.peek() == *backward.peek());
    forward.pop();
    backward.pop();
  }
  RC_ASSERT(backward.peek() == nullptr);
}

TEST(EventQueue, PastEventIsRefused) {
  EventQueue queue(1'000);
  queue.push({5'000'000, 0, 0, 0});
  ASSERT_NE(queue.peek(), nullptr);
  queue.pop();
  EXPECT_THROW(queue.push({4'999'999, 0, 0, 0}), std::logic_error);
}

TEST(EventQueue, ForEachSeesEveryPendingEvent) {
  EventQueue queue(10);
  for (std::uint32_t i = 0; i < 100; ++i)
    queue.push({static_cast<std::int64_t>(i) * i * i * 100, 0, 0, i});
  ASSERT_NE(queue.peek(), nullptr);
  queue.pop();
  std::vector<bool> seen(100);
  queue.for_each([&](const Event& e) { seen[e.payload] = true; });
  EXPECT_FALSE(seen[0]);
  for (std::size_t i = 1; i < 100; ++i) EXPECT_TRUE(seen[i]) << i;
}

}  // namespace
}  // namespace weir::engine

#include "weir/engine/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace weir::engine {

namespace {

constexpr int kMaxShift = 40;
constexpr std::uint32_t kAdaptEvery = 2'048;  ///< opened buckets between two looks at the width
constexpr std::size_t kInsertionSortLimit = 24;

void sort_events(std::vector<Event>& events) {
  if (events.size() > kInsertionSortLimit) {
    std::sort(events.begin(), events.end());
    return;
  }
  for (std::size_t i = 1; i < events.size(); ++i) {
    const Event event = events[i];
    std::size_t j = i;
    for (; j > 0 && event < events[j - 1]; --j) events[j] = events[j - 1];
    events[j] = event;
  }
}

}  // namespace

EventQueue::EventQueue(std::int64_t expected_spacing_ps)
    : shift_(std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(
                            std::max<std::int64_t>(expected_spacing_ps, 1)))),
                        0, kMaxShift)),
      heads_(kBuckets, kNone),
      occupied_(kBuckets / 64, 0) {
  open_.reserve(1'024);
}

std::uint32_t EventQueue::grow() {
  if (chunks_.size() >= kNone) throw std::length_error("event queue: too many pending events");
  chunks_.emplace_back();
  return static_cast<std::uint32_t>(chunks_.size() - 1);
}

void EventQueue::insert_late(const Event& event) {
  if (next_ > 0 && event.time < open_[next_ - 1].time) {
    throw std::logic_error("event scheduled in the past");
  }
  ++pushed_late_;
  late_.push(event);
}

std::int64_t EventQueue::next_occupied() const {
  const auto start = static_cast<std::size_t>(cursor_ + 1) & (kBuckets - 1);
  std::size_t word = start / 64;
  std::uint64_t bits = occupied_[word] & (~0ULL << (start % 64));
  // One word more than the wheel holds: the start word's lower bits come last.
  for (std::size_t step = 0; step <= kBuckets / 64; ++step) {
    if (bits != 0) {
      const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      return cursor_ + 1 + static_cast<std::int64_t>((slot - start) & (kBuckets - 1));
    }
    word = (word + 1) % (kBuckets / 64);
    bits = occupied_[word];
  }
  return -1;
}

void EventQueue::drain(std::size_t slot) {
  std::uint32_t chunk = heads_[slot];
  const std::uint32_t after = heads_[(slot + 1) & (kBuckets - 1)];
  if (after != kNone) __builtin_prefetch(&chunks_[after]);
  heads_[slot] = kNone;
  occupied_[slot / 64] &= ~(1ULL << (slot % 64));
  while (chunk != kNone) {
    Chunk& c = chunks_[chunk];
    for (std::uint32_t i = 0; i < c.count; ++i) open_.push_back(c.events[i]);
    const std::uint32_t following = c.next;
    c.next = free_chunk_;
    free_chunk_ = chunk;
    chunk = following;
  }
}

void EventQueue::pull_far() {
  while (!far_.empty()) {
    const std::int64_t bucket = far_.top().time >> shift_;
    if (bucket - cursor_ >= static_cast<std::int64_t>(kBuckets)) return;
    if (bucket <= cursor_) {
      open_.push_back(far_.top());
    } else {
      insert_into_wheel(far_.top(), bucket);
    }
    far_.pop();
  }
}

bool EventQueue::open_next_bucket() {
  if (opened_ >= kAdaptEvery) adapt();
  open_.clear();
  next_ = 0;
  if (size_ == 0) return false;
  const std::int64_t bucket = next_occupied();
  if (bucket >= 0) {
    cursor_ = bucket;
    drain(static_cast<std::size_t>(bucket) & (kBuckets - 1));
  } else {
    cursor_ = far_.top().time >> shift_;
  }
  if (!far_.empty()) pull_far();
  if (open_.size() > 1) sort_events(open_);
  ++opened_;
  opened_events_ += open_.size();
  if (opened_ % 32 == 0) sample_instants();
  return true;
}

void EventQueue::sample_instants() {
  std::uint64_t instants = 1;
  for (std::size_t i = 1; i < open_.size(); ++i) {
    instants += open_[i].time != open_[i - 1].time ? 1 : 0;
  }
  opened_instants_ += instants;
}

void EventQueue::adapt() {
  const auto events = static_cast<double>(opened_events_);
  const double per_bucket = events / opened_;
  const double instants = 32.0 * static_cast<double>(opened_instants_) / opened_;
  const double late = static_cast<double>(pushed_late_) / events;
  const double far = static_cast<double>(pushed_far_) / events;
  opened_ = 0;
  opened_events_ = 0;
  opened_instants_ = 0;
  pushed_late_ = 0;
  pushed_far_ = 0;
  // A few events a bucket share the cost of opening it and are quickly sorted. Buckets as long as
  // the delays, or a wheel shorter than them, would send events through the heaps.
  const bool is_crowded = per_bucket > 16.0 && instants > 4.0 && far < 0.1;
  if ((is_crowded || late > 0.2) && shift_ > 0) {
    rebuild(shift_ - 1);
  } else if ((per_bucket < 4.0 || far > 0.2) && late < 0.02 && shift_ < kMaxShift) {
    rebuild(shift_ + 1);
  }
}

void EventQueue::rebuild(int shift) {
  // Only called between two buckets: the open one is used up.
  const std::int64_t now = cursor_ << shift_;
  std::vector<Event> pending;
  pending.reserve(size_);
  open_.clear();
  next_ = 0;
  for (std::size_t slot = 0; slot < kBuckets; ++slot) {
    if (heads_[slot] != kNone) drain(slot);
  }
  pending.swap(open_);
  open_.reserve(1'024);
  while (!far_.empty()) {
    pending.push_back(far_.top());
    far_.pop();
  }
  shift_ = shift;
  cursor_ = (now >> shift_) - 1;
  size_ = 0;
  for (const Event& event : pending) push(event);
}

std::size_t EventQueue::memory() const {
  return chunks_.capacity() * sizeof(Chunk) + heads_.capacity() * sizeof(std::uint32_t) +
         occupied_.capacity() * sizeof(std::uint64_t) +
         (open_.capacity() + far_.events().capacity() + late_.events().capacity()) * sizeof(Event);
}

}  // namespace weir::engine

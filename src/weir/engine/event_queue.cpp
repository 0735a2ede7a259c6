#include "weir/engine/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace weir::engine {

namespace {

constexpr int kMaxShift = 40;
constexpr std::uint32_t kAdaptEvery = 512;  ///< opened bins between two looks at the width
constexpr std::uint32_t kSampleEvery = 16;
constexpr int kEventsABinLog = 6;

}  // namespace

EventQueue::EventQueue(std::int64_t expected_spacing_ps)
    : shift_(std::clamp(kEventsABinLog + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(
                                             std::max<std::int64_t>(expected_spacing_ps, 1)))),
                        0, kMaxShift)),
      last_(kBins, kNone),
      occupied_(kBins / 64, 0) {
  open(0);
}

std::uint32_t EventQueue::grow() {
  if (slots_.size() >= kNone - kChunk)
    throw std::length_error("event queue: too many pending events");
  const auto chunk = static_cast<std::uint32_t>(slots_.size());
  slots_.resize(slots_.size() + kChunk);
  slots_[chunk].payload = kNone;
  return chunk;
}

void EventQueue::insert_elsewhere(Event event) {
  if (event.time >> shift_ > cursor_) {
    ++pushed_far_;
    far_.push(event);
    return;
  }
  if (next_ != gap_) popped_at_ = next_[-1].time;
  gap_ = next_;
  if (event.time < popped_at_) throw std::logic_error("event scheduled in the past");
  // What joins the present instant would come late in the narrowest bin, too.
  if (event.time > popped_at_) ++pushed_late_;
  if (end_ - next_ <= kFew || event < next_[kFew]) {
    --outside_;
    insert_into_open(event);
  } else {
    late_.push(event);
  }
  ready_end_ = late_.empty() ? end_ : next_;
}

const Event* EventQueue::peek_slowly(std::int64_t limit) {
  if (late_.empty()) return open_next_bin(limit) ? next_ : nullptr;
  is_late_ = next_ == end_ || late_.top() < *next_;
  return is_late_ ? &late_.top() : next_;
}

void EventQueue::pop_slowly() {
  if (is_late_) {
    --outside_;
    late_.pop();
  } else {
    ++next_;
  }
  ready_end_ = late_.empty() ? end_ : next_;
}

void EventQueue::insert_into_open(Event event) {
  if (next_ == open_.data()) {
    const std::vector<Event> events(next_, end_);
    open(events.size());
    std::copy(events.begin(), events.end(), next_);
  }
  Event* place = next_--;
  for (; place != end_ && *place < event; ++place) place[-1] = *place;
  place[-1] = event;
  gap_ = next_;
}

void EventQueue::open(std::size_t count) {
  const std::size_t gap = std::max(kGap, count);
  if (open_.size() < gap + count) open_.resize(std::max(gap + count, 2 * open_.size()));
  next_ = open_.data() + gap;
  ready_end_ = end_ = next_ + count;
  gap_ = next_;
}

std::int64_t EventQueue::next_occupied() const {
  const auto start = static_cast<std::size_t>(cursor_ + 1) & (kBins - 1);
  std::size_t word = start / 64;
  std::uint64_t bits = occupied_[word] & (~0ULL << (start % 64));
  // One word more than the wheel holds: the start word's lower bits come last.
  for (std::size_t step = 0; step <= kBins / 64; ++step) {
    if (bits != 0) {
      const std::size_t bin = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      return cursor_ + 1 + static_cast<std::int64_t>((bin - start) & (kBins - 1));
    }
    word = (word + 1) % (kBins / 64);
    bits = occupied_[word];
  }
  return -1;
}

void EventQueue::drain(std::size_t bin) {
  std::uint32_t last = last_[bin];
  last_[bin] = kNone;
  occupied_[bin / 64] &= ~(1ULL << (bin % 64));
  std::size_t count = 0;
  runs_.clear();
  while (last != kNone) {
    const std::uint32_t chunk = last / kChunk * kChunk;
    runs_.emplace_back(&slots_[chunk] + 1, last - chunk);
    count += last - chunk;
    last = slots_[chunk].payload;
    slots_[chunk].payload = free_;
    free_ = chunk;
  }
  open(count);
  popped_at_ = -1;
  sorter_.sort(runs_, next_, count, (1ULL << shift_) - 1);
  outside_ -= count;
}

void EventQueue::pull_far() {
  while (!far_.empty()) {
    const std::int64_t bin = far_.top().time >> shift_;
    if (bin - cursor_ > static_cast<std::int64_t>(kBins)) return;
    insert_into_wheel(far_.top(), bin);
    far_.pop();
  }
}

bool EventQueue::open_next_bin(std::int64_t limit) {
  if (outside_ == 0) return false;
  std::int64_t bin = next_occupied();
  if (bin < 0) bin = far_.top().time >> shift_;
  if (bin > limit >> shift_) return false;
  if (opened_ >= kAdaptEvery && adapt()) return open_next_bin(limit);
  if (!far_.empty()) {
    cursor_ = bin - 1;
    pull_far();
  }
  cursor_ = bin;
  drain(static_cast<std::size_t>(bin) & (kBins - 1));
  ++opened_;
  opened_events_ += static_cast<std::uint64_t>(end_ - next_);
  if (opened_ % kSampleEvery == 0) sample_instants();
  return true;
}

void EventQueue::sample_instants() {
  std::uint64_t instants = 1;
  for (const Event* event = next_ + 1; event != end_; ++event) {
    instants += event->time != event[-1].time ? 1 : 0;
  }
  opened_instants_ += instants;
}

bool EventQueue::adapt() {
  const auto events = static_cast<double>(opened_events_);
  const double per_bin = events / opened_;
  const double instants = kSampleEvery * static_cast<double>(opened_instants_) / opened_;
  const double late = static_cast<double>(pushed_late_) / events;
  const double far = static_cast<double>(pushed_far_) / events;
  opened_ = 0;
  opened_events_ = 0;
  opened_instants_ = 0;
  pushed_late_ = 0;
  pushed_far_ = 0;
  // Many events a bin share the cost of opening it, and stay few enough for the nearest cache. Bins
  // as long as the delays, or a wheel shorter than them, would send events through the heaps.
  const bool is_crowded = per_bin > 256.0 && instants > 8.0 && far < 0.1;
  if ((is_crowded || late > 0.1) && shift_ > 0) {
    if (late > 0.1) widest_shift_ = static_cast<std::uint8_t>(shift_ - 1);
    rebuild(shift_ - 1);
    return true;
  }
  if ((per_bin < 48.0 || far > 0.2) && late < 0.02 && shift_ < widest_shift_) {
    rebuild(shift_ + 1);
    return true;
  }
  return false;
}

void EventQueue::rebuild(int shift) {
  // Only called between two bins: the open one is used up.
  ready_end_ = next_ = end_ = nullptr;
  const std::int64_t now = cursor_ << shift_;
  const std::size_t count = outside_;
  std::vector<Event> pending;
  pending.reserve(count);
  for_each([&](const Event& event) { pending.push_back(event); });
  std::fill(last_.begin(), last_.end(), kNone);
  std::fill(occupied_.begin(), occupied_.end(), 0);
  slots_.clear();
  free_ = kNone;
  while (!far_.empty()) far_.pop();
  outside_ = 0;
  shift_ = shift;
  cursor_ = (now >> shift_) - 1;
  open(0);
  popped_at_ = -1;
  for (const Event& event : pending) push(event);
}

std::size_t EventQueue::memory() const {
  return slots_.capacity() * sizeof(Event) + last_.capacity() * sizeof(std::uint32_t) +
         occupied_.capacity() * sizeof(std::uint64_t) + sorter_.memory() +
         runs_.capacity() * sizeof(decltype(runs_)::value_type) +
         (open_.capacity() + far_.events().capacity() + late_.events().capacity()) * sizeof(Event);
}

}  // namespace weir::engine

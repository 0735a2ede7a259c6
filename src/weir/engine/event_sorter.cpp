#include "weir/engine/event_sorter.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace weir::engine {

namespace {

/// Up to here moving events one by one is cheaper.
constexpr std::size_t kInsertionLimit = 16;
constexpr int kMaxBits = 10;

std::uint64_t time_of(const Event& e) { return static_cast<std::uint64_t>(e.time); }
std::uint64_t rest_of(const Event& e) {
  return static_cast<std::uint64_t>(e.key) << 32 | e.payload;
}

/// An event as two numbers, its time and what rest_of() gives; the first decides.
using Words = std::array<std::uint64_t, 2>;
static_assert(std::endian::native == std::endian::little, "the key is the upper half of a word");

bool is_less(const Words& a, const Words& b) {
  const auto wide = [](const Words& w) { return static_cast<Uint128>(w[0]) << 64 | w[1]; };
  return wide(a) < wide(b);
}

/// For events that are nearly in order. Whether two neighbours change places no processor foresees,
/// so that is no branch; that one of them goes further is rare.
void insertion_sort(Event* events, std::size_t count) {
  if (count < 2) return;
  Words before{};  // no event is less
  Words last = std::bit_cast<Words>(events[0]);
  for (std::size_t i = 1; i < count; ++i) {
    Words first = std::bit_cast<Words>(events[i]);
    const std::uint64_t stays = static_cast<std::uint64_t>(is_less(first, last)) - 1;
    for (std::size_t w = 0; w < first.size(); ++w) {
      const std::uint64_t difference = (first[w] ^ last[w]) & stays;
      first[w] ^= difference;
      last[w] ^= difference;
    }
    if (is_less(first, before)) [[unlikely]] {
      const Event goes = std::bit_cast<Event>(first);
      std::size_t j = i - 1;
      do {
        events[j] = events[j - 1];
        --j;
      } while (j > 0 && goes < events[j - 1]);
      events[j] = goes;
      before = std::bit_cast<Words>(events[i - 1]);
    } else {
      events[i - 1] = std::bit_cast<Event>(first);
      before = first;
    }
  }
  events[count - 1] = std::bit_cast<Event>(last);
}

}  // namespace

/// Some bits of an event: of its time, or of what comes after the time.
struct EventSorter::Digit {
  bool is_time = true;
  int shift = 0;
  int bits = 0;

  /// The highest of the bits in which `count` events differ.
  Digit(std::uint64_t times, std::uint64_t rests, std::size_t count)
      : is_time(times != 0), bits(std::min(kMaxBits, static_cast<int>(std::bit_width(count)) - 1)) {
    shift = std::max(0, static_cast<int>(std::bit_width(is_time ? times : rests)) - bits);
  }
  [[nodiscard]] std::size_t size() const { return std::size_t{1} << bits; }
};

void EventSorter::sort(std::span<const Run> runs, Event* out, std::size_t count,
                       std::uint64_t time_bits) {
  if (count > kInsertionLimit && time_bits != 0) {
    distribute(runs, out, Digit(time_bits, 0, count));
  } else {
    Event* end = out;
    for (const Run& run : runs) end = std::copy(run.begin(), run.end(), end);
    if (count > kInsertionLimit) refine(out, count);
  }
  insertion_sort(out, count);
}

void EventSorter::distribute(std::span<const Run> runs, Event* out, Digit digit) {
  std::array<std::uint32_t, (1U << kMaxBits)> starts;
  std::fill_n(starts.begin(), digit.size(), 0U);
  const auto go = [&](auto value_of) {
    const std::uint64_t mask = digit.size() - 1;
    for (const Run& run : runs) {
      for (const Event& e : run) ++starts[value_of(e) >> digit.shift & mask];
    }
    std::uint32_t start = 0;
    std::uint32_t largest = 0;
    for (std::size_t d = 0; d < digit.size(); ++d) {
      largest = std::max(largest, starts[d]);
      start += starts[d];
      starts[d] = start - starts[d];
    }
    for (const Run& run : runs) {
      for (const Event& e : run) out[starts[value_of(e) >> digit.shift & mask]++] = e;
    }
    return largest > kInsertionLimit;
  };
  const bool is_crowded = digit.is_time ? go(time_of) : go(rest_of);
  if (!is_crowded) return;
  std::size_t from = 0;
  for (std::size_t d = 0; d < digit.size(); ++d) {
    const std::size_t to = starts[d];  // moved up to where the next digit starts
    if (to - from > kInsertionLimit) refine(out + from, to - from);
    from = to;
  }
}

void EventSorter::refine(Event* events, std::size_t count) {
  std::uint64_t times = 0;
  std::uint64_t rests = 0;
  for (std::size_t i = 1; i < count; ++i) {
    times |= time_of(events[i]) ^ time_of(events[0]);
    rests |= rest_of(events[i]) ^ rest_of(events[0]);
  }
  if (times == 0 && rests == 0) return;
  if (scratch_.size() < count) scratch_.resize(std::max(count, 2 * scratch_.size()));
  std::copy_n(events, count, scratch_.begin());
  const Run run(scratch_.data(), count);
  distribute({&run, 1}, events, Digit(times, rests, count));
}

}  // namespace weir::engine

#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace weir::fabric {

/// A set of local port numbers (at most 256) with cyclic search.
class PortMask {
 public:
  void set(unsigned port) { words_[port / 64] |= 1ULL << (port % 64); }
  void clear(unsigned port) { words_[port / 64] &= ~(1ULL << (port % 64)); }
  [[nodiscard]] bool test(unsigned port) const {
    return ((words_[port / 64] >> (port % 64)) & 1) != 0;
  }
  [[nodiscard]] bool any() const { return (words_[0] | words_[1] | words_[2] | words_[3]) != 0; }
  PortMask& operator|=(const PortMask& other) {
    for (unsigned w = 0; w < 4; ++w) words_[w] |= other.words_[w];
    return *this;
  }
  [[nodiscard]] PortMask operator&(const PortMask& other) const {
    PortMask both;
    for (unsigned w = 0; w < 4; ++w) both.words_[w] = words_[w] & other.words_[w];
    return both;
  }
  [[nodiscard]] PortMask without(const PortMask& other) const {
    PortMask rest;
    for (unsigned w = 0; w < 4; ++w) rest.words_[w] = words_[w] & ~other.words_[w];
    return rest;
  }

  /// Calls visit(port) from `start` upwards, then from 0 to start-1, until it returns true. No port
  /// is `ports` or more.
  template <class Visit>
  bool find_cyclic(unsigned start, unsigned ports, Visit visit) const {
    if (ports <= 64) {
      const std::uint64_t from_start = ~0ULL << start;
      return find_in(words_[0] & from_start, 0, visit) ||
             find_in(words_[0] & ~from_start, 0, visit);
    }
    const unsigned word = start / 64;
    const std::uint64_t from_start = ~0ULL << (start % 64);
    if (find_in(words_[word] & from_start, word, visit)) return true;
    for (unsigned w = (word + 1) % 4; w != word; w = (w + 1) % 4) {
      if (find_in(words_[w], w, visit)) return true;
    }
    return find_in(words_[word] & ~from_start, word, visit);
  }

 private:
  template <class Visit>
  static bool find_in(std::uint64_t bits, unsigned word, Visit& visit) {
    while (bits != 0) {
      const unsigned port = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
      bits &= bits - 1;
      if (visit(port)) return true;
    }
    return false;
  }

  std::array<std::uint64_t, 4> words_{};
};

}  // namespace weir::fabric

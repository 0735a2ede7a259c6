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

  /// Calls visit(port) from `start` upwards, then from 0 to start-1, until it returns true.
  template <class Visit>
  bool find_cyclic(unsigned start, Visit visit) const {
    return find_from(start, 256, visit) || find_from(0, start, visit);
  }

 private:
  template <class Visit>
  bool find_from(unsigned begin, unsigned end, Visit& visit) const {
    for (unsigned w = begin / 64; w * 64 < end; ++w) {
      std::uint64_t bits = words_[w];
      if (w == begin / 64) bits &= ~0ULL << (begin % 64);
      while (bits != 0) {
        const unsigned port = w * 64 + static_cast<unsigned>(std::countr_zero(bits));
        if (port >= end) return false;
        bits &= bits - 1;
        if (visit(port)) return true;
      }
    }
    return false;
  }

  std::array<std::uint64_t, 4> words_{};
};

}  // namespace weir::fabric

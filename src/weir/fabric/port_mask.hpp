#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace weir::fabric {

/// A set of local port numbers below 64, as PortMask is one of up to 256: most switches have fewer
/// ports, and loops that are compiled for them look at one word.
class PortWord {
 public:
  PortWord() = default;
  explicit PortWord(std::uint64_t bits) : bits_(bits) {}

  void set(unsigned port) { bits_ |= 1ULL << port; }
  void clear(unsigned port) { bits_ &= ~(1ULL << port); }
  [[nodiscard]] bool test(unsigned port) const { return ((bits_ >> port) & 1) != 0; }
  [[nodiscard]] bool any() const { return bits_ != 0; }
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(std::popcount(bits_)); }
  PortWord& operator|=(PortWord other) {
    bits_ |= other.bits_;
    return *this;
  }
  [[nodiscard]] PortWord operator&(PortWord other) const { return PortWord(bits_ & other.bits_); }
  [[nodiscard]] PortWord without(PortWord other) const { return PortWord(bits_ & ~other.bits_); }

  /// See PortMask.
  [[nodiscard]] unsigned first_cyclic(unsigned start, unsigned ports) const {
    (void)ports;
    const std::uint64_t bits = bits_ & (~0ULL << start);
    return static_cast<unsigned>(std::countr_zero(bits != 0 ? bits : bits_));
  }
  template <class Visit>
  bool find_cyclic(unsigned start, unsigned ports, Visit visit) const {
    (void)ports;
    std::uint64_t bits = bits_ & (~0ULL << start);
    std::uint64_t after = bits_ ^ bits;
    for (;;) {
      if (bits == 0) {
        if (after == 0) return false;
        bits = after;
        after = 0;
      }
      const auto port = static_cast<unsigned>(std::countr_zero(bits));
      bits &= bits - 1;
      if (visit(port)) return true;
    }
  }

 private:
  std::uint64_t bits_ = 0;
};

/// A set of local port numbers (at most 256) with cyclic search.
class PortMask {
 public:
  void set(unsigned port) { words_[port / 64] |= 1ULL << (port % 64); }
  void clear(unsigned port) { words_[port / 64] &= ~(1ULL << (port % 64)); }
  [[nodiscard]] bool test(unsigned port) const {
    return ((words_[port / 64] >> (port % 64)) & 1) != 0;
  }
  [[nodiscard]] bool any() const { return (words_[0] | words_[1] | words_[2] | words_[3]) != 0; }
  [[nodiscard]] unsigned count() const {
    unsigned ports = 0;
    for (const std::uint64_t word : words_) ports += static_cast<unsigned>(std::popcount(word));
    return ports;
  }
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

  /// The first 64 ports, bit by bit.
  [[nodiscard]] std::uint64_t word() const { return words_[0]; }
  /// As the kind of set that a loop is compiled for.
  template <class Mask>
  [[nodiscard]] Mask as() const {
    if constexpr (std::is_same_v<Mask, PortWord>) {
      return PortWord(words_[0]);
    } else {
      return *this;
    }
  }

  /// Calls visit(port) from `start` upwards, then from 0 to start-1, until it returns true. No port
  /// is `ports` or more.
  template <class Visit>
  bool find_cyclic(unsigned start, unsigned ports, Visit visit) const {
    // There is one place that calls visit(): it is worth inlining.
    const unsigned words = ports <= 64 ? 1 : 4;
    const std::uint64_t from_start = ~0ULL << (start % 64);
    unsigned word = start / 64;
    std::uint64_t bits = words_[word] & from_start;
    for (unsigned left = words;;) {
      while (bits == 0) {
        if (left == 0) return false;
        --left;
        word = (word + 1) & (words - 1);
        bits = left == 0 ? words_[word] & ~from_start : words_[word];
      }
      const unsigned port = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
      bits &= bits - 1;
      if (visit(port)) return true;
    }
  }
  /// The port that find_cyclic() visits first, of a set that is not empty.
  [[nodiscard]] unsigned first_cyclic(unsigned start, unsigned ports) const {
    if (ports <= 64) {
      const std::uint64_t bits = words_[0] & (~0ULL << start);
      return static_cast<unsigned>(std::countr_zero(bits != 0 ? bits : words_[0]));
    }
    unsigned first = 0;
    find_cyclic(start, ports, [&](unsigned port) {
      first = port;
      return true;
    });
    return first;
  }

 private:
  std::array<std::uint64_t, 4> words_{};
};

}  // namespace weir::fabric

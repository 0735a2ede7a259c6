#pragma once

#include <bit>
#include <cstdint>

#include "weir/isolation/set_aside.hpp"

namespace weir::isolation {

/// Bits of a turn at a switch with `ports` ports.
inline unsigned turn_bits(unsigned ports) {
  return ports <= 2 ? 1U : static_cast<unsigned>(std::bit_width(ports - 1));
}
/// Bits that tell one of `lanes` lanes, beside a turn.
inline unsigned lane_bits(unsigned lanes) {
  return static_cast<unsigned>(std::bit_width(lanes - 1));
}
/// How far output `out` lies from input `in`, and back (lippens2010, section 4.1.2): a packet that
/// comes in by `in` leaves by out = in + turn + 1, modulo the ports.
inline unsigned turn_of(unsigned in, unsigned out, unsigned ports) {
  return (out + 2 * ports - in - 1) % ports;
}
inline unsigned output_of(unsigned in, unsigned turn, unsigned ports) {
  return (in + turn + 1) % ports;
}
inline unsigned input_of(unsigned out, unsigned turn, unsigned ports) {
  return (out + 2 * ports - turn - 1) % ports;
}

/// Turns of a route or of a path to a congested point, the next one in the highest bits. At most 64
/// bits.
struct TurnPool {
  std::uint64_t value = 0;
  unsigned bits = 0;

  static constexpr unsigned kMostBits = 64;

  /// Appends a turn. False: it does not fit.
  bool append(unsigned turn, unsigned width) {
    if (bits + width > kMostBits) return false;
    value |= std::uint64_t{turn} << (kMostBits - bits - width);
    bits += width;
    return true;
  }
  /// Puts a turn in front. False: it does not fit.
  bool prepend(unsigned turn, unsigned width) {
    if (bits + width > kMostBits) return false;
    value = std::uint64_t{turn} << (kMostBits - width) | value >> width;
    bits += width;
    return true;
  }
  /// The first turn has been taken.
  static std::uint64_t advance(std::uint64_t route, unsigned width) {
    return width >= kMostBits ? 0 : route << width;
  }
};

/// A route with these remaining turns leads through the point at the end of `path`, which is not
/// empty: it agrees in all bits of the path.
inline bool leads_through(std::uint64_t route, const LineName& path) {
  return ((route ^ path.value) >> (TurnPool::kMostBits - path.bits)) == 0;
}

}  // namespace weir::isolation

#pragma once

#include <cstdint>

#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/hooks/side.hpp"

namespace weir::fabric {

/// A mechanism that is asked for every packet can fetch what it will need into the cache before its
/// turn comes (part_prefetch.cpp). Nothing depends on it but speed.
class CacheHints {
 public:
  /// Fetch into the cache what is known of a packet, of a side, then of the lines of a side (for a
  /// packet to `destination`), and of the route of a packet that may be made.
  virtual void prefetch_packet(std::uint32_t packet) const { (void)packet; }
  virtual void prefetch_side(Side side) const { (void)side; }
  virtual void prefetch_lines(Side side, std::uint32_t destination) const {
    (void)side, (void)destination;
  }
  virtual void prefetch_route(std::uint32_t source, std::uint32_t destination) const {
    (void)source, (void)destination;
  }
  /// What a message of its own that will arrive at `port` is about.
  virtual void prefetch_message(std::uint32_t port, const ControlMessage& message) const {
    (void)port, (void)message;
  }

 protected:
  ~CacheHints() = default;
};

}  // namespace weir::fabric

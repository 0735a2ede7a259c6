#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/isolation/turn_pool.hpp"

namespace weir::isolation {

/// Explicit routes in the headers of packets: the turn at every switch from the source host on
/// (lippens2010, section 4.1.2), and where the routing needs several lanes, the one behind it. They
/// follow from the default routes, and are kept for pairs that were used lately.
class SourceRoutes {
 public:
  void attach(const fabric::FabricView& fabric);

  /// Turns from the first switch on.
  [[nodiscard]] std::uint64_t route(std::uint32_t source, std::uint32_t destination);
  /// Writes the header of a packet that has been made.
  void write(std::uint32_t packet, std::uint32_t source, std::uint32_t destination) {
    if (packet >= headers_.size()) headers_.resize(packet + packet / 2 + 64);
    headers_[packet] = route(source, destination);
  }
  void prefetch(std::uint32_t packet) const {
    if (packet < headers_.size()) weir::prefetch(&headers_[packet]);
  }
  void prefetch(std::uint32_t source, std::uint32_t destination) const {
    weir::prefetch(&known_[place(source, destination)]);
  }
  /// Turns that are still to be taken.
  [[nodiscard]] std::uint64_t remaining(std::uint32_t packet) const { return headers_[packet]; }
  /// The packet has taken its turn at the switch of `port`.
  void advance(std::uint32_t packet, std::uint32_t port) {
    headers_[packet] = TurnPool::advance(headers_[packet], width_[port]);
  }
  /// What is taken at the switch of input `port` to local output `output` and a lane behind it.
  [[nodiscard]] unsigned turn(std::uint32_t port, unsigned output, unsigned lane) const {
    const fabric::PortInfo& in = ports_[port];
    return turn_of(in.number, output, in.degree) << lane_bits_ | lane;
  }
  /// Bits of a turn at the switch of `port`.
  [[nodiscard]] unsigned width(std::uint32_t port) const { return width_[port]; }
  /// Bits of the longest route so far.
  [[nodiscard]] unsigned longest() const { return longest_; }
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Known {
    std::uint32_t source = UINT32_MAX;
    std::uint32_t destination = UINT32_MAX;
    std::uint64_t route = 0;
  };
  [[nodiscard]] std::size_t place(std::uint32_t source, std::uint32_t destination) const {
    const std::uint64_t mixed =
        (std::uint64_t{source} << 32 | destination) * 0x9e37'79b9'7f4a'7c15ULL;
    return (mixed >> 40) & (known_.size() - 1);
  }
  [[nodiscard]] std::uint64_t follow(std::uint32_t source, std::uint32_t destination);

  fabric::Ports ports_;
  fabric::OutputLinks links_;
  const routing::RoutingFunction* routing_ = nullptr;
  unsigned lane_bits_ = 0;
  std::vector<std::uint8_t> width_;    ///< per port
  HugeVector<std::uint64_t> headers_;  ///< per packet
  HugeVector<Known> known_;            ///< by a hash of the pair
  unsigned longest_ = 0;
};

}  // namespace weir::isolation

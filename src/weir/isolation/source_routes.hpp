#pragma once

#include <cstdint>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/fabric/hooks/injection_buffer.hpp"
#include "weir/fabric/hooks/known_paths.hpp"
#include "weir/isolation/turn_pool.hpp"

namespace weir::isolation {

/// Explicit routes in the headers of packets: the turn at every switch from the source host on
/// (lippens2010, section 4.1.2), and where the routing needs several lanes, the one behind it. They
/// follow from the known way of each connection, and are kept for those that were used lately: for
/// pairs of hosts where all default routes are taken, else for data and ACKs of each flow.
class SourceRoutes {
 public:
  /// Throws InputError when a route does not fit into a header.
  void attach(const fabric::FabricView& fabric);

  /// Turns from the first switch on, of one of these packets.
  [[nodiscard]] std::uint64_t route(std::uint32_t source, std::uint32_t destination,
                                    fabric::FlowPackets packets) {
    const Key key = by_flow_ ? Key{packets.flow, packets.are_acks} : Key{source, destination};
    Known& known = known_[place(key)];
    if (known.key != key) known = {key, follow(source, destination, packets.flow)};
    return known.route;
  }
  /// Writes the header of a packet that has been made.
  void write(std::uint32_t packet) {
    if (packet >= headers_.size()) headers_.resize(packet + packet / 2 + 64);
    const fabric::Packet& p = packets_[packet];
    const std::uint32_t flow = !by_flow_ ? 0 : p.is_ack() ? p.message : packets_.flow_of(p);
    headers_[packet] = route(p.source, p.destination, {flow, p.is_ack()});
  }
  void prefetch(std::uint32_t packet) const {
    if (packet < headers_.size()) weir::prefetch(&headers_[packet]);
  }
  void prefetch(std::uint32_t source, std::uint32_t destination, std::uint32_t flow) const {
    weir::prefetch(&known_[place(by_flow_ ? Key{flow, 0} : Key{source, destination})]);
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
  /// Source and destination, or flow and whether it is about its ACKs.
  struct Key {
    std::uint32_t first = UINT32_MAX;
    std::uint32_t second = UINT32_MAX;
    bool operator==(const Key&) const = default;
  };
  struct Known {
    Key key;
    std::uint64_t route = 0;
  };
  [[nodiscard]] std::size_t place(Key key) const {
    const std::uint64_t mixed =
        (std::uint64_t{key.first} << 32 | key.second) * 0x9e37'79b9'7f4a'7c15ULL;
    return (mixed >> 40) & (known_.size() - 1);
  }
  [[nodiscard]] std::uint64_t follow(std::uint32_t source, std::uint32_t destination,
                                     std::uint32_t flow);
  /// The route of a connection. Throws InputError when it does not fit.
  [[nodiscard]] TurnPool turns(const fabric::ConnectionName& connection);
  [[noreturn]] void refuse(const fabric::ConnectionName& connection);
  void check_lengths();

  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Packets packets_;
  fabric::KnownPaths paths_;
  bool by_flow_ = false;
  unsigned lane_bits_ = 0;
  std::vector<std::uint8_t> width_;    ///< per port
  HugeVector<std::uint64_t> headers_;  ///< per packet
  HugeVector<Known> known_;            ///< by a hash of the key
  unsigned longest_ = 0;
};

}  // namespace weir::isolation

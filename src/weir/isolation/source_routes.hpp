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
/// pairs of hosts where all default routes are taken, else for each connection. An ACK goes as data
/// of a connection with the same number would.
class SourceRoutes {
 public:
  /// Throws InputError when a route does not fit into a header.
  void attach(const fabric::FabricView& fabric);

  /// Turns from the first switch on.
  [[nodiscard]] std::uint64_t route(fabric::ConnectionName connection) {
    if (!by_connection_) connection.number = 0;
    Known& known = known_[place(connection)];
    if (known.source != connection.source.value ||
        known.destination != connection.destination.value || known.number != connection.number) {
      known = {connection.source.value, connection.destination.value, connection.number,
               follow(connection)};
    }
    return known.route;
  }
  /// Writes the header of a packet that has been made.
  void write(std::uint32_t packet) {
    const fabric::Packet& p = packets_[packet];
    const std::uint16_t number = by_connection_ ? packets_.connection_of(p) : std::uint16_t{0};
    header(packet) = route({HostId(p.source), HostId(p.destination), number});
  }
  void prefetch(std::uint32_t packet) const { packets_.prefetch_record(header_, packet); }
  void prefetch(std::uint32_t source, std::uint32_t destination) const {
    weir::prefetch(&known_[place({HostId(source), HostId(destination), 0})]);
  }
  /// Turns that are still to be taken.
  [[nodiscard]] std::uint64_t remaining(std::uint32_t packet) const { return header(packet); }
  /// The packet has taken its turn at the switch of `port`.
  void advance(std::uint32_t packet, std::uint32_t port) {
    header(packet) = TurnPool::advance(header(packet), width_[port]);
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
    std::uint32_t number = 0;
    std::uint64_t route = 0;
  };
  [[nodiscard]] std::size_t place(const fabric::ConnectionName& connection) const {
    const std::uint64_t hosts =
        std::uint64_t{connection.source.value} << 32 | connection.destination.value;
    const std::uint64_t mixed =
        (hosts + connection.number * 0xc2b2'ae3d'27d4'eb4fULL) * 0x9e37'79b9'7f4a'7c15ULL;
    return (mixed >> 40) & (known_.size() - 1);
  }
  [[nodiscard]] std::uint64_t& header(std::uint32_t packet) const {
    return packets_.record(header_, packet);
  }
  [[nodiscard]] std::uint64_t follow(const fabric::ConnectionName& connection);
  /// The route of a connection. Throws InputError when it does not fit.
  [[nodiscard]] TurnPool turns(const fabric::ConnectionName& connection);
  [[noreturn]] void refuse(const fabric::ConnectionName& connection);
  void check_lengths();

  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Packets packets_;
  fabric::KnownPaths paths_;
  fabric::RecordSlot<std::uint64_t> header_;  ///< goes along when a packet leaves the part
  bool by_connection_ = false;
  unsigned lane_bits_ = 0;
  std::vector<std::uint8_t> width_;  ///< per port
  HugeVector<Known> known_;          ///< by a hash of the connection
  unsigned longest_ = 0;
};

}  // namespace weir::isolation

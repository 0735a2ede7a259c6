#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/fabric/hooks/views.hpp"

namespace weir::selection {

/// 64 bits that depend on every bit of both numbers (the finalizer of splitmix64;
/// steele2014splittable).
inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t h = seed + 0x9e3779b97f4a7c15ULL * (value + 1);
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

/// Hash of what tells connections apart: both hosts, and the number of the connection among those
/// from one to the other.
inline std::uint64_t flow_hash(const fabric::ConnectionName& connection, std::uint64_t salt) {
  const std::uint64_t hosts =
      std::uint64_t{connection.source.value} << 32 | connection.destination.value;
  return mixed(mixed(salt, hosts), connection.number);
}
/// That of a packet; an ACK is of the opposite direction.
inline fabric::ConnectionName connection_of(const fabric::Packets& packets,
                                            const fabric::Packet& packet) {
  return {HostId(packet.source), HostId(packet.destination), packets.connection_of(packet)};
}

/// A whole number below `count` from the high bits of a hash.
inline std::size_t scaled(std::uint64_t hash, std::size_t count) {
  return static_cast<std::size_t>((hash >> 32) * count >> 32);
}

}  // namespace weir::selection

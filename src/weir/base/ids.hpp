#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace weir {

/// A dense index of one kind of thing. Different tags do not mix.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr explicit Id(int v) : value(static_cast<std::uint32_t>(v)) {}

  constexpr auto operator<=>(const Id&) const = default;
  [[nodiscard]] constexpr bool valid() const { return value != kNone; }
  [[nodiscard]] constexpr std::size_t index() const { return value; }
};

/// End node (HCA). Dense from 0.
using HostId = Id<struct HostTag>;
/// Switch. Dense from 0.
using SwitchId = Id<struct SwitchTag>;
/// Host or switch: hosts come first (node h is host h), then switches (node hosts + s is switch s).
using NodeId = Id<struct NodeTag>;
/// One port of one node, numbered through the whole network. The ports of a node are contiguous.
using PortId = Id<struct PortTag>;
/// Packet in the slab of a fabric.
using PacketId = Id<struct PacketTag>;

}  // namespace weir

template <class Tag>
struct std::hash<weir::Id<Tag>> {
  std::size_t operator()(weir::Id<Tag> id) const noexcept { return id.value; }
};

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"

namespace weir::fabric {

/// Where one mechanism finds what packets carry for it.
template <class Content>
struct RecordSlot {
  std::size_t offset = 0;
};

/// What packets carry for mechanisms: plain structs beside the packets, found by the packet's
/// handle. The record of a data packet is all zero when it leaves its source, and goes into the
/// ACK. Runs in which no mechanism reserves a part have none. References are valid until the next
/// packet is made.
class PacketRecords {
 public:
  /// Only before the first packet.
  template <class Content>
  RecordSlot<Content> reserve() {
    static_assert(std::is_trivially_copyable_v<Content> && alignof(Content) <= kAlign);
    const RecordSlot<Content> slot{stride_};
    stride_ += (sizeof(Content) + kAlign - 1) / kAlign * kAlign;
    return slot;
  }
  [[nodiscard]] bool any() const { return stride_ != 0; }

  /// Of a new packet.
  void begin(std::uint32_t packet) {
    make_room(packet);
    std::memset(&bytes_[packet * stride_], 0, stride_);
  }
  void copy(std::uint32_t from, std::uint32_t to) {
    make_room(to);
    std::memcpy(&bytes_[to * stride_], &bytes_[from * stride_], stride_);
  }
  /// All that a packet carries, and what one carried in another part of the network.
  [[nodiscard]] std::span<const std::byte> all_of(std::uint32_t packet) const {
    return {&bytes_[packet * stride_], stride_};
  }
  void put(std::uint32_t packet, const std::byte* bytes) {
    make_room(packet);
    std::memcpy(&bytes_[packet * stride_], bytes, stride_);
  }
  /// Of one packet, and all of that.
  [[nodiscard]] std::size_t size() const { return stride_; }
  [[nodiscard]] std::byte* bytes_of(std::uint32_t packet) { return &bytes_[packet * stride_]; }
  template <class Content>
  [[nodiscard]] Content& of(RecordSlot<Content> slot, std::uint32_t packet) {
    return *std::launder(reinterpret_cast<Content*>(&bytes_[packet * stride_ + slot.offset]));
  }
  template <class Content>
  void prefetch(RecordSlot<Content> slot, std::uint32_t packet) const {
    weir::prefetch(bytes_.data() + packet * stride_ + slot.offset);
  }
  [[nodiscard]] std::size_t memory() const { return bytes_.capacity(); }

 private:
  static constexpr std::size_t kAlign = 8;

  void make_room(std::uint32_t packet) {
    const std::size_t need = (std::size_t{packet} + 1) * stride_;
    if (need > bytes_.size()) bytes_.resize(std::max(need, 2 * bytes_.size()));
  }

  std::size_t stride_ = 0;
  HugeVector<std::byte> bytes_;
};

}  // namespace weir::fabric

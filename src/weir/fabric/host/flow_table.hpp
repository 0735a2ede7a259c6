#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

/// The flows that have sent something: dense indices, found by (source, destination) in constant
/// time. Up to kDirectHosts hosts through a table of all pairs (64 MiB then, in huge pages: nearly
/// every access is to another page); beyond by open addressing, at most three quarters full.
/// What a source sends at an assigned rate is a flow of its own beside the rest of its pair, and is
/// always found by open addressing.
class FlowTable {
 public:
  static constexpr std::size_t kDirectHosts = 4'096;

  explicit FlowTable(std::size_t hosts)
      : hosts_(hosts),
        direct_(hosts <= kDirectHosts ? hosts * hosts : 0),
        slots_(hosts <= kDirectHosts ? 0 : 1'024) {}

  /// Index of the flow, which is created when it is new.
  std::uint32_t find_or_add(std::uint32_t source, std::uint32_t destination,
                            bool keeps_rate = false) {
    if (!direct_.empty() && !keeps_rate) {
      std::uint32_t& entry = direct_[source * hosts_ + destination];
      if (entry == 0) entry = add(source, destination, false) + 1;
      return entry - 1;
    }
    if (in_slots_ * 4 >= slots_.size() * 3) grow();
    const std::uint64_t key = key_of(source, destination, keeps_rate);
    Slot& slot = slots_[place(key)];
    if (slot.flow == kEmpty) {
      slot = {key, add(source, destination, keeps_rate)};
      ++in_slots_;
    }
    return slot.flow;
  }
  /// Index of the flow, kNone: it has sent nothing.
  [[nodiscard]] std::uint32_t find(std::uint32_t source, std::uint32_t destination,
                                   bool keeps_rate = false) const {
    if (!direct_.empty() && !keeps_rate) return direct_[source * hosts_ + destination] - 1;
    return slots_.empty() ? kNone : slots_[place(key_of(source, destination, keeps_rate))].flow;
  }
  void prefetch(std::uint32_t source, std::uint32_t destination) const {
    if (!direct_.empty()) weir::prefetch(&direct_[source * hosts_ + destination]);
  }
  void prefetch(std::uint32_t flow) const { weir::prefetch(&flows_[flow]); }
  Flow& operator[](std::uint32_t flow) { return flows_[flow]; }
  const Flow& operator[](std::uint32_t flow) const { return flows_[flow]; }
  [[nodiscard]] const std::vector<Flow>& all() const { return flows_; }
  [[nodiscard]] std::size_t memory() const {
    return flows_.capacity() * sizeof(Flow) + slots_.capacity() * sizeof(Slot) +
           direct_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kEmpty = kNone;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t flow = kEmpty;
  };

  std::uint32_t add(std::uint32_t source, std::uint32_t destination, bool keeps_rate) {
    flows_.emplace_back();
    flows_.back().source = source;
    flows_.back().destination = destination;
    flows_.back().keeps_rate = keeps_rate;
    return static_cast<std::uint32_t>(flows_.size() - 1);
  }
  static std::uint64_t key_of(std::uint32_t source, std::uint32_t destination, bool keeps_rate) {
    constexpr std::uint64_t kRated = std::uint64_t{1} << 63;
    return static_cast<std::uint64_t>(source) << 32 | destination | (keeps_rate ? kRated : 0);
  }
  /// Of the flow with this key, or of a new one.
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    const std::uint64_t h = key * 0x9e3779b97f4a7c15ULL;
    std::size_t i = (h ^ (h >> 32)) & (slots_.size() - 1);
    while (slots_[i].flow != kEmpty && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    return i;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(slots_.size() * 2, 64), Slot{});
    for (std::uint32_t i = 0; i < flows_.size(); ++i) {
      const Flow& flow = flows_[i];
      if (!direct_.empty() && !flow.keeps_rate) continue;
      const std::uint64_t key = key_of(flow.source, flow.destination, flow.keeps_rate);
      slots_[place(key)] = {key, i};
    }
  }

  std::size_t hosts_;
  HugeVector<std::uint32_t> direct_;  ///< per pair: index plus one
  std::vector<Flow> flows_;
  HugeVector<Slot> slots_;
  std::size_t in_slots_ = 0;
};

}  // namespace weir::fabric

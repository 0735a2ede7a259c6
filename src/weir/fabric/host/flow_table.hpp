#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

/// The flows that have sent something: dense indices, found by source, destination and number of
/// the connection in constant time. Connections with number 0: up to kDirectHosts hosts through a
/// table of all pairs (64 MiB then, in huge pages: nearly every access is to another page); beyond
/// by open addressing, at most three quarters full. What a source sends at an assigned rate is a
/// flow of its own beside the rest of its connection. Such flows, and connections with other
/// numbers, are always found by open addressing. A part of a network has a table of the pairs
/// alone whose source or destination is in it.
class FlowTable {
 public:
  static constexpr std::size_t kDirectHosts = 4'096;

  explicit FlowTable(std::size_t hosts)
      : hosts_(hosts),
        direct_(hosts <= kDirectHosts ? hosts * hosts : 0),
        slots_(hosts <= kDirectHosts ? 0 : 1'024) {}
  /// Of the part of a network that has `own` hosts, by number.
  FlowTable(std::size_t hosts, const std::vector<bool>& own);

  /// Index of the flow, which is created when it is new.
  std::uint32_t find_or_add(std::uint32_t source, std::uint32_t destination,
                            bool keeps_rate = false, std::uint16_t connection = 0) {
    const std::uint32_t kind = kind_of(keeps_rate, connection);
    if (const std::size_t at = place_of(source, destination, kind); at != kNowhere) {
      const std::uint32_t entry = direct_[at];
      return entry != 0 ? entry - 1 : add_direct(at, source, destination);
    }
    return find_or_add_slot(source, destination, keeps_rate, connection);
  }
  /// Index of the flow, kNone: it has sent nothing.
  [[nodiscard]] std::uint32_t find(std::uint32_t source, std::uint32_t destination,
                                   bool keeps_rate = false, std::uint16_t connection = 0) const {
    const std::uint32_t kind = kind_of(keeps_rate, connection);
    if (const std::size_t at = place_of(source, destination, kind); at != kNowhere)
      return direct_[at] - 1;
    return slots_.empty() ? kNone : slots_[place(key_of(source, destination), kind)].flow;
  }
  /// All numbers of connections so far are below this one.
  [[nodiscard]] std::uint32_t connections() const { return connections_; }
  void prefetch(std::uint32_t source, std::uint32_t destination) const {
    if (const std::size_t at = place_of(source, destination, 0); at != kNowhere)
      weir::prefetch(&direct_[at]);
  }
  void prefetch(std::uint32_t flow) const { weir::prefetch(&flows_[flow]); }
  Flow& operator[](std::uint32_t flow) { return flows_[flow]; }
  const Flow& operator[](std::uint32_t flow) const { return flows_[flow]; }
  [[nodiscard]] const std::vector<Flow>& all() const { return flows_; }
  [[nodiscard]] std::size_t memory() const {
    return flows_.capacity() * sizeof(Flow) + slots_.capacity() * sizeof(Slot) +
           (direct_.capacity() + numbers_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t kEmpty = kNone;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t flow = kEmpty;
    std::uint32_t kind = 0;
  };

  [[gnu::noinline]] std::uint32_t add_direct(std::size_t at, std::uint32_t source,
                                             std::uint32_t destination) {
    const std::uint32_t flow = add(source, destination, false, 0);
    direct_[at] = flow + 1;
    return flow;
  }
  [[gnu::noinline]] std::uint32_t find_or_add_slot(std::uint32_t source, std::uint32_t destination,
                                                   bool keeps_rate, std::uint16_t connection) {
    const std::uint32_t kind = kind_of(keeps_rate, connection);
    if (in_slots_ * 4 >= slots_.size() * 3) grow();
    const std::uint64_t key = key_of(source, destination);
    Slot& slot = slots_[place(key, kind)];
    if (slot.flow == kEmpty) {
      slot = {key, add(source, destination, keeps_rate, connection), kind};
      ++in_slots_;
    }
    return slot.flow;
  }
  std::uint32_t add(std::uint32_t source, std::uint32_t destination, bool keeps_rate,
                    std::uint16_t connection) {
    flows_.emplace_back();
    flows_.back().source = source;
    flows_.back().destination = destination;
    flows_.back().keeps_rate = keeps_rate;
    flows_.back().connection = connection;
    connections_ = std::max(connections_, connection + 1U);
    return static_cast<std::uint32_t>(flows_.size() - 1);
  }
  static constexpr std::size_t kNowhere = SIZE_MAX;
  /// Of a pair in the table of pairs; kNowhere: it is found by open addressing.
  [[nodiscard]] std::size_t place_of(std::uint32_t source, std::uint32_t destination,
                                     std::uint32_t kind) const {
    if (direct_.empty() || kind != 0) return kNowhere;
    if (!is_part_) [[likely]]
      return source * hosts_ + destination;
    const std::uint32_t from = numbers_[source];
    if ((from & kOwn) != 0) return std::size_t{from & ~kOwn} * hosts_ + destination;
    const std::uint32_t to = numbers_[destination];
    if ((to & kOwn) == 0) return kNowhere;
    return first_incoming_ + std::size_t{to & ~kOwn} * others_ + from;
  }
  static std::uint64_t key_of(std::uint32_t source, std::uint32_t destination) {
    return static_cast<std::uint64_t>(source) << 32 | destination;
  }
  /// Tells flows of one pair of hosts apart.
  static std::uint32_t kind_of(bool keeps_rate, std::uint16_t connection) {
    return std::uint32_t{connection} << 1 | (keeps_rate ? 1U : 0U);
  }
  /// Of the flow with this key, or of a new one.
  [[nodiscard]] std::size_t place(std::uint64_t key, std::uint32_t kind) const {
    const std::uint64_t h =
        key * 0x9e3779b97f4a7c15ULL + std::uint64_t{kind} * 0xc2b2ae3d27d4eb4fULL;
    std::size_t i = (h ^ (h >> 32)) & (slots_.size() - 1);
    while (slots_[i].flow != kEmpty && (slots_[i].key != key || slots_[i].kind != kind)) {
      i = (i + 1) & (slots_.size() - 1);
    }
    return i;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(slots_.size() * 2, 64), Slot{});
    for (std::uint32_t i = 0; i < flows_.size(); ++i) {
      const Flow& flow = flows_[i];
      const std::uint32_t kind = kind_of(flow.keeps_rate, flow.connection);
      if (place_of(flow.source, flow.destination, kind) != kNowhere) continue;
      const std::uint64_t key = key_of(flow.source, flow.destination);
      slots_[place(key, kind)] = {key, i, kind};
    }
  }

  static constexpr std::uint32_t kOwn = std::uint32_t{1} << 31;

  std::size_t hosts_;
  bool is_part_ = false;                ///< of a network
  std::vector<std::uint32_t> numbers_;  ///< per host, in a part: among its own (kOwn), the others
  std::size_t others_ = 0;
  std::size_t first_incoming_ = 0;    ///< behind the pairs of its own sources: from others to own
  HugeVector<std::uint32_t> direct_;  ///< per pair: index plus one
  std::vector<Flow> flows_;
  HugeVector<Slot> slots_;
  std::size_t in_slots_ = 0;
  std::uint32_t connections_ = 1;
};

inline FlowTable::FlowTable(std::size_t hosts, const std::vector<bool>& own)
    : hosts_(hosts), is_part_(true), slots_(hosts <= kDirectHosts ? 0 : 1'024) {
  if (hosts > kDirectHosts) return;
  std::uint32_t count = 0;
  std::uint32_t others = 0;
  numbers_.reserve(hosts);
  for (std::size_t host = 0; host < hosts; ++host)
    numbers_.push_back(own[host] ? count++ | kOwn : others++);
  others_ = others;
  first_incoming_ = count * hosts;
  direct_.resize(first_incoming_ + count * others_);
}

}  // namespace weir::fabric

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/base/chunked_vector.hpp"
#include "weir/base/huge_pages.hpp"
#include "weir/base/prefetch.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

/// The flows that have sent something: dense indices, found by source, destination and number of
/// the connection in constant time. Connections with number 0: up to kDirectHosts hosts through a
/// table of all pairs (64 MiB then, in huge pages: nearly every access is to another page); beyond
/// by open addressing, at most half full. What a source sends at an assigned rate is a flow of its
/// own beside the rest of its connection. Such flows, and connections with other numbers, are
/// always found by open addressing. A part of a network has a table of the pairs alone whose source
/// is in it. What comes from other parts is found by a number that it has among the flows from one
/// part to the other. A flow takes 16 bytes, and more once packets of some flow are lost or
/// overtake each other, or connections have numbers.
class FlowTable {
 public:
  static constexpr std::size_t kDirectHosts = 4'096;

  explicit FlowTable(std::size_t hosts)
      : hosts_(hosts), direct_(hosts <= kDirectHosts ? hosts * hosts : 0) {}
  /// Of one part of a network. `part_of`: each host's, which has to outlive this; there are
  /// `parts`.
  FlowTable(std::size_t hosts, std::span<const std::uint16_t> part_of, std::uint16_t part,
            std::size_t parts);

  /// Index of the flow, which is created when it is new.
  std::uint32_t find_or_add(std::uint32_t source, std::uint32_t destination,
                            bool keeps_rate = false, std::uint16_t connection = 0) {
    const std::uint32_t kind = kind_of(keeps_rate, connection);
    if (std::uint32_t* const at = place_of(*this, source, destination, kind)) {
      return *at != 0 ? *at - 1 : add_direct(at, source, destination);
    }
    return find_or_add_hashed(source, destination, keeps_rate, connection);
  }
  /// Index of a flow from a source that is here, kNone: it has sent nothing.
  [[nodiscard]] std::uint32_t find(std::uint32_t source, std::uint32_t destination,
                                   bool keeps_rate = false, std::uint16_t connection = 0) const {
    const std::uint32_t kind = kind_of(keeps_rate, connection);
    if (const std::uint32_t* const at = place_of(*this, source, destination, kind)) return *at - 1;
    return hashed_.empty() ? kNone : hashed_[hashed_place(source, destination, kind)] - 1;
  }
  /// Index of a flow from another part, which is created when it is new: number `across` of those
  /// from part `from` to this one, kNone where that is not known.
  std::uint32_t find_or_add_incoming(std::uint16_t from, std::uint32_t across, const Flow& name) {
    ChunkedVector<std::uint32_t, 19>& its = incoming_[from];
    if (across < its.size() && its[across] != 0) return its[across] - 1;
    const std::uint32_t flow =
        finds_incoming_by_name_
            ? find_or_add_hashed(name.source, name.destination, name.keeps_rate, name.connection)
            : add(name.source, name.destination, kind_of(name.keeps_rate, name.connection));
    if (across == kNone) return flow;
    its.grow_to(across + std::size_t{1});
    its[across] = flow + 1;
    return flow;
  }
  /// Flows from other parts are known, or will be, whose numbers are not: those of a checkpoint.
  void find_incoming_by_name() { finds_incoming_by_name_ = true; }
  /// All numbers of connections so far are below this one.
  [[nodiscard]] std::uint32_t connections() const { return connections_; }
  /// Fetch into the cache where a flow is found, and then itself.
  void prefetch(std::uint32_t source, std::uint32_t destination) const {
    if (const std::uint32_t* const at = first_place_of(source, destination)) weir::prefetch(at);
  }
  void prefetch_incoming(std::uint16_t from, std::uint32_t across) const {
    if (across < incoming_[from].size()) weir::prefetch(&incoming_[from][across]);
  }
  void prefetch_incoming_flow(std::uint16_t from, std::uint32_t across) const {
    if (across < incoming_[from].size() && incoming_[from][across] != 0)
      prefetch(incoming_[from][across] - 1);
  }
  void prefetch(std::uint32_t flow) const { weir::prefetch(&flows_[flow]); }
  FlowRecord& operator[](std::uint32_t flow) { return flows_[flow]; }
  const FlowRecord& operator[](std::uint32_t flow) const { return flows_[flow]; }
  [[nodiscard]] std::size_t size() const { return flows_.size(); }
  /// Number of its connection within the pair of hosts.
  [[nodiscard]] std::uint16_t connection_of(std::uint32_t flow) const {
    return connections_ == 1 ? std::uint16_t{0} : static_cast<std::uint16_t>(kind_of(flow) >> 1);
  }
  /// A packet has been received; false: after one with a higher sequence number.
  bool receive(std::uint32_t flow, FlowRecord& record, std::uint32_t sequence) {
    if (sequence != record.highest) [[unlikely]]
      return receive_irregularly(flow, record, sequence);
    ++record.highest;
    return true;
  }
  bool receive(std::uint32_t flow, std::uint32_t sequence) {
    return receive(flow, flows_[flow], sequence);
  }
  /// A packet has been discarded for a link that is down.
  void lose(std::uint32_t flow) { ++irregular(flow).lost; }
  /// The next packet in order has been discarded, and nobody waits for it.
  void skip(std::uint32_t flow) {
    ++flows_[flow].highest;
    ++irregular(flow).missing;
  }
  /// All that is known of a flow.
  [[nodiscard]] Flow whole(std::uint32_t flow) const;
  /// All that is known of every flow, by their numbers.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t flow = 0; flow < flows_.size(); ++flow) visit(whole(flow));
  }
  /// Everything but what it is called; from a checkpoint.
  void restore(std::uint32_t flow, const Flow& as);
  [[nodiscard]] std::size_t memory() const {
    std::size_t words = direct_.capacity() + hashed_.capacity() + numbers_.capacity();
    for (const auto& its : incoming_) words += its.memory() / sizeof(std::uint32_t);
    return flows_.memory() + irregular_.memory() + kinds_.memory() + words * sizeof(std::uint32_t);
  }

 private:
  [[gnu::noinline]] std::uint32_t add_direct(std::uint32_t* at, std::uint32_t source,
                                             std::uint32_t destination) {
    const std::uint32_t flow = add(source, destination, 0);
    *at = flow + 1;
    return flow;
  }
  [[gnu::noinline]] std::uint32_t find_or_add_hashed(std::uint32_t source,
                                                     std::uint32_t destination, bool keeps_rate,
                                                     std::uint16_t connection) {
    const std::uint32_t kind = kind_of(keeps_rate, connection);
    if (in_hashed_ * 2 >= hashed_.size()) grow();
    std::uint32_t& entry = hashed_[hashed_place(source, destination, kind)];
    if (entry == 0) {
      entry = add(source, destination, kind) + 1;
      ++in_hashed_;
    }
    return entry - 1;
  }
  std::uint32_t add(std::uint32_t source, std::uint32_t destination, std::uint32_t kind) {
    const auto number = static_cast<std::uint32_t>(flows_.size());
    FlowRecord& flow = flows_.emplace_back();
    flow.source = source;
    flow.destination = destination;
    if (kind != 0) {
      grown(kinds_, number) = kind;
      connections_ = std::max(connections_, (kind >> 1) + 1U);
    }
    if (is_part() && is_own(source) && !is_own(destination))
      flow.highest = outgoing_[part_of_[destination]]++;
    return number;
  }
  /// What a flow has that most do not.
  struct Irregular {
    std::uint32_t missing = 0;  ///< packets with a number below the highest that have not come
    std::uint32_t out_of_order = 0;
    std::uint32_t lost = 0;
  };
  [[nodiscard]] Irregular& irregular(std::uint32_t flow) { return grown(irregular_, flow); }
  [[gnu::noinline]] bool receive_irregularly(std::uint32_t flow, FlowRecord& record,
                                             std::uint32_t sequence) {
    Irregular& its = irregular(flow);
    if (sequence < record.highest) {
      ++its.out_of_order;
      --its.missing;
      return false;
    }
    its.missing += sequence - record.highest;
    record.highest = sequence + 1;
    return true;
  }
  template <class T, unsigned kBits>
  static T& grown(ChunkedVector<T, kBits>& of_flows, std::uint32_t flow) {
    of_flows.grow_to(flow + std::size_t{1});
    return of_flows[flow];
  }
  /// Of a pair in a table of pairs; null: it is found by open addressing.
  template <class Table>
  [[nodiscard]] static auto place_of(Table& table, std::uint32_t source, std::uint32_t destination,
                                     std::uint32_t kind) -> decltype(table.direct_.data()) {
    if (table.direct_.empty() || kind != 0) return nullptr;
    if (!table.is_part()) [[likely]]
      return &table.direct_[source * table.hosts_ + destination];
    if (!table.is_own(source)) return nullptr;
    return &table.direct_[std::size_t{table.numbers_[source]} * table.hosts_ + destination];
  }
  [[nodiscard]] bool is_part() const { return !part_of_.empty(); }
  /// Of a part: it has the host.
  [[nodiscard]] bool is_own(std::uint32_t host) const { return part_of_[host] == part_; }
  [[nodiscard]] bool is_hashed(std::uint32_t number) const {
    const FlowRecord& flow = flows_[number];
    if (is_part() && !is_own(flow.source)) return finds_incoming_by_name_;
    return place_of(*this, flow.source, flow.destination, kind_of(number)) == nullptr;
  }
  /// Tells flows of one pair of hosts apart.
  static std::uint32_t kind_of(bool keeps_rate, std::uint16_t connection) {
    return std::uint32_t{connection} << 1 | (keeps_rate ? 1U : 0U);
  }
  [[nodiscard]] std::uint32_t kind_of(std::uint32_t flow) const {
    return flow < kinds_.size() ? kinds_[flow] : 0;
  }
  /// Where the flow of a connection with number 0 is, or is looked for first; null: nowhere.
  [[nodiscard]] const std::uint32_t* first_place_of(std::uint32_t source,
                                                    std::uint32_t destination) const {
    if (const std::uint32_t* const at = place_of(*this, source, destination, 0)) return at;
    return hashed_.empty() ? nullptr : &hashed_[first_hashed_place(source, destination, 0)];
  }
  [[nodiscard]] std::size_t first_hashed_place(std::uint32_t source, std::uint32_t destination,
                                               std::uint32_t kind) const {
    const std::uint64_t h = (std::uint64_t{source} << 32 | destination) * 0x9e3779b97f4a7c15ULL +
                            std::uint64_t{kind} * 0xc2b2ae3d27d4eb4fULL;
    return (h ^ (h >> 32)) & (hashed_.size() - 1);
  }
  /// Of the flow, or of a new one.
  [[nodiscard]] std::size_t hashed_place(std::uint32_t source, std::uint32_t destination,
                                         std::uint32_t kind) const {
    const auto is_at = [&](std::uint32_t number) {
      const FlowRecord& flow = flows_[number];
      return flow.source == source && flow.destination == destination && kind_of(number) == kind;
    };
    std::size_t i = first_hashed_place(source, destination, kind);
    while (hashed_[i] != 0 && !is_at(hashed_[i] - 1)) i = (i + 1) & (hashed_.size() - 1);
    return i;
  }
  void grow() {
    hashed_ = HugeVector<std::uint32_t>(std::bit_ceil(std::max(4 * in_hashed_, kLeast)));
    constexpr std::uint32_t kAhead = 16;
    for (std::uint32_t i = 0; i < flows_.size(); ++i) {
      if (i + kAhead < flows_.size()) {
        const FlowRecord& later = flows_[i + kAhead];
        weir::prefetch(
            &hashed_[first_hashed_place(later.source, later.destination, kind_of(i + kAhead))]);
      }
      const FlowRecord& flow = flows_[i];
      if (is_hashed(i)) hashed_[hashed_place(flow.source, flow.destination, kind_of(i))] = i + 1;
    }
  }

  static constexpr std::size_t kLeast = 64;  ///< entries of hashed_

  std::size_t hosts_;
  std::span<const std::uint16_t> part_of_;  ///< by host; empty: the whole network is here
  std::uint16_t part_ = 0;
  std::vector<std::uint32_t> numbers_;  ///< per host, of those of a part: among them
  HugeVector<std::uint32_t> direct_;    ///< per pair with a source of its own: index plus one
  HugeVector<std::uint32_t> hashed_;    ///< of all else, by open addressing; 0: free
  std::size_t in_hashed_ = 0;
  std::vector<std::uint32_t> outgoing_;  ///< per part: flows to it
  /// Per part, of the flows that come from it: index plus one; 0: nothing has come.
  std::vector<ChunkedVector<std::uint32_t, 19>> incoming_;
  bool finds_incoming_by_name_ = false;
  ChunkedVector<FlowRecord, 17> flows_;     ///< of 2 MiB
  ChunkedVector<Irregular, 17> irregular_;  ///< up to the last flow that has something
  ChunkedVector<std::uint32_t, 19> kinds_;  ///< up to the last one whose kind is not 0
  std::uint32_t connections_ = 1;
};

inline FlowTable::FlowTable(std::size_t hosts, std::span<const std::uint16_t> part_of,
                            std::uint16_t part, std::size_t parts)
    : hosts_(hosts),
      part_of_(part_of.first(hosts)),
      part_(part),
      outgoing_(parts),
      incoming_(parts) {
  if (hosts > kDirectHosts) return;
  numbers_.resize(hosts, kNone);
  std::uint32_t own = 0;
  for (std::uint32_t host = 0; host < hosts; ++host)
    if (is_own(host)) numbers_[host] = own++;
  direct_.resize(own * hosts);
}

inline Flow FlowTable::whole(std::uint32_t flow) const {
  const FlowRecord& record = flows_[flow];
  const Irregular its = flow < irregular_.size() ? irregular_[flow] : Irregular();
  Flow all;
  all.source = record.source;
  all.destination = record.destination;
  all.injected = record.injected;
  all.highest = record.highest;
  all.out_of_order = its.out_of_order;
  all.lost = its.lost;
  all.keeps_rate = (kind_of(flow) & 1U) != 0;
  all.connection = static_cast<std::uint16_t>(kind_of(flow) >> 1);
  // The numbers of one that ends in another part count there.
  if (!is_part() || is_own(record.destination)) all.delivered = record.highest - its.missing;
  return all;
}

inline void FlowTable::restore(std::uint32_t flow, const Flow& as) {
  flows_[flow].injected = as.injected;
  if (is_part() && !is_own(flows_[flow].destination)) return;
  flows_[flow].highest = as.highest;
  const Irregular its{as.highest - as.delivered, as.out_of_order, as.lost};
  if (its.missing != 0 || its.out_of_order != 0 || its.lost != 0) irregular(flow) = its;
}

}  // namespace weir::fabric

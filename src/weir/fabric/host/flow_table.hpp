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
#include "weir/fabric/host/flow_names.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/fabric/slab.hpp"

namespace weir::fabric {

/// The flows that have sent something: numbers, without gaps in a whole network, found by source,
/// destination and number of the connection in constant time. Connections with number 0: up to
/// kDirectHosts hosts through a table of all pairs (64 MiB then, in huge pages: nearly every access
/// is to another page); beyond by open addressing, at most half full. What a source sends at an
/// assigned rate is a flow of its own beside the rest of its connection. Such flows, and
/// connections with other numbers, are always found by open addressing.
///
/// A part of a network has a table of the pairs alone whose source is in it. What comes from other
/// parts has a number among the flows from one part to the other, by which it is found: numbers are
/// given out in blocks, some to the part's own flows and some to what comes from each other part.
///
/// A flow takes 12 bytes, one that comes from another part 8, and more once packets of some flow
/// are lost or overtake each other, or connections have numbers.
class FlowTable {
 public:
  static constexpr std::size_t kDirectHosts = 4'096;

  explicit FlowTable(std::size_t hosts)
      : hosts_(hosts), direct_(hosts <= kDirectHosts ? hosts * hosts : 0), names_(hosts) {
    expect_flows_of(hosts);
  }
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
    if (finds_incoming_by_name_) [[unlikely]]
      return find_or_add_hashed(name.source, name.destination, name.keeps_rate, name.connection);
    const std::uint32_t flow = incoming(from, across);
    if (highest_[flow] == 0 && !is_known(flow)) {
      set_name(flow, name.source, name.destination, kind_of(name.keeps_rate, name.connection));
    }
    return flow;
  }
  /// Flows from other parts are known, or will be, whose numbers are not: those of a checkpoint.
  /// Before there are any.
  void find_incoming_by_name() { finds_incoming_by_name_ = true; }
  /// All numbers of connections so far are below this one.
  [[nodiscard]] std::uint32_t connections() const { return connections_; }
  /// Fetch into the cache where a flow is found, and then itself.
  void prefetch(std::uint32_t source, std::uint32_t destination) const {
    if (const std::uint32_t* const at = first_place_of(source, destination)) weir::prefetch(at);
  }
  void prefetch_injected(std::uint32_t flow) const {
    weir::prefetch(&injected_[place_of_own(flow)]);
  }
  void prefetch_highest(std::uint32_t flow) const { weir::prefetch(&highest_[flow]); }
  void prefetch_incoming(std::uint16_t from, std::uint32_t across) const {
    const std::vector<std::uint32_t>& blocks = incoming_[from];
    const std::size_t block = across >> kBlockBits;
    if (block < blocks.size() && blocks[block] != kNone)
      prefetch_highest(numbered(blocks[block], across));
  }
  [[nodiscard]] FlowNames::Name name(std::uint32_t flow) const { return names_[flow]; }
  /// Packets that have entered the network here; the next sequence number.
  std::uint32_t& injected(std::uint32_t flow) { return injected_[place_of_own(flow)]; }
  /// Highest sequence number received, plus one. Not of a flow that ends in another part.
  [[nodiscard]] std::uint32_t highest(std::uint32_t flow) const { return highest_[flow]; }
  /// Of a flow that ends in another part: its number among those to that part.
  [[nodiscard]] std::uint32_t across(std::uint32_t flow) const { return highest_[flow]; }
  /// Flows that have sent something, or of which something has come.
  [[nodiscard]] std::size_t size() const { return flows_; }
  /// All flows have numbers below this one; of a part not all such numbers are of a flow.
  [[nodiscard]] std::uint32_t end() const {
    return static_cast<std::uint32_t>(of_block_.size() << kBlockBits);
  }
  /// There is a flow with that number.
  [[nodiscard]] bool is_known(std::uint32_t flow) const {
    const std::uint32_t block = flow >> kBlockBits;
    if (block >= of_block_.size()) return false;
    if (of_block_[block] == kNone) return names_[flow] != FlowNames::Name();
    return place_of_own(flow) < injected_.size();
  }
  /// Number of its connection within the pair of hosts.
  [[nodiscard]] std::uint16_t connection_of(std::uint32_t flow) const {
    return connections_ == 1 ? std::uint16_t{0} : static_cast<std::uint16_t>(kind_of(flow) >> 1);
  }
  /// A packet has been received; false: after one with a higher sequence number.
  bool receive(std::uint32_t flow, std::uint32_t sequence) {
    std::uint32_t& highest = highest_[flow];
    if (sequence != highest) [[unlikely]]
      return receive_irregularly(flow, highest, sequence);
    ++highest;
    return true;
  }
  /// A packet has been discarded for a link that is down.
  void lose(std::uint32_t flow) { ++irregular(flow).lost; }
  /// The next packet in order has been discarded, and nobody waits for it.
  void skip(std::uint32_t flow) {
    ++highest_[flow];
    ++irregular(flow).missing;
  }
  /// All that is known of a flow here: of one that ends in another part what it has received is
  /// not.
  [[nodiscard]] Flow whole(std::uint32_t flow) const;
  /// visit(number) of every flow, ascending.
  template <class Visit>
  void for_each_number(Visit visit) const {
    for (std::uint32_t flow = 0; flow < end(); ++flow)
      if (is_known(flow)) visit(flow);
  }
  /// All that is known of every flow, by their numbers.
  template <class Visit>
  void for_each(Visit visit) const {
    for_each_number([&](std::uint32_t flow) { visit(whole(flow)); });
  }
  /// Everything but what it is called; from a checkpoint.
  void restore(std::uint32_t flow, const Flow& as);
  [[nodiscard]] std::size_t memory() const {
    std::size_t words = direct_.capacity() + hashed_.capacity() + numbers_.capacity();
    for (const auto& blocks : incoming_) words += blocks.capacity();
    return names_.memory() + injected_.memory() + highest_.memory() + irregular_.memory() +
           kinds_.memory() + (words + of_block_.capacity()) * sizeof(std::uint32_t);
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
    if ((next_own_ & kBlockMask) == 0) next_own_ = add_block(injected_.size()) << kBlockBits;
    const std::uint32_t flow = next_own_++;
    injected_.emplace_back();
    set_name(flow, source, destination, kind);
    if (is_part() && is_own(source) && !is_own(destination))
      highest_[flow] = outgoing_[part_of_[destination]]++;
    return flow;
  }
  void set_name(std::uint32_t flow, std::uint32_t source, std::uint32_t destination,
                std::uint32_t kind) {
    ++flows_;
    names_.set(flow, {source, destination});
    if (kind == 0) return;
    grown(kinds_, flow) = kind;
    connections_ = std::max(connections_, (kind >> 1) + 1U);
  }
  /// A block of numbers: for own flows, the first of which is `place` of them, or (kNone) for those
  /// from another part.
  std::uint32_t add_block(std::size_t place) {
    const auto block = static_cast<std::uint32_t>(of_block_.size());
    of_block_.push_back(static_cast<std::uint32_t>(place));
    names_.grow_to(end());
    highest_.grow_to(end());
    return block;
  }
  void expect_flows_of(std::size_t hosts) {
    if (hosts < kManyHosts) return;
    names_.expect_many();
    highest_.expect_many();
    injected_.expect_many();
  }
  [[nodiscard]] static std::uint32_t numbered(std::uint32_t block, std::uint32_t place) {
    return block << kBlockBits | (place & kBlockMask);
  }
  /// Number of a flow from another part.
  std::uint32_t incoming(std::uint16_t from, std::uint32_t across) {
    std::vector<std::uint32_t>& blocks = incoming_[from];
    const std::size_t block = across >> kBlockBits;
    if (block >= blocks.size()) blocks.resize(block + 1, kNone);
    if (blocks[block] == kNone) blocks[block] = add_block(kNone);
    return numbered(blocks[block], across);
  }
  /// Of a flow that began here, or is found by its name: its place among those.
  [[nodiscard]] std::uint32_t place_of_own(std::uint32_t flow) const {
    return is_part() ? of_block_[flow >> kBlockBits] + (flow & kBlockMask) : flow;
  }
  /// What a flow has that most do not.
  struct Irregular {
    std::uint32_t missing = 0;  ///< packets with a number below the highest that have not come
    std::uint32_t out_of_order = 0;
    std::uint32_t lost = 0;
  };
  [[nodiscard]] Irregular& irregular(std::uint32_t flow) { return grown(irregular_, flow); }
  [[gnu::noinline]] bool receive_irregularly(std::uint32_t flow, std::uint32_t& highest,
                                             std::uint32_t sequence) {
    Irregular& its = irregular(flow);
    if (sequence < highest) {
      ++its.out_of_order;
      --its.missing;
      return false;
    }
    its.missing += sequence - highest;
    highest = sequence + 1;
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
  /// Of one that is known.
  [[nodiscard]] bool is_hashed(std::uint32_t flow) const {
    if (of_block_[flow >> kBlockBits] == kNone) return false;
    const auto [source, destination] = names_[flow];
    return place_of(*this, source, destination, kind_of(flow)) == nullptr;
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
    const auto is_at = [&](std::uint32_t flow) {
      return names_[flow] == FlowNames::Name{source, destination} && kind_of(flow) == kind;
    };
    std::size_t i = first_hashed_place(source, destination, kind);
    while (hashed_[i] != 0 && !is_at(hashed_[i] - 1)) i = (i + 1) & (hashed_.size() - 1);
    return i;
  }
  void grow() {
    hashed_ = HugeVector<std::uint32_t>(std::bit_ceil(std::max(4 * in_hashed_, kLeast)));
    const auto first_place = [&](std::uint32_t flow) {
      const auto [source, destination] = names_[flow];
      return first_hashed_place(source, destination, kind_of(flow));
    };
    constexpr std::uint32_t kAhead = 16;
    for_each_number([&](std::uint32_t flow) {
      if (flow + kAhead < end()) weir::prefetch(&hashed_[first_place(flow + kAhead)]);
      if (!is_hashed(flow)) return;
      const auto [source, destination] = names_[flow];
      hashed_[hashed_place(source, destination, kind_of(flow))] = flow + 1;
    });
  }

  /// Chunks of 2 MiB are little beside what a part with so many has.
  static constexpr std::size_t kManyHosts = 2'048;
  static constexpr unsigned kBlockBits = 12;  ///< numbers of a block
  static constexpr std::uint32_t kBlockMask = (1U << kBlockBits) - 1;
  static constexpr std::size_t kLeast = 64;  ///< entries of hashed_

  std::size_t hosts_;
  std::span<const std::uint16_t> part_of_;  ///< by host; empty: the whole network is here
  std::uint16_t part_ = 0;
  std::vector<std::uint32_t> numbers_;  ///< per host, of those of a part: among them
  HugeVector<std::uint32_t> direct_;    ///< per pair with a source of its own: index plus one
  HugeVector<std::uint32_t> hashed_;    ///< of all else, by open addressing; 0: free
  std::size_t in_hashed_ = 0;
  std::vector<std::uint32_t> outgoing_;               ///< per part: flows to it
  std::vector<std::vector<std::uint32_t>> incoming_;  ///< per part: blocks of the flows from it
  std::vector<std::uint32_t> of_block_;  ///< place of its first among own flows; kNone: of incoming
  std::uint32_t next_own_ = 0;           ///< number; of a block's first: it has not begun
  std::size_t flows_ = 0;
  bool finds_incoming_by_name_ = false;
  FlowNames names_;
  ChunkedVector<std::uint32_t, 19> highest_;   ///< of 2 MiB; across() of those that end elsewhere
  ChunkedVector<std::uint32_t, 19> injected_;  ///< by places of own flows
  ChunkedVector<Irregular, 17> irregular_;     ///< up to the last flow that has something
  ChunkedVector<std::uint32_t, 19> kinds_;     ///< up to the last one whose kind is not 0
  std::uint32_t connections_ = 1;
};

inline FlowTable::FlowTable(std::size_t hosts, std::span<const std::uint16_t> part_of,
                            std::uint16_t part, std::size_t parts)
    : hosts_(hosts),
      part_of_(part_of.first(hosts)),
      part_(part),
      outgoing_(parts),
      incoming_(parts),
      names_(hosts) {
  const auto own = static_cast<std::size_t>(std::count(part_of_.begin(), part_of_.end(), part));
  expect_flows_of(own);
  if (hosts > kDirectHosts) return;
  numbers_.resize(hosts, kNone);
  std::uint32_t number = 0;
  for (std::uint32_t host = 0; host < hosts; ++host)
    if (is_own(host)) numbers_[host] = number++;
  direct_.resize(own * hosts);
}

inline Flow FlowTable::whole(std::uint32_t flow) const {
  const Irregular its = flow < irregular_.size() ? irregular_[flow] : Irregular();
  Flow all;
  all.source = names_[flow].source;
  all.destination = names_[flow].destination;
  if (of_block_[flow >> kBlockBits] != kNone) all.injected = injected_[place_of_own(flow)];
  all.out_of_order = its.out_of_order;
  all.lost = its.lost;
  all.keeps_rate = (kind_of(flow) & 1U) != 0;
  all.connection = static_cast<std::uint16_t>(kind_of(flow) >> 1);
  if (is_part() && !is_own(all.destination)) return all;
  all.highest = highest_[flow];
  all.delivered = all.highest - its.missing;
  return all;
}

inline void FlowTable::restore(std::uint32_t flow, const Flow& as) {
  if (of_block_[flow >> kBlockBits] != kNone) injected_[place_of_own(flow)] = as.injected;
  if (is_part() && !is_own(names_[flow].destination)) return;
  highest_[flow] = as.highest;
  const Irregular its{as.highest - as.delivered, as.out_of_order, as.lost};
  const bool has_some = its.missing != 0 || its.out_of_order != 0 || its.lost != 0;
  if (has_some || flow < irregular_.size()) irregular(flow) = its;
}

}  // namespace weir::fabric

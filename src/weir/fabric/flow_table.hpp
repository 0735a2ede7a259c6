#pragma once

#include <cstdint>
#include <vector>

#include "weir/fabric/packet.hpp"

namespace weir::fabric {

/// The flows that have sent something: dense indices, found by (source, destination) in constant time
/// (open addressing, at most half full). Memory grows with active flows, not with hosts squared.
class FlowTable {
 public:
  FlowTable() : slots_(1'024, UINT32_MAX) {}

  /// Index of the flow, which is created when it is new.
  std::uint32_t find_or_add(std::uint32_t source, std::uint32_t destination) {
    if (flows_.size() * 2 >= slots_.size()) grow();
    std::size_t slot = hash(source, destination) & (slots_.size() - 1);
    while (slots_[slot] != UINT32_MAX) {
      const Flow& flow = flows_[slots_[slot]];
      if (flow.source == source && flow.destination == destination) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<std::uint32_t>(flows_.size());
    Flow flow;
    flow.source = source;
    flow.destination = destination;
    flows_.push_back(flow);
    return slots_[slot];
  }
  Flow& operator[](std::uint32_t flow) { return flows_[flow]; }
  const Flow& operator[](std::uint32_t flow) const { return flows_[flow]; }
  [[nodiscard]] const std::vector<Flow>& all() const { return flows_; }
  [[nodiscard]] std::size_t memory() const {
    return flows_.capacity() * sizeof(Flow) + slots_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static std::size_t hash(std::uint32_t source, std::uint32_t destination) {
    std::uint64_t h = (static_cast<std::uint64_t>(source) << 32 | destination) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
  void grow() {
    std::vector<std::uint32_t> larger(slots_.size() * 2, UINT32_MAX);
    for (std::uint32_t i = 0; i < flows_.size(); ++i) {
      std::size_t slot = hash(flows_[i].source, flows_[i].destination) & (larger.size() - 1);
      while (larger[slot] != UINT32_MAX) slot = (slot + 1) & (larger.size() - 1);
      larger[slot] = i;
    }
    slots_ = std::move(larger);
  }

  std::vector<Flow> flows_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace weir::fabric

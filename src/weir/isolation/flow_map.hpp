#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weir/base/prefetch.hpp"
#include "weir/isolation/input_flags.hpp"

namespace weir::isolation {

/// The extra field of the forwarding tables of FBICM: for each destination the line of one side
/// that its packets go to (lippens2010, section 4.3). Made when the side gets its first line.
class FlowMap {
 public:
  static constexpr std::uint8_t kNone = 0xff;

  [[nodiscard]] std::uint8_t line_of(std::uint32_t destination) const {
    return lines_ == nullptr ? kNone : lines_[destination];
  }
  void prefetch(std::uint32_t destination) const {
    if (lines_ != nullptr) weir::prefetch(&lines_[destination]);
  }
  void set(std::uint32_t destination, std::uint8_t line, std::size_t destinations) {
    if (lines_ == nullptr) {
      lines_ = std::make_unique<std::uint8_t[]>(destinations);
      std::fill_n(lines_.get(), destinations, kNone);
    }
    if (lines_[destination] == kNone) ++size_;
    lines_[destination] = line;
  }
  void clear(std::uint32_t destination) {
    if (line_of(destination) == kNone) return;
    lines_[destination] = kNone;
    --size_;
  }
  void checkpoint(StateArchive& state, std::size_t destinations);
  [[nodiscard]] bool is_made() const { return lines_ != nullptr; }
  /// Destinations that have a line.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<std::uint8_t[]> lines_;
  std::size_t size_ = 0;
};

/// A destination of a line, with who upstream was told of it.
struct MappedFlow {
  std::uint32_t destination = 0;
  bool told_up = false;    ///< ingress
  InputFlags told_inputs;  ///< egress

  void checkpoint(StateArchive& state);
};

/// The destinations of a line, ascending.
class MappedFlows {
 public:
  [[nodiscard]] MappedFlow* find(std::uint32_t destination) {
    const auto at = place(destination);
    return at != flows_.end() && at->destination == destination ? &*at : nullptr;
  }
  void insert(std::uint32_t destination) {
    MappedFlow flow;
    flow.destination = destination;
    flows_.insert(place(destination), std::move(flow));
  }
  void erase(std::uint32_t destination) { flows_.erase(place(destination)); }
  void clear() { flows_.clear(); }
  [[nodiscard]] std::size_t size() const { return flows_.size(); }
  [[nodiscard]] auto begin() { return flows_.begin(); }
  [[nodiscard]] auto end() { return flows_.end(); }
  [[nodiscard]] auto begin() const { return flows_.begin(); }
  [[nodiscard]] auto end() const { return flows_.end(); }
  void checkpoint(StateArchive& state);
  [[nodiscard]] std::size_t memory() const { return flows_.capacity() * sizeof(MappedFlow); }

 private:
  [[nodiscard]] std::vector<MappedFlow>::iterator place(std::uint32_t destination) {
    return std::lower_bound(
        flows_.begin(), flows_.end(), destination,
        [](const MappedFlow& flow, std::uint32_t d) { return flow.destination < d; });
  }
  std::vector<MappedFlow> flows_;
};

}  // namespace weir::isolation

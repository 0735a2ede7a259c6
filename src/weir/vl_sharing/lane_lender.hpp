#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "weir/base/state_archive.hpp"

namespace weir::vl_sharing {

/// Who has borrowed which virtual lane (VL) of a port. A VL that wants more lanes than it has takes
/// idle ones, or waits its turn; a lane that comes back goes to the first who waits. While its own
/// lane is lent a VL borrows none, but keeps its turn. Pools of VLs, as those of high and of low
/// priority, share a line and no lanes.
/// Source: yan2012, sections 5.2 and 5.3 (assumptions a to c).
class LaneLender {
 public:
  /// One VL for each; those with `may_lend` may be lent while they are idle, to VLs of the same
  /// pool (no pools: to all).
  explicit LaneLender(const std::vector<bool>& may_lend, const std::vector<int>& pools = {});

  /// The VL now holds this many packets of its own and wants this many lanes, its own included.
  /// Gives back what is too much, the newest first, and asks for what is missing.
  /// What comes back goes to those who wait.
  void update(std::size_t vl, std::int64_t packets, std::size_t wanted);

  /// Lanes that serve the VL: its own, unless lent, and those that it has borrowed.
  [[nodiscard]] std::size_t lanes(std::size_t vl) const {
    return (lanes_[vl].borrower ? 0U : 1U) + lanes_[vl].borrowed.size();
  }
  [[nodiscard]] std::optional<std::size_t> borrower(std::size_t vl) const {
    return lanes_[vl].borrower;
  }
  [[nodiscard]] const std::deque<std::size_t>& waiting() const { return waiting_; }
  /// Every lane is lent to nobody or to one that knows of it, none that has lent itself borrows,
  /// and who lacks a lane waits, once, and only while none is idle. RunError otherwise.
  void check() const;
  void checkpoint(StateArchive& state);

 private:
  struct Lane {
    bool may_lend = false;
    int pool = 0;
    std::int64_t packets = 0;
    std::size_t wanted = 1;
    std::optional<std::size_t> borrower;
    std::vector<std::size_t> borrowed;  ///< newest last
    [[nodiscard]] bool lacks() const { return 1 + borrowed.size() < wanted; }
  };
  [[nodiscard]] std::optional<std::size_t> idle(int pool) const;
  void give_back(std::size_t vl);
  void serve_waiting();

  std::vector<Lane> lanes_;
  std::deque<std::size_t> waiting_;
};

}  // namespace weir::vl_sharing

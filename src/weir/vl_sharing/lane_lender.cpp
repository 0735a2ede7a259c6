#include "weir/vl_sharing/lane_lender.hpp"

#include <algorithm>

#include "weir/base/error.hpp"

namespace weir::vl_sharing {

LaneLender::LaneLender(const std::vector<bool>& may_lend, const std::vector<int>& pools)
    : lanes_(may_lend.size()) {
  for (std::size_t vl = 0; vl < lanes_.size(); ++vl) {
    lanes_[vl].may_lend = may_lend[vl];
    if (!pools.empty()) lanes_[vl].pool = pools.at(vl);
  }
}

std::optional<std::size_t> LaneLender::idle(int pool) const {
  for (std::size_t vl = 0; vl < lanes_.size(); ++vl) {
    const Lane& lane = lanes_[vl];
    if (lane.pool != pool || !lane.may_lend || lane.packets > 0) continue;
    if (!lane.borrower && lane.borrowed.empty()) return vl;
  }
  return std::nullopt;
}

void LaneLender::give_back(std::size_t vl) {
  lanes_[lanes_[vl].borrowed.back()].borrower.reset();
  lanes_[vl].borrowed.pop_back();
}

void LaneLender::serve_waiting() {
  // Whoever waits first takes all that it lacks before the next one gets any.
  for (auto place = waiting_.begin(); place != waiting_.end();) {
    Lane& lane = lanes_[*place];
    // One whose own lane is lent borrows none: it keeps its place until that lane is back.
    if (lane.borrower) {
      ++place;
      continue;
    }
    while (lane.lacks()) {
      const auto free = idle(lane.pool);
      if (!free) break;
      lanes_[*free].borrower = *place;
      lane.borrowed.push_back(*free);
    }
    // Behind one that still lacks a lane only those of other pools get any.
    place = lane.lacks() ? place + 1 : waiting_.erase(place);
  }
}

void LaneLender::update(std::size_t vl, std::int64_t packets, std::size_t wanted) {
  Lane& lane = lanes_[vl];
  lane.packets = packets;
  lane.wanted = std::max<std::size_t>(1, wanted);
  while (1 + lane.borrowed.size() > lane.wanted) give_back(vl);
  const auto place = std::find(waiting_.begin(), waiting_.end(), vl);
  if (lane.lacks() && place == waiting_.end()) waiting_.push_back(vl);
  if (!lane.lacks() && place != waiting_.end()) waiting_.erase(place);
  serve_waiting();
}

void LaneLender::check() const {
  const auto fail = [](const char* what) { throw RunError(what); };
  for (std::size_t vl = 0; vl < lanes_.size(); ++vl) {
    const Lane& lane = lanes_[vl];
    if (lane.borrower) {
      const auto& theirs = lanes_[*lane.borrower].borrowed;
      if (std::count(theirs.begin(), theirs.end(), vl) != 1) fail("a lane is lent to nobody");
      if (!lane.may_lend || !lane.borrowed.empty()) fail("a lane is lent that may not be");
    }
    for (const std::size_t other : lane.borrowed) {
      if (lanes_[other].borrower != vl) fail("a lane is borrowed that was not lent");
      if (lanes_[other].pool != lane.pool) fail("a lane is lent to another pool");
    }
    if (1 + lane.borrowed.size() > lane.wanted) fail("a lane was not given back");
    const auto places = std::count(waiting_.begin(), waiting_.end(), vl);
    if (places > 1) fail("a VL waits twice");
    if ((places == 1) != lane.lacks()) fail("a VL waits for nothing, or does not wait");
    if (places == 1 && !lane.borrower && idle(lane.pool))
      fail("a VL waits for a lane while one is idle");
  }
}

void LaneLender::checkpoint(StateArchive& state) {
  for (Lane& lane : lanes_) state(lane.packets, lane.wanted, lane.borrower, lane.borrowed);
  std::vector<std::size_t> waiting(waiting_.begin(), waiting_.end());
  state(waiting);
  waiting_.assign(waiting.begin(), waiting.end());
}

}  // namespace weir::vl_sharing

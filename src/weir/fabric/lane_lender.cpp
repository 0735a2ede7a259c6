#include "weir/fabric/lane_lender.hpp"

#include <algorithm>

#include "weir/base/error.hpp"

namespace weir::fabric {

LaneLender::LaneLender(std::vector<bool> may_lend) : lanes_(may_lend.size()) {
  for (std::size_t vl = 0; vl < lanes_.size(); ++vl) lanes_[vl].may_lend = may_lend[vl];
}

std::optional<std::size_t> LaneLender::idle() const {
  for (std::size_t vl = 0; vl < lanes_.size(); ++vl) {
    const Lane& lane = lanes_[vl];
    if (lane.may_lend && lane.packets == 0 && !lane.borrower && lane.borrowed.empty()) return vl;
  }
  return std::nullopt;
}

void LaneLender::give_back(std::size_t vl) {
  lanes_[lanes_[vl].borrowed.back()].borrower.reset();
  lanes_[vl].borrowed.pop_back();
}

void LaneLender::serve_waiting() {
  // Whoever waits first takes all that it lacks before the next one gets any.
  while (!waiting_.empty()) {
    Lane& lane = lanes_[waiting_.front()];
    // One whose own lane is lent has nothing that another could help with; it waits for that lane.
    if (lane.borrower || 1 + lane.borrowed.size() >= lane.wanted) {
      waiting_.pop_front();
      continue;
    }
    const auto free = idle();
    if (!free) return;
    lanes_[*free].borrower = waiting_.front();
    lane.borrowed.push_back(*free);
  }
}

void LaneLender::update(std::size_t vl, std::int64_t packets, std::size_t wanted) {
  Lane& lane = lanes_[vl];
  lane.packets = packets;
  lane.wanted = std::max<std::size_t>(1, wanted);
  while (1 + lane.borrowed.size() > lane.wanted) give_back(vl);
  if (1 + lane.borrowed.size() < lane.wanted) {
    if (std::find(waiting_.begin(), waiting_.end(), vl) == waiting_.end()) waiting_.push_back(vl);
  }
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
    }
    if (1 + lane.borrowed.size() > lane.wanted) fail("a lane was not given back");
    if (std::count(waiting_.begin(), waiting_.end(), vl) > 1) fail("a lane waits twice");
  }
  if (!waiting_.empty() && idle()) fail("somebody waits for a lane while one is idle");
}

}  // namespace weir::fabric

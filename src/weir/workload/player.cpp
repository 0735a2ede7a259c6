#include "weir/workload/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace weir::workload {

Player::Player(std::shared_ptr<const Schedule> schedule, std::vector<HostId> hosts,
               const PlayerSettings& settings)
    : board_(std::make_unique<Board>(std::move(schedule), std::move(hosts), settings)) {
  groups_.emplace_back(*board_, std::uint16_t{0});
}

void Player::divide(std::size_t parts, const std::function<std::uint16_t(HostId)>& part_of) {
  for (std::size_t r = 0; r < board_->hosts.size(); ++r)
    board_->group_of[r] = part_of(board_->hosts[r]);
  groups_.clear();
  for (std::size_t p = 0; p < parts; ++p)
    groups_.emplace_back(*board_, static_cast<std::uint16_t>(p));
}

bool Player::step(fabric::Fabric& fabric) {
  const bool is_due = step(fabric, 0, fabric.now());
  check();
  return is_due;
}

bool Player::exchange() {
  bool some = false;
  for (RankGroup& from : groups_) {
    for (const RankGroup::Taken& taken : from.to_tell()) {
      groups_[board_->group_of[board_->ranks[taken.operation]]].hear(taken);
      some = true;
    }
    from.to_tell().clear();
  }
  return some;
}

void Player::check() const {
  if (has_begun() && left() > 0 && in_flight() == 0 && !is_busy()) report_deadlock();
}

bool Player::is_done() const { return left() == 0; }

bool Player::is_over() const {
  if (is_done()) return true;
  const std::uint64_t under_way = in_flight();
  return under_way > 0 && has_begun() && !is_busy() && under_way == lost();
}

Time Player::earliest_end() const {
  std::int64_t end = 0;
  for (const RankGroup& group : groups_) {
    end = std::max(end, group.has_begun() ? group.latest() : start().count);
  }
  return Time(end);
}

bool Player::has_begun() const {
  return std::all_of(groups_.begin(), groups_.end(),
                     [](const RankGroup& group) { return group.has_begun(); });
}

bool Player::is_busy() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const RankGroup& group) { return group.is_busy(); });
}

bool Player::has_lost() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const RankGroup& group) { return !group.lost().empty(); });
}

std::size_t Player::left() const {
  std::size_t all = 0;
  for (const RankGroup& group : groups_) all += group.left();
  return all;
}

std::uint64_t Player::in_flight() const {
  std::uint64_t all = 0;
  for (const RankGroup& group : groups_) all += group.sent() - group.received();
  return all;
}

std::size_t Player::lost() const {
  if (groups_.size() == 1) return groups_.front().lost().size();
  std::set<std::uint32_t> all;
  for (const RankGroup& group : groups_) all.insert(group.lost().begin(), group.lost().end());
  return all.size();
}

void Player::report_deadlock() const {
  constexpr std::size_t kShown = 10;
  std::string text;
  std::size_t begun = 0;
  std::size_t others = 0;
  std::int64_t now = 0;
  for (const RankGroup& group : groups_) now = std::max(now, group.now());
  for (std::uint32_t i = 0; i < board_->states.size(); ++i) {
    if (board_->states[i] == Board::State::done) continue;
    if (board_->states[i] != Board::State::begun) {
      ++others;
    } else if (++begun <= kShown) {
      text += fmt::format("\n  {}", board_->schedule->describe(i));
    }
  }
  if (begun > kShown) text += fmt::format("\n  and {} more", begun - kShown);
  throw RunError(
      fmt::format("the workload is deadlocked at {}: nothing is under way, but {} operations wait "
                  "for a partner and {} behind them:{}",
                  to_string(Time(now)), begun, others, text));
}

PlayerReport Player::report() const {
  PlayerReport out;
  out.operations_left = left();
  out.lost = lost();
  const Board& board = *board_;
  for (std::size_t r = 0; r < board.finish.size(); ++r) {
    out.finish.emplace_back(board.finish[r] - board.settings.start.count);
    std::int64_t computing = 0;
    for (std::uint32_t cpu = board.first_cpu[r]; cpu < board.first_cpu[r + 1]; ++cpu) {
      computing = std::max(computing, board.cpus[cpu].computing);
    }
    out.computing.emplace_back(computing);
    out.unexpected_max = std::max(out.unexpected_max, board.mailboxes[r].unexpected_max());
  }
  return out;
}

}  // namespace weir::workload

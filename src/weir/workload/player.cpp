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

void PlayerState::add(const PlayerState& other) {
  left += other.left;
  in_flight += other.in_flight;
  earliest_end = std::max(earliest_end, other.earliest_end);
  now = std::max(now, other.now);
  has_begun = has_begun && other.has_begun;
  is_busy = is_busy || other.is_busy;
}

void Player::divide(const fabric::Fabric& fabric) {
  ranks_ = fabric.ranks();
  process_of_.clear();
  for (std::size_t r = 0; r < board_->hosts.size(); ++r) {
    const HostId host = board_->hosts[r];
    board_->group_of[r] = fabric.has(host) ? static_cast<std::uint16_t>(fabric.number_of_part(host))
                                           : Board::kElsewhere;
    process_of_.push_back(fabric.rank_of(host));
  }
  mail_.resize(ranks_ == nullptr ? 0 : ranks_->count());
  groups_.clear();
  for (std::size_t p = 0; p < fabric.parts(); ++p)
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
      const std::uint32_t rank = board_->ranks[taken.operation];
      if (is_here(rank)) {
        groups_[board_->group_of[rank]].hear(taken);
      } else {
        mail_[process_of_[rank]].taken.push_back(taken);
      }
      some = true;
    }
    from.to_tell().clear();
    for (const std::uint32_t message : from.sent_away()) {
      const std::uint32_t receiver = (*board_->schedule)[message].peer;
      mail_[process_of_[receiver]].places.push_back({message, board_->places[message]});
    }
    from.sent_away().clear();
  }
  return some;
}

Time Player::tell(std::span<Ranks::Parcel> to) {
  PlayerState mine = state_here();
  Time first = Time::max();
  for (const Mail& mail : mail_) {
    for (const RankGroup::Taken& taken : mail.taken) first = std::min(first, Time(taken.time));
    mine.is_busy = mine.is_busy || !mail.taken.empty();
  }
  std::vector<std::uint32_t> lost;
  if (const auto all = lost_here(); all.size() != std::exchange(lost_told_, all.size()))
    lost.assign(all.begin(), all.end());
  for (std::size_t r = 0; r < to.size(); ++r) {
    put_value(to[r], mine);
    put_list(to[r], lost);
    put_list(to[r], mail_[r].taken);
    put_list(to[r], mail_[r].places);
    mail_[r].taken.clear();
    mail_[r].places.clear();
  }
  return first;
}

void Player::hear(std::span<const Ranks::Parcel> told, std::span<std::size_t> at) {
  all_ = {};
  std::vector<std::uint32_t> lost;
  Mail mail;
  for (std::size_t r = 0; r < told.size(); ++r) {
    all_.add(take_value<PlayerState>(told[r], at[r]));
    take_list(told[r], at[r], lost);
    lost_.insert(lost.begin(), lost.end());
    take_list(told[r], at[r], mail.taken);
    for (const RankGroup::Taken& taken : mail.taken)
      groups_[board_->group_of[board_->ranks[taken.operation]]].hear(taken);
    take_list(told[r], at[r], mail.places);
    for (const Place& one : mail.places) board_->places[one.operation] = one.place;
  }
}

void Player::check() const {
  const PlayerState now = state();
  if (now.has_begun && now.left > 0 && now.in_flight == 0 && !now.is_busy) report_deadlock();
}

bool Player::is_over() const {
  const PlayerState now = state();
  if (now.left == 0) return true;
  return now.in_flight > 0 && now.has_begun && !now.is_busy && now.in_flight == lost();
}

PlayerState Player::state_here() const {
  PlayerState out;
  for (const RankGroup& group : groups_) {
    const std::int64_t end = group.has_begun() ? group.latest() : start().count;
    out.add({group.left(), group.sent() - group.received(), end, group.now(), group.has_begun(),
             group.is_busy()});
  }
  return out;
}

bool Player::has_lost() const {
  if (!lost_.empty()) return true;
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const RankGroup& group) { return !group.lost().empty(); });
}

std::set<std::uint32_t> Player::lost_here() const {
  if (groups_.size() == 1) return groups_.front().lost();
  std::set<std::uint32_t> all;
  for (const RankGroup& group : groups_) all.insert(group.lost().begin(), group.lost().end());
  return all;
}

std::size_t Player::lost() const { return ranks_ == nullptr ? lost_here().size() : lost_.size(); }

void Player::report_deadlock() const {
  constexpr std::size_t kShown = 10;
  std::vector<std::uint32_t> begun;
  std::uint64_t others = 0;
  for (std::uint32_t i = 0; i < board_->states.size(); ++i) {
    if (board_->states[i] == Board::State::done || !is_here(board_->ranks[i])) continue;
    if (board_->states[i] == Board::State::begun) {
      begun.push_back(i);
    } else {
      ++others;
    }
  }
  others = summed(ranks_, others);
  std::vector<std::uint32_t> all;
  for (const std::vector<std::uint32_t>& some : gathered(ranks_, std::move(begun)))
    all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    text += fmt::format("\n  {}", board_->schedule->describe(all[i]));
  if (all.size() > kShown) text += fmt::format("\n  and {} more", all.size() - kShown);
  throw RunError(
      fmt::format("the workload is deadlocked at {}: nothing is under way, but {} operations wait "
                  "for a partner and {} behind them:{}",
                  to_string(Time(state().now)), all.size(), others, text));
}

PlayerReport Player::report() const {
  struct OfRank {
    std::uint32_t rank = 0;
    std::uint32_t unexpected_max = 0;
    std::int64_t finish = 0;
    std::int64_t computing = 0;
  };
  const Board& board = *board_;
  std::vector<OfRank> here;
  for (std::uint32_t r = 0; r < board.finish.size(); ++r) {
    if (!is_here(r)) continue;
    OfRank& one = here.emplace_back();
    one.rank = r;
    one.unexpected_max = static_cast<std::uint32_t>(board.mailboxes[r].unexpected_max());
    one.finish = board.finish[r] - board.settings.start.count;
    for (std::uint32_t cpu = board.first_cpu[r]; cpu < board.first_cpu[r + 1]; ++cpu)
      one.computing = std::max(one.computing, board.cpus[cpu].computing);
  }
  PlayerReport out;
  out.operations_left = state().left;
  out.lost = lost();
  out.finish.resize(board.finish.size());
  out.computing.resize(board.finish.size());
  for (const std::vector<OfRank>& some : gathered(ranks_, std::move(here))) {
    for (const OfRank& one : some) {
      out.finish[one.rank] = Time(one.finish);
      out.computing[one.rank] = Time(one.computing);
      out.unexpected_max = std::max<std::size_t>(out.unexpected_max, one.unexpected_max);
    }
  }
  return out;
}

}  // namespace weir::workload

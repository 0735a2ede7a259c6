#include <algorithm>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/state_archive.hpp"
#include "weir/workload/player.hpp"
#include "weir/workload/players.hpp"

namespace weir::workload {

/// A workload in a checkpoint, which has no groups.
struct Player::Kept {
  /// What only the group of a rank knows, and what all do.
  struct OfRank {
    std::uint32_t rank = 0;
    std::string own;
    std::string known;

    void checkpoint(StateArchive& state) { state(rank, own, known); }
  };
  std::vector<OfRank> ranks;
  std::vector<Mailbox::Sent> sent;
  std::vector<std::uint32_t> lost;
  PlayerState all;

  void checkpoint(StateArchive& state) { state(ranks, sent, lost, all); }
  void add(Kept&& other) {
    ranks.insert(ranks.end(), std::make_move_iterator(other.ranks.begin()),
                 std::make_move_iterator(other.ranks.end()));
    sent.insert(sent.end(), other.sent.begin(), other.sent.end());
    lost.insert(lost.end(), other.lost.begin(), other.lost.end());
    all.add(other.all);
  }
};

namespace {

/// What the other processes know of an operation, too.
void checkpoint_known(StateArchive& state, Board& board, std::uint32_t rank) {
  const std::uint32_t first = board.schedule->first(RankId(rank));
  const std::size_t count = board.schedule->operations(RankId(rank)).size();
  state.slice(board.states, first, count);
  state.slice(board.places, first, count);
}

}  // namespace

Player::Kept Player::kept_here() {
  Kept kept;
  for (std::uint32_t rank = 0; rank < board_->hosts.size(); ++rank) {
    if (!is_here(rank)) continue;
    std::ostringstream own(std::ios::binary);
    StateArchive own_state(own);
    groups_[board_->group_of[rank]].checkpoint(own_state, rank);
    std::ostringstream known(std::ios::binary);
    StateArchive known_state(known);
    checkpoint_known(known_state, *board_, rank);
    kept.ranks.push_back({rank, std::move(own).str(), std::move(known).str()});
    board_->mailboxes[rank].add_sent(rank, kept.sent);
  }
  for (const RankGroup& group : groups_) group.add_sent(kept.sent);
  const std::set<std::uint32_t> lost = lost_here();
  kept.lost.assign(lost.begin(), lost.end());
  kept.all = state_here();
  return kept;
}

void Player::checkpoint(StateArchive& state) {
  if (state.is_reading()) {
    Kept kept;
    state(kept);
    go_on(kept);
    return;
  }
  Kept kept = kept_here();
  if (ranks_ != nullptr) {
    const std::vector<Ranks::Parcel> all = ranks_->gather(state_bytes(kept));
    kept = {};
    for (const Ranks::Parcel& parcel : all) {
      Kept its;
      read_state(parcel, its);
      kept.add(std::move(its));
    }
  }
  state(kept);
}

void Player::go_on(Kept& kept) {
  for (const Kept::OfRank& one : kept.ranks) {
    std::istringstream known(one.known, std::ios::binary);
    StateArchive state(known);
    checkpoint_known(state, *board_, one.rank);
  }
  for (const Kept::OfRank& one : kept.ranks) {
    if (!is_here(one.rank)) continue;
    std::istringstream own(one.own, std::ios::binary);
    StateArchive state(own);
    groups_[board_->group_of[one.rank]].checkpoint(state, one.rank);
  }
  for (const Mailbox::Sent& sent : kept.sent) {
    if (!is_here(sent.source)) continue;
    if (board_->group_of[sent.source] == board_->group_of[sent.receiver]) {
      board_->mailboxes[sent.receiver].set_sent(sent);
    } else {
      groups_[board_->group_of[sent.source]].set_sent(sent);
    }
  }
  const bool is_first = ranks_ == nullptr || ranks_->rank() == 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const bool takes = is_first && g == 0;
    groups_[g].go_on(kept.all.now, kept.all.earliest_end, kept.all.has_begun,
                     takes ? kept.all.in_flight : 0);
    for (const std::uint32_t message : kept.lost)
      if (takes) groups_[g].on_lost(message);
  }
  all_ = kept.all;
  lost_.insert(kept.lost.begin(), kept.lost.end());
  lost_told_ = lost_here().size();
}

void Players::checkpoint(StateArchive& state) {
  for (Named& one : players_) one.player.checkpoint(state);
}

}  // namespace weir::workload

#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "weir/base/ranks.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/workload/rank_group.hpp"
#include "weir/workload/schedule.hpp"

namespace weir {
class StateArchive;
}

namespace weir::workload {

/// What became of the ranks. Times count from the start of the workload.
struct PlayerReport {
  std::vector<Time> finish;     ///< per rank: its last operation; 0: it has none
  std::vector<Time> computing;  ///< per rank: calculations begun so far, of its busiest CPU
  std::size_t operations_left = 0;
  std::size_t lost = 0;            ///< messages that never come: the network lost a packet of them
  std::size_t unexpected_max = 0;  ///< messages that waited at one rank for their receive
};

/// How the ranks of a workload in one process stand, or all.
struct PlayerState {
  std::uint64_t left = 0;         ///< operations that are not done
  std::uint64_t in_flight = 0;    ///< messages, those that never come too; modulo 2^64
  std::int64_t earliest_end = 0;  ///< they are not over before
  std::int64_t now = 0;           ///< the last time at which they did something
  bool has_begun = true;
  bool is_busy = false;  ///< something is done sooner or later without a message

  void add(const PlayerState& other);
};

/// Carries a schedule out on a fabric.
///
/// Every CPU of a rank does one thing at a time, in the order of (time it could begin, operation).
/// * A calculation keeps its CPU busy for its time.
/// * A send keeps it busy for the overhead, then its message goes to the host's adapter and the
/// send
///   is done (eager), or, above the rendezvous size, when the sender knows that its receive has
///   taken the message: one shortest cable later, at once on the same host.
/// * A receive is posted in no time. When its message is there entirely, it keeps the CPU busy for
///   the overhead, then it is done. Mailbox says which message it takes.
/// * A message to a rank on the same host is there at once. One of 0 bytes travels as 1 byte.
///
/// The network's events of an instant come first: step() is to be called when they are over. Where
/// the network is divided, the ranks of each part are a group that is stepped by itself; nobody may
/// ask for what all groups have come to unless all have done what comes before some time.
class Player {
 public:
  /// `hosts`: of each rank.
  Player(std::shared_ptr<const Schedule> schedule, std::vector<HostId> hosts,
         const PlayerSettings& settings);

  /// Before anything happens: the ranks on hosts of each part are a group. Where others are in
  /// other processes, each of these has such a player, and all of them hear how all ranks stand.
  void divide(const fabric::Fabric& fabric);

  // --- Of a group

  /// The fabric has delivered all of the message with that tag.
  void on_message_complete(std::uint32_t message, std::size_t group = 0) {
    groups_[group].on_message_complete(message);
  }
  /// A packet of that message is lost: it will never be complete.
  void on_lost(std::uint32_t message, std::size_t group = 0) { groups_[group].on_lost(message); }
  /// When step() must be called, unless a message comes before; Time::max(): not before one comes.
  [[nodiscard]] Time next(std::size_t group = 0) const { return groups_[group].next(); }
  [[nodiscard]] bool has_mail(std::size_t group) const { return groups_[group].has_mail(); }
  /// Does what is due at `now`; false: nothing was.
  bool step(fabric::Fabric& fabric, std::size_t group, Time now) {
    return groups_[group].step(fabric, now);
  }

  // --- Of all

  /// Does what is due by the fabric's clock; false: nothing was. Throws RunError that names the
  /// operations that wait when nothing can ever go on.
  bool step(fabric::Fabric& fabric);
  /// Brings what groups have for each other to its recipients; true: there was something.
  bool exchange();
  /// Throws as step() does.
  void check() const;
  [[nodiscard]] bool is_done() const { return state().left == 0; }
  /// Done, or waits for nothing but lost messages.
  [[nodiscard]] bool is_over() const;
  /// It is not over before.
  [[nodiscard]] Time earliest_end() const { return Time(state().earliest_end); }
  [[nodiscard]] bool has_lost() const;
  [[nodiscard]] Time start() const { return board_->settings.start; }
  [[nodiscard]] const Schedule& schedule() const { return *board_->schedule; }
  [[nodiscard]] const std::vector<HostId>& hosts() const { return board_->hosts; }
  [[nodiscard]] PlayerReport report() const;

  /// Between two instants: writes down how all ranks stand, of several processes the first one
  /// does; or reads it, before anything happens.
  void checkpoint(StateArchive& state);
  /// Its message has not been handed over to the network, nor to another rank of the host. Right
  /// after checkpoint() for all ranks, later for those here.
  [[nodiscard]] bool is_unsent(std::uint32_t operation) const {
    return board_->states[operation] < Board::State::begun;
  }

  // --- Between processes: Overseer::tell() and hear(), after exchange()

  Time tell(std::span<Ranks::Parcel> to);
  /// From at[r] on in what rank r has told.
  void hear(std::span<const Ranks::Parcel> told, std::span<std::size_t> at);

 private:
  /// Of a message, in the mailbox of its receiver.
  struct Place {
    std::uint32_t operation = 0;
    std::uint32_t place = 0;
  };
  /// What another process has to know of its ranks.
  struct Mail {
    std::vector<RankGroup::Taken> taken;
    std::vector<Place> places;
  };

  struct Kept;
  [[nodiscard]] Kept kept_here();
  void go_on(Kept& kept);
  [[nodiscard]] bool is_here(std::size_t rank) const {
    return board_->group_of[rank] != Board::kElsewhere;
  }
  [[nodiscard]] PlayerState state_here() const;
  /// Of all ranks.
  [[nodiscard]] PlayerState state() const { return ranks_ == nullptr ? state_here() : all_; }
  /// Messages that never come: those that groups here have heard of, and all.
  [[nodiscard]] std::set<std::uint32_t> lost_here() const;
  [[nodiscard]] std::size_t lost() const;
  [[noreturn]] void report_deadlock() const;

  std::unique_ptr<Board> board_;
  std::vector<RankGroup> groups_;
  Ranks* ranks_ = nullptr;               ///< with other ranks of the workload; null: all are here
  std::vector<std::size_t> process_of_;  ///< per rank
  std::vector<Mail> mail_;               ///< per process
  PlayerState all_;                      ///< when all have told how they stand
  std::set<std::uint32_t> lost_;         ///< likewise
  std::size_t lost_told_ = 0;            ///< of those here
};

}  // namespace weir::workload

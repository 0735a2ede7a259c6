#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <tuple>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/workload/mailbox.hpp"
#include "weir/workload/schedule.hpp"

namespace weir {
class StateArchive;
}

namespace weir::workload {

struct PlayerSettings {
  Time start;                       ///< when the first operations may begin
  Time overhead;                    ///< that a message keeps its CPU busy, at both ends
  Bytes rendezvous = Bytes::max();  ///< sends of more are done when their receive takes them
  std::uint8_t traffic_class = 0;
  std::uint8_t service_level = 0;
};

/// What is known of all operations of a workload. All that belongs to an operation, a CPU or a rank
/// is changed by the group of its rank alone; the place of a message is read by the receiver, too.
/// Of ranks in other processes only that place is known.
struct Board {
  enum class State : std::uint8_t { waiting, ready, begun, done };
  /// Group of a rank that is in another process.
  static constexpr std::uint16_t kElsewhere = UINT16_MAX;
  struct Task {
    std::int64_t ready = 0;  ///< ps
    std::uint32_t operation = 0;

    /// For a heap with the first one at the front.
    bool operator<(const Task& other) const {
      return ready != other.ready ? ready > other.ready : operation > other.operation;
    }
  };
  struct Cpu {
    std::vector<Task> tasks;  ///< heap
    std::int64_t computing = 0;
    bool is_busy = false;
    bool is_listed = false;
  };

  Board(std::shared_ptr<const Schedule> schedule, std::vector<HostId> hosts,
        const PlayerSettings& settings);
  [[nodiscard]] std::uint32_t cpu_of(std::uint32_t operation) const {
    return first_cpu[ranks[operation]] + (*schedule)[operation].cpu;
  }

  std::shared_ptr<const Schedule> schedule;
  std::vector<HostId> hosts;  ///< of each rank
  PlayerSettings settings;
  std::vector<std::uint16_t> group_of;   ///< per rank
  std::vector<std::uint32_t> waits;      ///< per operation: dependencies that are left
  std::vector<State> states;             ///< per operation
  std::vector<std::uint32_t> places;     ///< per operation: of its message in the mailbox
  std::vector<std::uint32_t> ranks;      ///< per operation
  std::vector<std::uint32_t> first_cpu;  ///< per rank, plus an end mark
  std::vector<Cpu> cpus;
  std::vector<Mailbox> mailboxes;    ///< per rank
  std::vector<std::int64_t> finish;  ///< per rank
};

/// Ranks of a workload that act together: all of them, or those in one part of a network. What they
/// have to do with other ranks they learn from messages, or from hear().
class RankGroup {
 public:
  /// A send that is done because its receive has taken the message.
  struct Taken {
    std::int64_t time = 0;  ///< when the sender knows it
    std::uint32_t operation = 0;

    bool operator>(const Taken& other) const {
      return time != other.time ? time > other.time : operation > other.operation;
    }
  };

  /// The ranks whose Board::group_of is `number`.
  RankGroup(Board& board, std::uint16_t number);

  /// The fabric has delivered all of the message with that tag to one of the ranks.
  void on_message_complete(std::uint32_t message) {
    arrived_.push_back(message);
    ++received_;
  }
  /// A packet of that message is lost: it will never be complete. Any group may hear of it.
  void on_lost(std::uint32_t message) { lost_.insert(message); }
  /// When step() must be called, unless a message comes before; Time::max(): not before one comes.
  [[nodiscard]] Time next() const;
  /// Messages have come since the last step.
  [[nodiscard]] bool has_mail() const { return !arrived_.empty(); }
  /// Does what is due at `now`; false: nothing was.
  bool step(fabric::Fabric& fabric, Time now);

  /// What ranks of other groups are to hear.
  [[nodiscard]] std::vector<Taken>& to_tell() { return to_tell_; }
  /// Messages to ranks in other processes, where their places have to be known.
  [[nodiscard]] std::vector<std::uint32_t>& sent_away() { return sent_away_; }
  void hear(const Taken& taken) { taken_.push(taken); }

  // --- Checkpoints, between two instants

  /// Of a rank of the group, but for how many messages it has sent to others.
  void checkpoint(StateArchive& state, std::uint32_t rank);
  /// How many it has sent to ranks of other groups.
  void add_sent(std::vector<Mailbox::Sent>& out) const;
  void set_sent(const Mailbox::Sent& sent) {
    streams_[{sent.source, sent.receiver, sent.stream_tag}] = sent.count;
  }
  /// Goes on from a time by which the workload had come so far; `in_flight`: messages, of all
  /// groups those that one takes.
  void go_on(std::int64_t now, std::int64_t latest, bool has_begun, std::uint64_t in_flight);

  [[nodiscard]] bool has_begun() const { return has_begun_; }
  /// Of the ranks of the group: operations that are not done.
  [[nodiscard]] std::size_t left() const { return left_; }
  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t received() const { return received_; }
  [[nodiscard]] const std::set<std::uint32_t>& lost() const { return lost_; }
  /// Something will be done without anything else happening.
  [[nodiscard]] bool is_busy() const {
    return !timers_.empty() || !arrived_.empty() || !taken_.empty();
  }
  /// Some operation cannot be done before.
  [[nodiscard]] std::int64_t latest() const { return latest_; }
  [[nodiscard]] std::int64_t now() const { return now_; }

 private:
  using State = Board::State;
  struct Timer {
    std::int64_t time = 0;
    std::uint32_t cpu = 0;
    std::uint32_t operation = 0;

    bool operator>(const Timer& other) const {
      if (time != other.time) return time > other.time;
      return cpu != other.cpu ? cpu > other.cpu : operation > other.operation;
    }
  };

  void begin_all();
  void take_arrivals();
  void take_news();
  void take_timers();
  void serve();
  /// A CPU turns to an operation.
  void turn_to(std::uint32_t cpu, std::uint32_t operation);
  /// ... for so long; 0: what follows happens at once.
  void keep_busy(std::uint32_t cpu, std::uint32_t operation, Time time);
  void leave(std::uint32_t cpu, std::uint32_t operation);
  void hand_over(std::uint32_t operation);
  [[nodiscard]] std::uint32_t place_for(std::uint32_t rank, const Operation& send);
  void meet(const Match& match);
  /// The receive of a message above the rendezvous size has taken it.
  void tell_sender(std::uint32_t message);
  void add_task(std::uint32_t operation);
  void list(std::uint32_t cpu);
  void release(std::uint32_t operation);
  void end(std::uint32_t operation);

  Board* board_;
  std::uint16_t number_;
  fabric::Fabric* fabric_ = nullptr;  ///< during step()
  std::int64_t now_ = 0;
  std::int64_t latest_ = 0;
  bool has_begun_ = false;
  std::size_t left_ = 0;
  std::uint64_t sent_ = 0;      ///< messages into the network
  std::uint64_t received_ = 0;  ///< messages out of it
  std::set<std::uint32_t> lost_;
  std::deque<std::uint32_t> listed_;  ///< CPUs that may have something to do
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::priority_queue<Taken, std::vector<Taken>, std::greater<>> taken_;
  std::vector<Taken> to_tell_;
  std::vector<std::uint32_t> sent_away_;
  std::vector<std::uint32_t> arrived_;  ///< messages since the last step
  std::vector<Match> matches_;          ///< kept for its memory
  /// Messages so far to ranks of other groups: by sender, receiver and tag.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> streams_;
};

}  // namespace weir::workload

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <queue>
#include <set>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/workload/mailbox.hpp"
#include "weir/workload/schedule.hpp"

namespace weir::workload {

struct PlayerSettings {
  Time start;                       ///< when the first operations may begin
  Time overhead;                    ///< that a message keeps its CPU busy, at both ends
  Bytes rendezvous = Bytes::max();  ///< sends of more are done when their receive takes them
  std::uint8_t traffic_class = 0;
  std::uint8_t service_level = 0;
};

/// What became of the ranks. Times count from the start of the workload.
struct PlayerReport {
  std::vector<Time> finish;     ///< per rank: its last operation; 0: it has none
  std::vector<Time> computing;  ///< per rank: calculations begun so far, of its busiest CPU
  std::size_t operations_left = 0;
  std::size_t lost = 0;            ///< messages that never come: the network lost a packet of them
  std::size_t unexpected_max = 0;  ///< messages that waited at one rank for their receive
};

/// Carries a schedule out on a fabric.
///
/// Every CPU of a rank does one thing at a time, in the order of (time it could begin, operation).
/// * A calculation keeps its CPU busy for its time.
/// * A send keeps it busy for the overhead, then its message goes to the host's adapter and the
/// send
///   is done (eager), or, above the rendezvous size, when its receive takes the message.
/// * A receive is posted in no time. When its message is there entirely, it keeps the CPU busy for
///   the overhead, then it is done. Mailbox says which message it takes.
/// * A message to a rank on the same host is there at once. One of 0 bytes travels as 1 byte.
///
/// The network's events of an instant come first: step() is to be called when they are over.
class Player {
 public:
  /// `hosts`: of each rank.
  Player(std::shared_ptr<const Schedule> schedule, std::vector<HostId> hosts,
         const PlayerSettings& settings);

  /// The fabric has delivered all of the message with that tag.
  void on_message_complete(std::uint32_t message) {
    arrived_.push_back(message);
    --in_flight_;
  }
  /// A packet of that message is lost: it will never be complete.
  void on_lost(std::uint32_t message) { lost_.insert(message); }
  /// When step() must be called, unless a message comes before; Time::max(): not before one comes.
  [[nodiscard]] Time next() const;
  /// Does what is due by the fabric's clock; false: nothing was. Throws RunError that names the
  /// operations that wait when nothing can ever go on.
  bool step(fabric::Fabric& fabric);

  [[nodiscard]] bool is_done() const { return left_ == 0; }
  /// Done, or waits for nothing but lost messages.
  [[nodiscard]] bool is_over() const {
    return is_done() || (has_begun_ && timers_.empty() && arrived_.empty() && in_flight_ > 0 &&
                         in_flight_ == lost_.size());
  }
  [[nodiscard]] Time start() const { return settings_.start; }
  [[nodiscard]] PlayerReport report() const;

 private:
  enum class State : std::uint8_t { waiting, ready, begun, done };

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
  struct Timer {
    std::int64_t time = 0;
    std::uint32_t cpu = 0;
    std::uint32_t operation = 0;

    bool operator>(const Timer& other) const {
      if (time != other.time) return time > other.time;
      return cpu != other.cpu ? cpu > other.cpu : operation > other.operation;
    }
  };

  [[nodiscard]] std::uint32_t cpu_of(std::uint32_t operation) const;
  void begin_all();
  void take_arrivals();
  void take_timers();
  void serve();
  /// A CPU turns to an operation.
  void turn_to(std::uint32_t cpu, std::uint32_t operation);
  /// ... for so long; 0: what follows happens at once.
  void keep_busy(std::uint32_t cpu, std::uint32_t operation, Time time);
  void leave(std::uint32_t cpu, std::uint32_t operation);
  void hand_over(std::uint32_t operation);
  void meet(const Match& match);
  void add_task(std::uint32_t operation);
  void list(std::uint32_t cpu);
  void release(std::uint32_t operation);
  void end(std::uint32_t operation);
  [[noreturn]] void report_deadlock() const;

  std::shared_ptr<const Schedule> schedule_;
  std::vector<HostId> hosts_;
  PlayerSettings settings_;
  fabric::Fabric* fabric_ = nullptr;  ///< during step()
  std::int64_t now_ = 0;
  bool has_begun_ = false;
  std::size_t left_;
  std::size_t in_flight_ = 0;  ///< messages, lost ones too
  std::set<std::uint32_t> lost_;
  std::vector<std::uint32_t> waits_;      ///< per operation: dependencies that are left
  std::vector<State> states_;             ///< per operation
  std::vector<std::uint32_t> places_;     ///< per operation: of its message in the mailbox
  std::vector<std::uint32_t> ranks_;      ///< per operation
  std::vector<std::uint32_t> first_cpu_;  ///< per rank, plus an end mark
  std::vector<Cpu> cpus_;
  std::deque<std::uint32_t> listed_;  ///< CPUs that may have something to do
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::vector<Mailbox> mailboxes_;      ///< per rank
  std::vector<std::uint32_t> arrived_;  ///< messages since the last step
  std::vector<Match> matches_;          ///< kept for its memory
  std::vector<std::int64_t> finish_;    ///< per rank
};

}  // namespace weir::workload

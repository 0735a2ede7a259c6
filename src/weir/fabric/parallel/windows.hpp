#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "weir/fabric/parallel/lookahead.hpp"
#include "weir/fabric/parallel/meeting.hpp"
#include "weir/fabric/parallel/neighbours.hpp"
#include "weir/fabric/parallel/observer_log.hpp"
#include "weir/fabric/parallel/part_work.hpp"
#include "weir/fabric/parallel/peak.hpp"
#include "weir/fabric/parallel/slack.hpp"
#include "weir/fabric/part.hpp"

namespace weir::fabric {

/// Runs the parts of a network side by side, a thread each: in windows of time in which nothing
/// that one part does can act in another one (Lookahead). A part goes on until something could
/// come to it of what the others do next, so that parts stand at different times between windows;
/// samples and checks happen when all have come to the same. Between windows one thread looks after
/// what concerns the whole network, while the others wait. Where somebody may have to act on all
/// parts at once, it runs all of them, instant by instant; where there is such a one, their windows
/// end together. Other parts may be in other processes, which take the same steps.
class Windows {
 public:
  struct Duties {
    std::int64_t sample_period = 0;  ///< ps; 0: no samples
    std::int64_t check_period = 0;
    ObserverReplay* observers = nullptr;  ///< what parts have logged for them
    Peaks* peaks = nullptr;
    std::function<void(std::int64_t)> sample;
    std::function<void(std::int64_t)> check;
    Overseer* overseer = nullptr;  ///< null: nobody acts on all parts
    Ranks* ranks = nullptr;        ///< that have the other parts; null: all are here
  };

  Windows(std::vector<Part*> parts, Duties duties);
  ~Windows();
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  /// Runs all events up to and including `end`; see Part::run_until(). Rethrows what a part throws.
  bool run_until(std::int64_t end, WhenIdle when_idle);
  /// After the present window.
  void stop() { stop_ = true; }
  [[nodiscard]] bool is_stopped() const { return stop_; }
  /// When the next sample and check are due.
  [[nodiscard]] Part::Periodic periodic() const { return {next_sample_, next_check_}; }
  void resume_periodic(const Part::Periodic& next) {
    next_sample_ = next.sample;
    next_check_ = next.check;
  }
  /// Calls `look(part)` for every part and waits: by their threads during Duties::sample and
  /// Duties::check, else one after the other. Rethrows what one throws.
  void side_by_side(const std::function<void(std::size_t)>& look);
  /// What the division of the network has cost so far.
  struct Statistics {
    std::uint64_t meetings = 0;  ///< of all threads: between windows, and around samples
    /// Events of the part that had most of them, window by window: what all others wait for.
    std::uint64_t busiest_events = 0;
    CrossingCounts crossings;  ///< of the parts in this process
  };
  [[nodiscard]] Statistics statistics() const;
  /// A link may fail from now on, or has failed.
  void foresee_losses() { has_losses_ = true; }
  /// The longest window of what an overseer sees.
  [[nodiscard]] std::int64_t longest_window() const;
  /// Of all threads but the caller's, up to the end of the last run_until().
  [[nodiscard]] double cpu_seconds_of_helpers() const;

 private:
  /// What all parts do next.
  struct Step {
    enum Kind : std::uint8_t { window, instant, duties, over } kind = over;
    /// The latest end of a window, exclusive; the instant, and that of duties.
    std::int64_t at = 0;
  };
  /// Each part's own line.
  struct alignas(64) State {
    std::int64_t next = 0;     ///< of its own events
    std::int64_t end = 0;      ///< of its last window
    std::uint64_t events = 0;  ///< so far
    std::exception_ptr failure;
    double cpu_seconds = 0;  ///< of its thread
  };

  void work(std::size_t part);
  void run_step(std::size_t part);
  /// How far a part can go in this window.
  [[nodiscard]] std::int64_t end_of(std::size_t part) const;
  void take_in(std::size_t part);
  void pack(std::size_t part);
  /// What is due in this instant is done by the first thread; the others help it (side_by_side()).
  void do_duties(std::size_t part);
  void help(std::size_t part);
  void look_at(std::size_t part);
  void rethrow_failures();
  /// Who is early does something useful.
  void tell_while_others_run();
  /// Between two steps, by one thread.
  void plan();
  void plan_next();
  /// No part stands before `least_now` then.
  void end_run(std::int64_t least_now);
  /// Samples and checks.
  void end_instant(std::int64_t now);
  /// All of an instant, in all parts.
  void run_instant(std::int64_t at);
  /// Does something that may fail here alone: all processes learn it together.
  void try_here(const std::function<void()>& work);
  /// Hands over what has been sent in this instant.
  void exchange();
  /// What has been sent can be taken from now on.
  void turn_over();
  /// Brings what is known of the next window up to date, where all parts are here.
  void look_around();
  /// Bytes of the smallest packet that has begun in a part here.
  [[nodiscard]] std::int64_t smallest_packet() const;
  /// There has been none smaller so far, anywhere: how far parts may go.
  void see_smallest(std::int64_t bytes);
  [[nodiscard]] bool reaches_all();
  [[nodiscard]] const Lookahead& lookahead() const { return whole_.reaches_all ? near_ : far_; }
  /// Each part's window has an end of its own.
  [[nodiscard]] bool has_own_ends() const;
  [[nodiscard]] bool is_idle() const;
  /// Something is still to happen that does not keep the network from being idle.
  [[nodiscard]] bool has_background() const;
  /// Tells the other processes what is known here, hands over what has been sent between them, and
  /// learns what is known of the whole network.
  void meet_ranks();
  /// Events since the last call, in the part here that has had most.
  [[nodiscard]] std::uint64_t count_busiest();
  /// Hands what has been sent to its recipients now.
  void take_in_all();

  std::vector<Part*> parts_;
  Duties duties_;
  std::size_t first_part_;  ///< number of the first one here
  Slack slack_;
  std::int64_t slack_now_;
  Lookahead near_;  ///< where what a part does may act on all after a shortest cable (reaches_all)
  Lookahead far_;   ///< where it does not
  bool has_losses_ = false;
  std::size_t may_announce_ = 0;       ///< the first part that still may; see reaches_all()
  std::uint16_t announced_class_ = 0;  ///< the first that it may announce larger packets of
  std::vector<State> states_;
  /// Per part of the whole network, as far as it is known: of its events, and of what is on its way
  /// there.
  std::vector<std::int64_t> next_;
  std::unique_ptr<Neighbours> neighbours_;  ///< null: all parts are here
  Neighbours::Word whole_;                  ///< what all ranks know, since the last meet_ranks()
  Step step_;
  Statistics statistics_;
  unsigned instants_ = 0;  ///< run one by one since observers were told
  std::int64_t end_ = 0;
  WhenIdle when_idle_ = WhenIdle::stop;
  std::int64_t next_sample_ = kNever;
  std::int64_t next_check_ = kNever;
  bool stop_ = false;
  bool is_over_ = false;  ///< the network was idle at a sample or check
  bool quits_ = false;
  std::exception_ptr failure_;
  std::exception_ptr observer_failure_;
  bool has_help_ = false;  ///< the other threads wait for something to look at
  const std::function<void(std::size_t)>* look_ = nullptr;  ///< null: they need not wait any more
  Meeting meeting_;                                         ///< after each step
  Meeting help_;                                            ///< before and after each look
  Meeting begin_;                                           ///< of run_until()
  Meeting over_;                                            ///< its end
  std::vector<std::thread> threads_;                        ///< of all parts but the first
};

}  // namespace weir::fabric

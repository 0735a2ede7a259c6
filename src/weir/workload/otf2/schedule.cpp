#include "weir/workload/otf2/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "weir/base/units.hpp"
#include "weir/workload/goal_limits.hpp"
#include "weir/workload/otf2/meetings.hpp"
#include "weir/workload/program.hpp"

namespace weir::workload {
namespace {

constexpr std::uint32_t kNoEvent = UINT32_MAX;

/// What a rank's events say of each other.
struct Otf2Links {
  std::vector<std::uint32_t> partner;   ///< of what begins: its end, and the other way round
  std::vector<std::uint32_t> meetings;  ///< number, per event
};

class Otf2ScheduleWriter {
 public:
  Otf2ScheduleWriter(const Otf2Trace& trace, const Otf2Choices& choices)
      : trace_(trace),
        meetings_(trace, choices),
        builder_(trace.ranks.size(), trace.file),
        links_(trace.ranks.size()) {}

  Schedule write() && {
    for (std::size_t r = 0; r < trace_.ranks.size(); ++r) pair_up(r);
    for (std::size_t r = 0; r < trace_.ranks.size(); ++r) meet(r);
    meetings_.check();
    for (std::size_t r = 0; r < trace_.ranks.size(); ++r) write_rank(r);
    return std::move(builder_).build();
  }

 private:
  [[nodiscard]] const std::vector<Otf2Event>& events(std::size_t rank) const {
    return trace_.ranks[rank].events;
  }

  /// Finds what begins and what ends with the same request.
  void pair_up(std::size_t rank) {
    Otf2Links& links = links_[rank];
    links.partner.assign(events(rank).size(), kNoEvent);
    links.meetings.assign(events(rank).size(), kNoEvent);
    std::unordered_map<std::uint64_t, std::uint32_t> open;
    for (std::uint32_t i = 0; i < events(rank).size(); ++i) {
      const Otf2Event& event = events(rank)[i];
      if (begins(event.kind)) {
        if (!open.emplace(event.request, i).second) {
          throw trace_.error(rank, event,
                             fmt::format("request {} begins before it has ended", event.request));
        }
      } else if (ends(event.kind) || event.kind == Otf2Kind::cancel) {
        const auto at = open.find(event.request);
        if (at == open.end()) {
          throw trace_.error(rank, event,
                             fmt::format("request {} ends here, but has not begun", event.request));
        }
        end(rank, at->second, i);
        open.erase(at);
      }
    }
    for (const auto& [request, i] : open) {
      const Otf2Event& event = events(rank)[i];
      if (event.kind == Otf2Kind::begin_send) continue;  // nothing waits for it
      throw trace_.error(
          rank, event,
          fmt::format("request {} does not end, so that nothing says what it was", request));
    }
  }

  static bool begins(Otf2Kind kind) {
    return kind == Otf2Kind::begin_send || kind == Otf2Kind::begin_receive ||
           kind == Otf2Kind::begin_collective;
  }
  static bool ends(Otf2Kind kind) {
    return kind == Otf2Kind::end_send || kind == Otf2Kind::end_receive ||
           kind == Otf2Kind::end_collective;
  }

  /// Cancelled receives stay without a partner: they are not written.
  void end(std::size_t rank, std::uint32_t first, std::uint32_t last) {
    const Otf2Kind begun = events(rank)[first].kind;
    const Otf2Event& event = events(rank)[last];
    if (event.kind == Otf2Kind::cancel) {
      if (begun == Otf2Kind::begin_receive) return;
      throw trace_.error(
          rank, event, fmt::format("request {} is cancelled; only receives may be", event.request));
    }
    const bool fits =
        (begun == Otf2Kind::begin_send && event.kind == Otf2Kind::end_send) ||
        (begun == Otf2Kind::begin_receive && event.kind == Otf2Kind::end_receive) ||
        (begun == Otf2Kind::begin_collective && event.kind == Otf2Kind::end_collective);
    if (!fits) {
      throw trace_.error(rank, event,
                         fmt::format("request {} ends as something else than event {} began",
                                     event.request, events(rank)[first].position));
    }
    links_[rank].partner[first] = last;
    links_[rank].partner[last] = first;
  }

  void meet(std::size_t rank) {
    for (std::uint32_t i = 0; i < events(rank).size(); ++i) {
      const Otf2Kind kind = events(rank)[i].kind;
      if (kind != Otf2Kind::collective && kind != Otf2Kind::begin_collective) continue;
      const auto number = meetings_.join(rank, told(rank, i));
      if (number) links_[rank].meetings[i] = *number;
    }
  }

  /// The event that says what an operation is: its own, or the end of what was begun.
  [[nodiscard]] const Otf2Event& told(std::size_t rank, std::uint32_t index) const {
    const std::uint32_t partner = links_[rank].partner[index];
    return events(rank)[partner == kNoEvent ? index : partner];
  }

  /// What the calls of a rank leave to wait for.
  struct Progress {
    std::vector<std::uint32_t> before;  ///< what the call waits for
    std::vector<std::uint32_t> done;    ///< what the call itself has to wait for
    bool has_blocked = false;           ///< some of it was begun in the call
    std::uint64_t since = 0;            ///< ticks: it computes from then on
    std::uint64_t lost = 0;             ///< ticks of these that the recorder took
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> begun;  ///< by event
  };

  void write_rank(std::size_t rank) {
    Progress now;
    now.since = trace_.ranks[rank].first_time;
    for (std::uint32_t i = 0; i < events(rank).size(); ++i) write_event(rank, i, now);
    Otf2Event end;
    end.time = trace_.ranks[rank].last_time;
    compute(rank, end, now);
  }

  void write_event(std::size_t rank, std::uint32_t index, Progress& now) {
    const Otf2Event& event = events(rank)[index];
    const std::uint32_t partner = links_[rank].partner[index];
    switch (event.kind) {
      case Otf2Kind::enter:
        compute(rank, event, now);
        now.done.clear();
        now.has_blocked = false;
        return;
      case Otf2Kind::leave:
        leave(event, now);
        return;
      case Otf2Kind::flush:
        now.lost += event.bytes;
        return;
      case Otf2Kind::send:
      case Otf2Kind::receive:
        block(write_message(rank, event, event.kind == Otf2Kind::send, now), now);
        return;
      case Otf2Kind::collective:
        block(write_collective(rank, index, now), now);
        return;
      case Otf2Kind::begin_send:
        now.begun[index] = write_message(rank, event, true, now);
        return;
      case Otf2Kind::begin_receive:  // only its end says from where
        if (partner == kNoEvent) return;
        now.begun[index] = write_message(rank, events(rank)[partner], false, now);
        return;
      case Otf2Kind::begin_collective:
        now.begun[index] = write_collective(rank, index, now);
        return;
      case Otf2Kind::end_send:
      case Otf2Kind::end_receive:
      case Otf2Kind::end_collective:
        wait_for(partner, now);
        return;
      case Otf2Kind::cancel:
        return;
    }
  }

  static void block(const std::vector<std::uint32_t>& operations, Progress& now) {
    now.has_blocked = true;
    now.done.insert(now.done.end(), operations.begin(), operations.end());
  }
  static void wait_for(std::uint32_t begun, Progress& now) {
    const auto at = now.begun.find(begun);
    now.done.insert(now.done.end(), at->second.begin(), at->second.end());
    now.begun.erase(at);
  }
  static void leave(const Otf2Event& event, Progress& now) {
    // What was begun in the call waits for all before it itself.
    if (!now.has_blocked) now.done.insert(now.done.end(), now.before.begin(), now.before.end());
    std::sort(now.done.begin(), now.done.end());
    now.done.erase(std::unique(now.done.begin(), now.done.end()), now.done.end());
    now.before = std::move(now.done);
    now.done = {};
    now.since = event.time;
    now.lost = 0;
  }

  /// From the last call on to this event.
  void compute(std::size_t rank, const Otf2Event& until, Progress& now) {
    const std::uint64_t passed = until.time - now.since;
    const std::uint64_t ticks = passed - std::min(passed, now.lost);
    const Uint128 second = trace_.ticks_per_second;
    const Uint128 ns = (Uint128{ticks} * 1'000'000'000U + second / 2) / second;
    if (ns > kLongestCalculation) {
      throw trace_.error(rank, until,
                         fmt::format("the rank computes for {} ticks of 1/{} s before this, which "
                                     "is too long",
                                     ticks, trace_.ticks_per_second));
    }
    if (ns == 0) return;
    RankProgram program(builder_.rank(rank), rank, trace_.ranks.size());
    program.resume_after(std::move(now.before));
    program.calculate(static_cast<std::int64_t>(ns));
    now.before = program.last();
  }

  std::vector<std::uint32_t> write_message(std::size_t rank, const Otf2Event& event, bool is_send,
                                           const Progress& now) {
    const std::size_t peer = meetings_.peer_of(rank, event);
    const std::int64_t bytes = Otf2Meetings::size_of(trace_, rank, event, event.bytes);
    RankProgram program(builder_.rank(rank), rank, trace_.ranks.size());
    program.resume_after(now.before);
    program.use_tag(meetings_.tag_of(rank, event));
    if (is_send) {
      program.send(bytes, peer);
    } else {
      program.receive(bytes, peer);
    }
    return program.last();
  }

  std::vector<std::uint32_t> write_collective(std::size_t rank, std::uint32_t index,
                                              const Progress& now) {
    const std::uint32_t number = links_[rank].meetings[index];
    if (number == kNoEvent) return now.before;  // of a rank by itself
    return meetings_.write(rank, told(rank, index), number, builder_.rank(rank), now.before);
  }

  const Otf2Trace& trace_;
  Otf2Meetings meetings_;
  ScheduleBuilder builder_;
  std::vector<Otf2Links> links_;
};

}  // namespace

Schedule schedule_of(const Otf2Trace& trace, const Otf2Choices& choices) {
  return Otf2ScheduleWriter(trace, choices).write();
}

}  // namespace weir::workload

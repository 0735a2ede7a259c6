#include "weir/workload/otf2/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "weir/base/units.hpp"
#include "weir/workload/collectives.hpp"
#include "weir/workload/goal_limits.hpp"

namespace weir::workload {
namespace {

constexpr std::uint32_t kNoEvent = UINT32_MAX;

struct OperationName {
  Otf2Collective operation;
  const char* name;
};
constexpr std::array kOperationNames{
    OperationName{Otf2Collective::barrier, "BARRIER"},
    OperationName{Otf2Collective::broadcast, "BCAST"},
    OperationName{Otf2Collective::gather, "GATHER"},
    OperationName{Otf2Collective::gatherv, "GATHERV"},
    OperationName{Otf2Collective::scatter, "SCATTER"},
    OperationName{Otf2Collective::scatterv, "SCATTERV"},
    OperationName{Otf2Collective::all_gather, "ALLGATHER"},
    OperationName{Otf2Collective::all_gatherv, "ALLGATHERV"},
    OperationName{Otf2Collective::all_to_all, "ALLTOALL"},
    OperationName{Otf2Collective::all_to_allv, "ALLTOALLV"},
    OperationName{Otf2Collective::all_to_allw, "ALLTOALLW"},
    OperationName{Otf2Collective::all_reduce, "ALLREDUCE"},
    OperationName{Otf2Collective::reduce, "REDUCE"},
    OperationName{Otf2Collective::reduce_scatter, "REDUCE_SCATTER"},
    OperationName{Otf2Collective::reduce_scatter_block, "REDUCE_SCATTER_BLOCK"},
    OperationName{Otf2Collective::create_handle, "CREATE_HANDLE"},
    OperationName{Otf2Collective::destroy_handle, "DESTROY_HANDLE"},
};

/// Nothing where it has no place in a schedule.
const char* name_of_operation(std::uint8_t operation) {
  for (const OperationName& one : kOperationNames) {
    if (static_cast<std::uint8_t>(one.operation) == operation) return one.name;
  }
  return nullptr;
}

bool has_root(Otf2Collective operation) {
  using Op = Otf2Collective;
  for (const Op one :
       {Op::broadcast, Op::gather, Op::gatherv, Op::scatter, Op::scatterv, Op::reduce}) {
    if (operation == one) return true;
  }
  return false;
}

bool has_sizes(Otf2Collective operation) {
  return operation != Otf2Collective::barrier && operation != Otf2Collective::create_handle &&
         operation != Otf2Collective::destroy_handle;
}

/// A collective operation, in which all members of its communicator must agree.
struct Otf2Meeting {
  Otf2Collective operation = Otf2Collective::barrier;
  std::size_t root = 0;  ///< place
  std::size_t rank = 0;  ///< that named it first
  const Otf2Event* event = nullptr;
  std::int64_t size = -1;          ///< that all must have, where one is the same for all
  std::vector<std::int64_t> sent;  ///< per place
  std::vector<std::int64_t> received;
};

/// Members of a communicator, and what they have done together so far.
struct Otf2Circle {
  const Otf2Communicator* communicator = nullptr;
  std::unordered_map<std::uint32_t, std::size_t> places;  ///< of ranks
  std::vector<std::size_t> meetings;                      ///< numbers
  std::vector<std::size_t> next;                          ///< per member
};

/// What a rank's events say of each other.
struct Otf2Links {
  std::vector<std::uint32_t> partner;   ///< of what begins: its end, and the other way round
  std::vector<std::uint32_t> meetings;  ///< number, per event
};

class Otf2ScheduleWriter {
 public:
  Otf2ScheduleWriter(const Otf2Trace& trace, const Otf2Choices& choices)
      : trace_(trace),
        choices_(choices),
        builder_(trace.ranks.size(), trace.file),
        links_(trace.ranks.size()) {
    for (const auto& [number, communicator] : trace.communicators) {
      Otf2Circle& circle = circles_[number];
      circle.communicator = &communicator;
      for (const std::uint32_t member : communicator.members) {
        circle.places.emplace(member, circle.places.size());
      }
      circle.next.assign(communicator.members.size(), 0);
      if (!world_ && is_world(communicator)) world_ = number;
    }
  }

  Schedule write() && {
    for (std::size_t r = 0; r < trace_.ranks.size(); ++r) pair_up(r);
    for (std::size_t r = 0; r < trace_.ranks.size(); ++r) meet(r);
    check_meetings();
    for (std::size_t r = 0; r < trace_.ranks.size(); ++r) write_rank(r);
    return std::move(builder_).build();
  }

 private:
  [[nodiscard]] bool is_world(const Otf2Communicator& communicator) const {
    if (communicator.members.size() != trace_.ranks.size()) return false;
    for (std::size_t r = 0; r < communicator.members.size(); ++r) {
      if (communicator.members[r] != r) return false;
    }
    return true;
  }

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

  Otf2Circle& circle_of(std::size_t rank, const Otf2Event& event) {
    const auto at = circles_.find(event.communicator);
    if (at == circles_.end()) {
      throw trace_.error(rank, event,
                         fmt::format("communicator {} is not one of MPI that the archive defines",
                                     event.communicator));
    }
    const Otf2Communicator& communicator = *at->second.communicator;
    if (communicator.is_inter) {
      throw trace_.error(
          rank, event,
          communicator.name + " is between two groups; such communicators have no place here");
    }
    if (!communicator.is_self && !at->second.places.contains(static_cast<std::uint32_t>(rank))) {
      throw trace_.error(rank, event, fmt::format("rank {} is not in {}", rank, communicator.name));
    }
    return at->second;
  }

  /// A rank of the program.
  std::size_t peer_of(std::size_t rank, const Otf2Event& event) {
    const Otf2Communicator& communicator = *circle_of(rank, event).communicator;
    const std::size_t count = communicator.is_self            ? 1
                              : communicator.has_global_ranks ? trace_.ranks.size()
                                                              : communicator.members.size();
    if (event.peer >= count) {
      throw trace_.error(rank, event,
                         fmt::format("there is no rank {} in {}, which has {}", event.peer,
                                     communicator.name, count));
    }
    if (communicator.is_self) return rank;
    return communicator.has_global_ranks ? event.peer : communicator.members[event.peer];
  }

  std::int64_t size_of(std::size_t rank, const Otf2Event& event, std::uint64_t bytes) const {
    if (bytes <= kMostBytes) return static_cast<std::int64_t>(bytes);
    throw trace_.error(rank, event,
                       fmt::format("{} bytes are too many; the most is {}", bytes, kMostBytes));
  }

  std::uint32_t made_tag(std::size_t rank, const Otf2Event& event) {
    if (next_tag_ != kAny) return next_tag_++;
    throw trace_.error(rank, event, "more operations than there are numbers for them");
  }

  /// Messages of different communicators do not meet.
  std::uint32_t tag_of(std::size_t rank, const Otf2Event& event) {
    if (event.tag >= kFirstMadeTag) {
      throw trace_.error(
          rank, event,
          fmt::format("tag {} is too large; the most is {}", event.tag, kFirstMadeTag - 1));
    }
    if (world_ == event.communicator) return event.tag;
    const std::uint64_t both = (std::uint64_t{event.communicator} << 32) | event.tag;
    const auto [at, is_new] = tags_.try_emplace(both, 0);
    if (is_new) at->second = made_tag(rank, event);
    return at->second;
  }

  /// The k-th collective operation of a communicator, by their beginnings, is the same one at all
  /// of its members.
  void meet(std::size_t rank) {
    for (std::uint32_t i = 0; i < events(rank).size(); ++i) {
      const Otf2Kind kind = events(rank)[i].kind;
      if (kind == Otf2Kind::collective) join(rank, i, events(rank)[i]);
      if (kind == Otf2Kind::begin_collective) {
        join(rank, i, events(rank)[links_[rank].partner[i]]);
      }
    }
  }

  void join(std::size_t rank, std::uint32_t index, const Otf2Event& event) {
    const char* name = name_of_operation(event.operation);
    if (name == nullptr) {
      throw trace_.error(rank, event,
                         fmt::format("collective operation {} of OTF2 has no place in a schedule",
                                     unknown_name(event.operation)));
    }
    const auto operation = static_cast<Otf2Collective>(event.operation);
    Otf2Circle& circle = circle_of(rank, event);
    if (circle.communicator->is_self) return;
    check_uneven(rank, event, operation);
    const std::size_t place = circle.places.at(static_cast<std::uint32_t>(rank));
    const std::size_t root = has_root(operation) ? root_of(rank, event, circle) : 0;
    std::size_t& next = circle.next[place];
    if (next == circle.meetings.size()) {
      circle.meetings.push_back(meetings_.size());
      Otf2Meeting& made = meetings_.emplace_back();
      made.operation = operation;
      made.root = root;
      made.rank = rank;
      made.event = &event;
      made.sent.assign(circle.places.size(), 0);
      made.received.assign(circle.places.size(), 0);
      tags_of_meetings_.push_back(made_tag(rank, event));
    }
    const std::size_t number = circle.meetings[next++];
    Otf2Meeting& meeting = meetings_[number];
    if (meeting.operation != operation || meeting.root != root) {
      throw trace_.error(
          rank, event,
          fmt::format("{} is operation {} of {}; in its place rank {}, event {} has {}{}", name,
                      next, circle.communicator->name, meeting.rank, meeting.event->position,
                      name_of_operation(meeting.event->operation),
                      meeting.operation == operation ? " with another root" : ""));
    }
    meeting.sent[place] = size_of(rank, event, event.bytes);
    meeting.received[place] = size_of(rank, event, event.received);
    if (has_sizes(operation)) check_sizes(rank, event, meeting, place);
    links_[rank].meetings[index] = static_cast<std::uint32_t>(number);
  }

  static std::string unknown_name(std::uint8_t operation) {
    return operation == 14 ? "SCAN" : operation == 15 ? "EXSCAN" : std::to_string(operation);
  }

  void check_uneven(std::size_t rank, const Otf2Event& event, Otf2Collective operation) const {
    if (choices_.splits_evenly ||
        (operation != Otf2Collective::all_to_allv && operation != Otf2Collective::all_to_allw)) {
      return;
    }
    throw trace_.error(
        rank, event,
        fmt::format("{}: the trace has only the sum of what the rank sends, not what "
                    "goes to whom; `uneven = \"even\"` divides it evenly",
                    name_of_operation(event.operation)));
  }

  std::size_t root_of(std::size_t rank, const Otf2Event& event, const Otf2Circle& circle) {
    return circle.places.at(static_cast<std::uint32_t>(peer_of(rank, event)));
  }

  /// In what all members do alike, they have as much to do.
  void check_sizes(std::size_t rank, const Otf2Event& event, Otf2Meeting& meeting,
                   std::size_t place) const {
    using Op = Otf2Collective;
    std::int64_t size = 0;
    switch (meeting.operation) {
      case Op::broadcast:
        if (place == meeting.root) return;
        size = meeting.received[place];
        break;
      case Op::reduce:
        if (place == meeting.root) return;
        size = meeting.sent[place];
        break;
      case Op::all_reduce:
      case Op::all_to_all:
      case Op::all_gather:
      case Op::reduce_scatter_block:
        size = meeting.sent[place];
        break;
      default:
        return;
    }
    if (meeting.size < 0) meeting.size = size;
    if (meeting.size == size) return;
    throw trace_.error(
        rank, event,
        fmt::format("{} is of {} bytes here and of {} elsewhere (rank {}, event {} is "
                    "the first of it)",
                    name_of_operation(event.operation), size, meeting.size, meeting.rank,
                    meeting.event->position));
  }

  void check_meetings() const {
    for (const auto& [number, circle] : circles_) {
      for (std::size_t k = 0; k < circle.meetings.size(); ++k) {
        const Otf2Meeting& meeting = meetings_[circle.meetings[k]];
        for (std::size_t place = 0; place < circle.next.size(); ++place) {
          if (circle.next[place] > k) continue;
          throw trace_.error(
              meeting.rank, *meeting.event,
              fmt::format("rank {} has {} collective operations of {}, too few to take part in "
                          "this one",
                          circle.communicator->members[place], circle.next[place],
                          circle.communicator->name));
        }
      }
    }
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
    const std::size_t peer = peer_of(rank, event);
    const std::int64_t bytes = size_of(rank, event, event.bytes);
    RankProgram program(builder_.rank(rank), rank, trace_.ranks.size());
    program.resume_after(now.before);
    program.use_tag(tag_of(rank, event));
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
    const Otf2Event& event = events(rank)[index].kind == Otf2Kind::collective
                                 ? events(rank)[index]
                                 : events(rank)[links_[rank].partner[index]];
    const Otf2Circle& circle = circle_of(rank, event);
    const std::vector<std::uint32_t>& members = circle.communicator->members;
    RankProgram program(builder_.rank(rank), circle.places.at(static_cast<std::uint32_t>(rank)),
                        members.size());
    program.use_members(members);
    program.use_tag(tags_of_meetings_[number]);
    program.resume_after(now.before);
    if (members.size() > 1) write_operation(rank, event, meetings_[number], program);
    return program.last();
  }

  void write_operation(std::size_t rank, const Otf2Event& event, const Otf2Meeting& meeting,
                       RankProgram& program) const {
    using Op = Otf2Collective;
    const std::size_t n = program.rank_count();
    const std::size_t some = meeting.root == 0 ? 1 : 0;  // a place that is not the root's
    switch (meeting.operation) {
      case Op::barrier:
      case Op::create_handle:
      case Op::destroy_handle:
        recursive_doubling_all_reduce(program, 0);
        return;
      case Op::broadcast:
        binomial_broadcast(program, meeting.received[some], meeting.root);
        return;
      case Op::reduce:
        binomial_reduce(program, meeting.sent[some], meeting.root);
        return;
      case Op::gather:
      case Op::gatherv:
        linear_gather(program, meeting.sent, meeting.root);
        return;
      case Op::scatter:
      case Op::scatterv:
        linear_scatter(program, meeting.received, meeting.root);
        return;
      case Op::all_gather:
      case Op::all_gatherv:
        ring_all_gather(program, blocks(rank, event, meeting.sent, choices_.counts_members));
        return;
      case Op::all_to_all:
      case Op::all_to_allv:
      case Op::all_to_allw:
        write_all_to_all(rank, event, meeting, program);
        return;
      case Op::all_reduce: {
        const std::int64_t bytes =
            blocks(rank, event, {meeting.sent[0]}, choices_.counts_members, n).front();
        if (bytes >= choices_.ring_from) {
          ring_all_reduce(program, bytes);
        } else {
          recursive_doubling_all_reduce(program, bytes);
        }
        return;
      }
      case Op::reduce_scatter:
      case Op::reduce_scatter_block:
        ring_reduce_scatter(program,
                            blocks(rank, event, meeting.received, choices_.counts_members));
        return;
    }
  }

  void write_all_to_all(std::size_t rank, const Otf2Event& event, const Otf2Meeting& meeting,
                        RankProgram& program) const {
    const std::size_t n = program.rank_count();
    if (meeting.operation == Otf2Collective::all_to_all) {
      const std::int64_t block = blocks(rank, event, {meeting.sent[0]}, true, n).front();
      all_to_all_pieces(program, block * static_cast<std::int64_t>(n));
      return;
    }
    const std::size_t r = program.rank();
    for (std::size_t i = 1; i < n; ++i) {
      const std::size_t to = (r + i) % n;
      const std::size_t from = (r + n - i) % n;
      program.send(piece(meeting.sent[r], to, n), to);
      program.receive(piece(meeting.sent[from], r, n), from);
      program.next_step();
    }
  }

  /// What a rank gives or gets once, of sums over all members, or over all others where the call
  /// was in place.
  std::vector<std::int64_t> blocks(std::size_t rank, const Otf2Event& event,
                                   const std::vector<std::int64_t>& sums, bool are_sums,
                                   std::size_t members = 0) const {
    if (!are_sums) return sums;
    const auto n = static_cast<std::int64_t>(members > 0 ? members : sums.size());
    const auto is_multiple_of = [&](std::int64_t count) {
      return std::all_of(sums.begin(), sums.end(),
                         [&](std::int64_t sum) { return sum % count == 0; });
    };
    const std::int64_t count = is_multiple_of(n) ? n : n - 1;
    if (!is_multiple_of(count)) {
      throw trace_.error(
          rank, event,
          fmt::format("{} of {} bytes is not counted as Score-P does, once for each of the {} "
                      "members or of the {} others; `collective_sizes = \"buffer\"` takes sizes as "
                      "those of buffers",
                      name_of_operation(event.operation), event.bytes, n, n - 1));
    }
    std::vector<std::int64_t> out;
    out.reserve(sums.size());
    for (const std::int64_t sum : sums) out.push_back(sum / count);
    return out;
  }

  const Otf2Trace& trace_;
  const Otf2Choices& choices_;
  ScheduleBuilder builder_;
  std::map<std::uint32_t, Otf2Circle> circles_;
  std::vector<Otf2Links> links_;
  std::vector<Otf2Meeting> meetings_;
  std::vector<std::uint32_t> tags_of_meetings_;
  std::unordered_map<std::uint64_t, std::uint32_t> tags_;
  std::optional<std::uint32_t> world_;  ///< whose messages keep their tags
  std::uint32_t next_tag_ = kFirstMadeTag;
};

}  // namespace

Schedule schedule_of(const Otf2Trace& trace, const Otf2Choices& choices) {
  return Otf2ScheduleWriter(trace, choices).write();
}

}  // namespace weir::workload

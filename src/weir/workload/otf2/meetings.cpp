#include "weir/workload/otf2/meetings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/workload/collectives.hpp"
#include "weir/workload/goal_limits.hpp"

namespace weir::workload {
namespace {

/// Whose sizes an operation goes by.
enum class SizeRule : std::uint8_t {
  none,
  all_send,        ///< what every rank sends, the same for all
  others_send,     ///< what every rank but the root sends
  others_receive,  ///< what every rank but the root receives
  each_sends,      ///< what a rank sends, its own
  each_receives,   ///< what a rank receives, its own
};

struct OperationRow {
  Otf2Collective operation;
  const char* name;
  bool has_root;
  SizeRule rule;
};
constexpr std::array kOperationRows{
    OperationRow{Otf2Collective::barrier, "BARRIER", false, SizeRule::none},
    OperationRow{Otf2Collective::broadcast, "BCAST", true, SizeRule::others_receive},
    OperationRow{Otf2Collective::gather, "GATHER", true, SizeRule::each_sends},
    OperationRow{Otf2Collective::gatherv, "GATHERV", true, SizeRule::each_sends},
    OperationRow{Otf2Collective::scatter, "SCATTER", true, SizeRule::each_receives},
    OperationRow{Otf2Collective::scatterv, "SCATTERV", true, SizeRule::each_receives},
    OperationRow{Otf2Collective::all_gather, "ALLGATHER", false, SizeRule::all_send},
    OperationRow{Otf2Collective::all_gatherv, "ALLGATHERV", false, SizeRule::each_sends},
    OperationRow{Otf2Collective::all_to_all, "ALLTOALL", false, SizeRule::all_send},
    OperationRow{Otf2Collective::all_to_allv, "ALLTOALLV", false, SizeRule::each_sends},
    OperationRow{Otf2Collective::all_to_allw, "ALLTOALLW", false, SizeRule::each_sends},
    OperationRow{Otf2Collective::all_reduce, "ALLREDUCE", false, SizeRule::all_send},
    OperationRow{Otf2Collective::reduce, "REDUCE", true, SizeRule::others_send},
    OperationRow{Otf2Collective::reduce_scatter, "REDUCE_SCATTER", false, SizeRule::each_receives},
    OperationRow{Otf2Collective::reduce_scatter_block, "REDUCE_SCATTER_BLOCK", false,
                 SizeRule::each_receives},
    OperationRow{Otf2Collective::create_handle, "CREATE_HANDLE", false, SizeRule::none},
    OperationRow{Otf2Collective::destroy_handle, "DESTROY_HANDLE", false, SizeRule::none},
};

/// Nothing where it has no place in a schedule.
const OperationRow* row_of(std::uint8_t operation) {
  for (const OperationRow& row : kOperationRows) {
    if (static_cast<std::uint8_t>(row.operation) == operation) return &row;
  }
  return nullptr;
}

std::string name_without_row(std::uint8_t operation) {
  return operation == 14 ? "SCAN" : operation == 15 ? "EXSCAN" : std::to_string(operation);
}

/// Each rank sends an equal piece of its own `sizes` to every rank.
void all_to_all_of_sums(RankProgram& program, const std::vector<std::int64_t>& sizes) {
  const std::size_t n = program.rank_count();
  const std::size_t r = program.rank();
  for (std::size_t i = 1; i < n; ++i) {
    const std::size_t to = (r + i) % n;
    const std::size_t from = (r + n - i) % n;
    program.send(piece(sizes[r], to, n), to);
    program.receive(piece(sizes[from], r, n), from);
    program.next_step();
  }
}

}  // namespace

Otf2Meetings::Otf2Meetings(const Otf2Trace& trace, const Otf2Choices& choices)
    : trace_(trace), choices_(choices) {
  for (const auto& [number, communicator] : trace.communicators) {
    Circle& circle = circles_[number];
    circle.communicator = &communicator;
    for (const std::uint32_t member : communicator.members) {
      circle.places.emplace(member, circle.places.size());
    }
    circle.next.assign(communicator.members.size(), 0);
    if (!world_ && is_world(communicator)) world_ = number;
  }
}

bool Otf2Meetings::is_world(const Otf2Communicator& communicator) const {
  if (communicator.members.size() != trace_.ranks.size()) return false;
  for (std::size_t r = 0; r < communicator.members.size(); ++r) {
    if (communicator.members[r] != r) return false;
  }
  return true;
}

const Otf2Meetings::Circle& Otf2Meetings::circle_of(std::size_t rank,
                                                    const Otf2Event& event) const {
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

std::size_t Otf2Meetings::peer_of(std::size_t rank, const Otf2Event& event) const {
  const Circle& circle = circle_of(rank, event);
  const Otf2Communicator& communicator = *circle.communicator;
  if (communicator.is_self && event.peer == 0) return rank;
  if (communicator.has_global_ranks && circle.places.contains(event.peer)) return event.peer;
  if (!communicator.has_global_ranks && event.peer < communicator.members.size()) {
    return communicator.members[event.peer];
  }
  throw trace_.error(
      rank, event,
      fmt::format("there is no rank {} in {}, which has {}", event.peer, communicator.name,
                  communicator.is_self ? 1 : communicator.members.size()));
}

std::int64_t Otf2Meetings::size_of(const Otf2Trace& trace, std::size_t rank, const Otf2Event& event,
                                   std::uint64_t bytes) {
  if (bytes <= kMostBytes) return static_cast<std::int64_t>(bytes);
  throw trace.error(rank, event,
                    fmt::format("{} bytes are too many; the most is {}", bytes, kMostBytes));
}

std::uint32_t Otf2Meetings::made_tag(std::size_t rank, const Otf2Event& event) {
  if (next_tag_ != kAny) return next_tag_++;
  throw trace_.error(rank, event, "more operations than there are numbers for them");
}

std::uint32_t Otf2Meetings::tag_of(std::size_t rank, const Otf2Event& event) {
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

void Otf2Meetings::check_known(std::size_t rank, const Otf2Event& event) const {
  if (row_of(event.operation) == nullptr) {
    throw trace_.error(rank, event,
                       fmt::format("collective operation {} of OTF2 has no place in a schedule",
                                   name_without_row(event.operation)));
  }
  const auto operation = static_cast<Otf2Collective>(event.operation);
  const bool is_uneven =
      operation == Otf2Collective::all_to_allv || operation == Otf2Collective::all_to_allw;
  if (choices_.splits_evenly || !is_uneven) return;
  throw trace_.error(
      rank, event,
      fmt::format("{}: the trace has only the sum of what the rank sends, not what goes to whom; "
                  "`uneven = \"even\"` divides it evenly",
                  row_of(event.operation)->name));
}

std::size_t Otf2Meetings::root_of(std::size_t rank, const Otf2Event& event,
                                  const Circle& circle) const {
  return circle.places.at(static_cast<std::uint32_t>(peer_of(rank, event)));
}

std::optional<std::uint32_t> Otf2Meetings::join(std::size_t rank, const Otf2Event& event) {
  check_known(rank, event);
  const OperationRow& row = *row_of(event.operation);
  if (circle_of(rank, event).communicator->is_self) return std::nullopt;
  Circle& circle = circles_.at(event.communicator);
  const std::size_t place = circle.places.at(static_cast<std::uint32_t>(rank));
  const std::size_t root = row.has_root ? root_of(rank, event, circle) : 0;
  std::size_t& next = circle.next[place];
  if (next == circle.meetings.size()) {
    circle.meetings.push_back(meetings_.size());
    Meeting& made = meetings_.emplace_back();
    made.operation = row.operation;
    made.tag = made_tag(rank, event);
    made.root = root;
    made.rank = rank;
    made.event = &event;
    if (row.rule == SizeRule::each_sends || row.rule == SizeRule::each_receives) {
      made.sizes.assign(circle.places.size(), 0);
    }
  }
  const std::size_t number = circle.meetings[next++];
  Meeting& meeting = meetings_[number];
  if (meeting.operation != row.operation || meeting.root != root) {
    throw trace_.error(
        rank, event,
        fmt::format("{} is operation {} of {}; in its place rank {}, event {} has {}{}", row.name,
                    next, circle.communicator->name, meeting.rank, meeting.event->position,
                    row_of(meeting.event->operation)->name,
                    meeting.operation == row.operation ? " with another root" : ""));
  }
  add_size(rank, event, meeting, place);
  return static_cast<std::uint32_t>(number);
}

void Otf2Meetings::add_size(std::size_t rank, const Otf2Event& event, Meeting& meeting,
                            std::size_t place) const {
  const OperationRow& row = *row_of(event.operation);
  const std::int64_t sent = size_of(trace_, rank, event, event.bytes);
  const std::int64_t received = size_of(trace_, rank, event, event.received);
  std::int64_t size = sent;
  switch (row.rule) {
    case SizeRule::none:
      return;
    case SizeRule::each_sends:
      meeting.sizes[place] = sent;
      return;
    case SizeRule::each_receives:
      meeting.sizes[place] = received;
      return;
    case SizeRule::others_send:
      if (place == meeting.root) return;
      break;
    case SizeRule::others_receive:
      if (place == meeting.root) return;
      size = received;
      break;
    case SizeRule::all_send:
      break;
  }
  if (meeting.size < 0) meeting.size = size;
  if (meeting.size == size) return;
  throw trace_.error(
      rank, event,
      fmt::format("{} is of {} bytes here and of {} elsewhere (rank {}, event {} is "
                  "the first of it)",
                  row.name, size, meeting.size, meeting.rank, meeting.event->position));
}

void Otf2Meetings::check() const {
  for (const auto& [number, circle] : circles_) {
    for (std::size_t place = 0; place < circle.next.size(); ++place) {
      const std::size_t came_to = circle.next[place];
      if (came_to == circle.meetings.size()) continue;
      const Meeting& missed = meetings_[circle.meetings[came_to]];
      throw trace_.error(
          missed.rank, *missed.event,
          fmt::format("rank {} has {} collective operations of {}, too few to take "
                      "part in this one",
                      circle.communicator->members[place], came_to, circle.communicator->name));
    }
  }
}

std::vector<std::uint32_t> Otf2Meetings::write(std::size_t rank, const Otf2Event& event,
                                               std::uint32_t number, RankBuilder& builder,
                                               const std::vector<std::uint32_t>& before) const {
  const Circle& circle = circle_of(rank, event);
  const Meeting& meeting = meetings_[number];
  const std::vector<std::uint32_t>& members = circle.communicator->members;
  RankProgram program(builder, circle.places.at(static_cast<std::uint32_t>(rank)), members.size());
  program.use_members(members);
  program.use_tag(meeting.tag);
  program.resume_after(before);
  if (members.size() > 1) write_operation(rank, event, meeting, program);
  return program.last();
}

void Otf2Meetings::write_operation(std::size_t rank, const Otf2Event& event, const Meeting& meeting,
                                   RankProgram& program) const {
  using Op = Otf2Collective;
  const std::size_t n = program.rank_count();
  const auto block = [&] { return blocks(rank, event, {meeting.size}, n).front(); };
  switch (meeting.operation) {
    case Op::barrier:
    case Op::create_handle:
    case Op::destroy_handle:
      recursive_doubling_all_reduce(program, 0);
      return;
    case Op::broadcast:
      binomial_broadcast(program, meeting.size, meeting.root);
      return;
    case Op::reduce:
      binomial_reduce(program, meeting.size, meeting.root);
      return;
    case Op::gather:
    case Op::gatherv:
      linear_gather(program, meeting.sizes, meeting.root);
      return;
    case Op::scatter:
    case Op::scatterv:
      linear_scatter(program, meeting.sizes, meeting.root);
      return;
    case Op::all_gather:
      ring_all_gather(program, block());
      return;
    case Op::all_gatherv:
      ring_all_gather(program, blocks(rank, event, meeting.sizes, n));
      return;
    case Op::all_to_all:
      all_to_all_pieces(program, block() * static_cast<std::int64_t>(n));
      return;
    case Op::all_to_allv:
    case Op::all_to_allw:
      all_to_all_of_sums(program, meeting.sizes);
      return;
    case Op::all_reduce:
      if (const std::int64_t bytes = block(); bytes >= choices_.ring_from) {
        ring_all_reduce(program, bytes);
      } else {
        recursive_doubling_all_reduce(program, bytes);
      }
      return;
    case Op::reduce_scatter:
    case Op::reduce_scatter_block:
      ring_reduce_scatter(program, blocks(rank, event, meeting.sizes, n));
      return;
  }
}

/// What a rank gives or gets once, of sums over all members, or over all others where the call was
/// in place.
std::vector<std::int64_t> Otf2Meetings::blocks(std::size_t rank, const Otf2Event& event,
                                               std::vector<std::int64_t> sums,
                                               std::size_t members) const {
  // What an all-to-all sends is for all members, however it is counted.
  const bool is_all_to_all =
      event.operation == static_cast<std::uint8_t>(Otf2Collective::all_to_all);
  if (!choices_.counts_members && !is_all_to_all) return sums;
  const auto n = static_cast<std::int64_t>(members);
  const auto all_divide = [&](std::int64_t count) {
    return std::all_of(sums.begin(), sums.end(),
                       [&](std::int64_t sum) { return sum % count == 0; });
  };
  const std::int64_t count = all_divide(n) ? n : n - 1;
  if (!all_divide(count)) {
    throw trace_.error(
        rank, event,
        fmt::format(
            "{} of {} bytes is not counted as Score-P does, once for each of the {} members "
            "or of the {} others; `collective_sizes = \"buffer\"` takes sizes as those of "
            "buffers",
            row_of(event.operation)->name, event.bytes, n, n - 1));
  }
  for (std::int64_t& sum : sums) sum /= count;
  return sums;
}

}  // namespace weir::workload

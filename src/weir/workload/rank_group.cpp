#include "weir/workload/rank_group.hpp"

#include <algorithm>
#include <utility>

#include "weir/base/state_archive.hpp"

namespace weir::workload {

Board::Board(std::shared_ptr<const Schedule> the_schedule, std::vector<HostId> the_hosts,
             const PlayerSettings& the_settings)
    : schedule(std::move(the_schedule)),
      hosts(std::move(the_hosts)),
      settings(the_settings),
      group_of(schedule->rank_count(), 0),
      waits(schedule->size()),
      states(schedule->size(), State::waiting),
      places(schedule->size(), 0),
      ranks(schedule->size()),
      finish(schedule->rank_count(), settings.start.count) {
  for (std::uint32_t i = 0; i < schedule->size(); ++i) waits[i] = schedule->wait_count(i);
  for (std::size_t r = 0; r < schedule->rank_count(); ++r) {
    std::uint32_t of_rank = 1;
    bool any_tag = false;
    std::uint32_t number = schedule->first(RankId(r));
    for (const Operation& one : schedule->operations(RankId(r))) {
      of_rank = std::max(of_rank, one.cpu + 1U);
      any_tag = any_tag || (one.kind == OperationKind::receive && one.tag == kAny);
      ranks[number++] = static_cast<std::uint32_t>(r);
    }
    first_cpu.push_back(static_cast<std::uint32_t>(cpus.size()));
    cpus.resize(cpus.size() + of_rank);
    mailboxes.emplace_back(any_tag);
  }
  first_cpu.push_back(static_cast<std::uint32_t>(cpus.size()));
}

RankGroup::RankGroup(Board& board, std::uint16_t number) : board_(&board), number_(number) {
  for (std::size_t r = 0; r < board.hosts.size(); ++r) {
    if (board.group_of[r] == number) left_ += board.schedule->operations(RankId(r)).size();
  }
}

Time RankGroup::next() const {
  if (!has_begun_) return board_->settings.start;
  std::int64_t first = timers_.empty() ? Time::max().count : timers_.top().time;
  if (!taken_.empty()) first = std::min(first, taken_.top().time);
  return Time(first);
}

bool RankGroup::step(fabric::Fabric& fabric, Time now) {
  fabric_ = &fabric;
  now_ = now.count;
  bool is_due = false;
  if (!has_begun_ && board_->settings.start.count <= now_) {
    is_due = true;
    begin_all();
  }
  while (!arrived_.empty() || next().count <= now_) {
    is_due = true;
    take_arrivals();
    take_news();
    take_timers();
    serve();
  }
  return is_due;
}

void RankGroup::begin_all() {
  has_begun_ = true;
  for (std::size_t r = 0; r < board_->hosts.size(); ++r) {
    if (board_->group_of[r] != number_) continue;
    const std::uint32_t first = board_->schedule->first(RankId(r));
    const auto count = static_cast<std::uint32_t>(board_->schedule->operations(RankId(r)).size());
    for (std::uint32_t i = first; i < first + count; ++i) {
      if (board_->waits[i] == 0) add_task(i);
    }
  }
  serve();
}

void RankGroup::take_arrivals() {
  const Schedule& schedule = *board_->schedule;
  std::vector<std::uint32_t> arrived;
  arrived.swap(arrived_);
  std::sort(arrived.begin(), arrived.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(schedule[a].peer, a) < std::tuple(schedule[b].peer, b);
  });
  for (const std::uint32_t message : arrived) {
    const Operation& send = schedule[message];
    matches_.clear();
    board_->mailboxes[send.peer].arrive(board_->ranks[message], send.tag, board_->places[message],
                                        message, matches_);
    for (const Match& match : matches_) meet(match);
  }
}

void RankGroup::take_news() {
  while (!taken_.empty() && taken_.top().time <= now_) {
    const std::uint32_t operation = taken_.top().operation;
    taken_.pop();
    end(operation);
  }
}

void RankGroup::take_timers() {
  while (!timers_.empty() && timers_.top().time <= now_) {
    const Timer timer = timers_.top();
    timers_.pop();
    leave(timer.cpu, timer.operation);
  }
}

void RankGroup::list(std::uint32_t cpu) {
  if (board_->cpus[cpu].is_listed) return;
  board_->cpus[cpu].is_listed = true;
  listed_.push_back(cpu);
}

void RankGroup::add_task(std::uint32_t operation) {
  State& state = board_->states[operation];
  if (state == State::waiting) state = State::ready;
  const std::uint32_t cpu = board_->cpu_of(operation);
  std::vector<Board::Task>& tasks = board_->cpus[cpu].tasks;
  tasks.push_back({now_, operation});
  std::push_heap(tasks.begin(), tasks.end());
  list(cpu);
}

void RankGroup::serve() {
  while (!listed_.empty()) {
    const std::uint32_t cpu = listed_.front();
    listed_.pop_front();
    board_->cpus[cpu].is_listed = false;
    while (!board_->cpus[cpu].is_busy && !board_->cpus[cpu].tasks.empty()) {
      std::vector<Board::Task>& tasks = board_->cpus[cpu].tasks;
      std::pop_heap(tasks.begin(), tasks.end());
      const std::uint32_t operation = tasks.back().operation;
      tasks.pop_back();
      turn_to(cpu, operation);
    }
  }
}

void RankGroup::turn_to(std::uint32_t cpu, std::uint32_t operation) {
  const Operation& one = (*board_->schedule)[operation];
  State& state = board_->states[operation];
  if (state == State::begun) {  // a receive whose message is there
    keep_busy(cpu, operation, board_->settings.overhead);
    return;
  }
  state = State::begun;
  for (const std::uint32_t follower : board_->schedule->after_start(operation)) release(follower);
  switch (one.kind) {
    case OperationKind::calculation:
      board_->cpus[cpu].computing += nanoseconds(one.amount).count;
      keep_busy(cpu, operation, nanoseconds(one.amount));
      return;
    case OperationKind::send:
      keep_busy(cpu, operation, board_->settings.overhead);
      return;
    case OperationKind::receive: {
      Mailbox& mailbox = board_->mailboxes[board_->ranks[operation]];
      if (const auto match = mailbox.post(operation, one.peer, one.tag)) meet(*match);
      return;
    }
  }
}

void RankGroup::keep_busy(std::uint32_t cpu, std::uint32_t operation, Time time) {
  if (time.count == 0) {
    leave(cpu, operation);
    return;
  }
  board_->cpus[cpu].is_busy = true;
  timers_.push({now_ + time.count, cpu, operation});
  latest_ = std::max(latest_, now_ + time.count);
}

void RankGroup::leave(std::uint32_t cpu, std::uint32_t operation) {
  board_->cpus[cpu].is_busy = false;
  list(cpu);
  if ((*board_->schedule)[operation].kind == OperationKind::send) {
    hand_over(operation);
  } else {
    end(operation);
  }
}

std::uint32_t RankGroup::place_for(std::uint32_t rank, const Operation& send) {
  Mailbox& mailbox = board_->mailboxes[send.peer];
  if (board_->group_of[send.peer] == number_) return mailbox.send(rank, send.tag);
  return streams_[{rank, send.peer, mailbox.stream_tag(send.tag)}]++;
}

void RankGroup::hand_over(std::uint32_t operation) {
  const Operation& send = (*board_->schedule)[operation];
  const std::uint32_t rank = board_->ranks[operation];
  const PlayerSettings& settings = board_->settings;
  board_->places[operation] = place_for(rank, send);
  if (board_->group_of[send.peer] == Board::kElsewhere) sent_away_.push_back(operation);
  if (board_->hosts[rank] == board_->hosts[send.peer]) {
    arrived_.push_back(operation);
  } else {
    ++sent_;
    fabric_->submit(board_->hosts[rank],
                    {Time(now_), board_->hosts[send.peer],
                     Bytes(std::max<std::int64_t>(1, send.amount)), operation},
                    settings.traffic_class, settings.service_level);
  }
  if (send.amount <= settings.rendezvous.count) end(operation);
}

void RankGroup::meet(const Match& match) {
  const Operation& send = (*board_->schedule)[match.message];
  if (send.amount > board_->settings.rendezvous.count) tell_sender(match.message);
  add_task(match.receive);
}

void RankGroup::tell_sender(std::uint32_t message) {
  const std::uint32_t sender = board_->ranks[message];
  const std::uint32_t receiver = (*board_->schedule)[message].peer;
  const Time delay =
      board_->hosts[sender] == board_->hosts[receiver] ? Time() : fabric_->shortest_cable();
  const Taken taken{now_ + delay.count, message};
  if (delay == Time()) {
    end(message);
  } else if (board_->group_of[sender] == number_) {
    taken_.push(taken);
  } else {
    to_tell_.push_back(taken);
  }
}

void RankGroup::end(std::uint32_t operation) {
  board_->states[operation] = State::done;
  --left_;
  board_->finish[board_->ranks[operation]] = now_;
  for (const std::uint32_t follower : board_->schedule->after_end(operation)) release(follower);
}

void RankGroup::release(std::uint32_t operation) {
  if (--board_->waits[operation] == 0) add_task(operation);
}

namespace {

/// Those of `queue` that `are_its`, first to last; when read they join the others.
template <class Queue, class AreIts>
void checkpoint_queue(StateArchive& state, Queue& queue, AreIts are_its) {
  std::vector<typename Queue::value_type> its;
  if (!state.is_reading()) {
    for (Queue rest = queue; !rest.empty(); rest.pop())
      if (are_its(rest.top())) its.push_back(rest.top());
  }
  state(its);
  if (!state.is_reading()) return;
  for (const auto& one : its) queue.push(one);
}

}  // namespace

void RankGroup::checkpoint(StateArchive& state, std::uint32_t rank) {
  if (!arrived_.empty() || !listed_.empty())
    throw std::logic_error("a checkpoint in the middle of a step of a workload");
  Board& board = *board_;
  const std::uint32_t first = board.schedule->first(RankId(rank));
  const std::size_t count = board.schedule->operations(RankId(rank)).size();
  state.slice(board.waits, first, count);
  state(board.finish[rank]);
  for (std::uint32_t cpu = board.first_cpu[rank]; cpu < board.first_cpu[rank + 1]; ++cpu)
    state(board.cpus[cpu].tasks, board.cpus[cpu].computing, board.cpus[cpu].is_busy);
  board.mailboxes[rank].checkpoint(state);
  checkpoint_queue(state, timers_, [&](const Timer& timer) {
    return timer.cpu >= board.first_cpu[rank] && timer.cpu < board.first_cpu[rank + 1];
  });
  checkpoint_queue(state, taken_,
                   [&](const Taken& taken) { return board.ranks[taken.operation] == rank; });
  if (!state.is_reading()) return;
  for (std::uint32_t i = first; i < first + count; ++i)
    if (board.states[i] == State::done) --left_;
}

void RankGroup::add_sent(std::vector<Mailbox::Sent>& out) const {
  for (const auto& [name, count] : streams_)
    out.push_back({std::get<0>(name), std::get<1>(name), std::get<2>(name), count});
}

void RankGroup::go_on(std::int64_t now, std::int64_t latest, bool has_begun,
                      std::uint64_t in_flight) {
  now_ = now;
  latest_ = latest;
  has_begun_ = has_begun;
  sent_ = in_flight;
}

}  // namespace weir::workload

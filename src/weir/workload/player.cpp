#include "weir/workload/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace weir::workload {

Player::Player(std::shared_ptr<const Schedule> schedule, std::vector<HostId> hosts,
               const PlayerSettings& settings)
    : schedule_(std::move(schedule)),
      hosts_(std::move(hosts)),
      settings_(settings),
      left_(schedule_->size()),
      waits_(schedule_->size()),
      states_(schedule_->size(), State::waiting),
      places_(schedule_->size(), 0),
      ranks_(schedule_->size()),
      finish_(schedule_->rank_count(), settings.start.count) {
  for (std::uint32_t i = 0; i < schedule_->size(); ++i) waits_[i] = schedule_->wait_count(i);
  for (std::size_t r = 0; r < schedule_->rank_count(); ++r) {
    std::uint32_t cpus = 1;
    bool any_tag = false;
    std::uint32_t number = schedule_->first(RankId(r));
    for (const Operation& one : schedule_->operations(RankId(r))) {
      cpus = std::max(cpus, one.cpu + 1U);
      any_tag = any_tag || (one.kind == OperationKind::receive && one.tag == kAny);
      ranks_[number++] = static_cast<std::uint32_t>(r);
    }
    first_cpu_.push_back(static_cast<std::uint32_t>(cpus_.size()));
    cpus_.resize(cpus_.size() + cpus);
    mailboxes_.emplace_back(any_tag);
  }
  first_cpu_.push_back(static_cast<std::uint32_t>(cpus_.size()));
}

Time Player::next() const {
  if (!has_begun_) return settings_.start;
  return timers_.empty() ? Time::max() : Time(timers_.top().time);
}

bool Player::step(fabric::Fabric& fabric) {
  fabric_ = &fabric;
  now_ = fabric.now().count;
  bool is_due = false;
  if (!has_begun_ && settings_.start.count <= now_) {
    is_due = true;
    begin_all();
  }
  while (!arrived_.empty() || (!timers_.empty() && timers_.top().time <= now_)) {
    is_due = true;
    take_arrivals();
    take_timers();
    serve();
  }
  if (has_begun_ && left_ > 0 && in_flight_ == 0 && timers_.empty()) report_deadlock();
  return is_due;
}

void Player::begin_all() {
  has_begun_ = true;
  for (std::uint32_t i = 0; i < waits_.size(); ++i) {
    if (waits_[i] == 0) add_task(i);
  }
  serve();
}

void Player::take_arrivals() {
  std::vector<std::uint32_t> arrived;
  arrived.swap(arrived_);
  std::sort(arrived.begin(), arrived.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::tuple((*schedule_)[a].peer, a) < std::tuple((*schedule_)[b].peer, b);
  });
  for (const std::uint32_t message : arrived) {
    const Operation& send = (*schedule_)[message];
    matches_.clear();
    mailboxes_[send.peer].arrive(ranks_[message], send.tag, places_[message], message, matches_);
    for (const Match& match : matches_) meet(match);
  }
}

void Player::take_timers() {
  while (!timers_.empty() && timers_.top().time <= now_) {
    const Timer timer = timers_.top();
    timers_.pop();
    leave(timer.cpu, timer.operation);
  }
}

std::uint32_t Player::cpu_of(std::uint32_t operation) const {
  return first_cpu_[ranks_[operation]] + (*schedule_)[operation].cpu;
}

void Player::list(std::uint32_t cpu) {
  if (cpus_[cpu].is_listed) return;
  cpus_[cpu].is_listed = true;
  listed_.push_back(cpu);
}

void Player::add_task(std::uint32_t operation) {
  if (states_[operation] == State::waiting) states_[operation] = State::ready;
  const std::uint32_t cpu = cpu_of(operation);
  std::vector<Task>& tasks = cpus_[cpu].tasks;
  tasks.push_back({now_, operation});
  std::push_heap(tasks.begin(), tasks.end());
  list(cpu);
}

void Player::serve() {
  while (!listed_.empty()) {
    const std::uint32_t cpu = listed_.front();
    listed_.pop_front();
    cpus_[cpu].is_listed = false;
    while (!cpus_[cpu].is_busy && !cpus_[cpu].tasks.empty()) {
      std::vector<Task>& tasks = cpus_[cpu].tasks;
      std::pop_heap(tasks.begin(), tasks.end());
      const std::uint32_t operation = tasks.back().operation;
      tasks.pop_back();
      turn_to(cpu, operation);
    }
  }
}

void Player::turn_to(std::uint32_t cpu, std::uint32_t operation) {
  const Operation& one = (*schedule_)[operation];
  if (states_[operation] == State::begun) {  // a receive whose message is there
    keep_busy(cpu, operation, settings_.overhead);
    return;
  }
  states_[operation] = State::begun;
  for (const std::uint32_t follower : schedule_->after_start(operation)) release(follower);
  switch (one.kind) {
    case OperationKind::calculation:
      cpus_[cpu].computing += nanoseconds(one.amount).count;
      keep_busy(cpu, operation, nanoseconds(one.amount));
      return;
    case OperationKind::send:
      keep_busy(cpu, operation, settings_.overhead);
      return;
    case OperationKind::receive:
      if (const auto match = mailboxes_[ranks_[operation]].post(operation, one.peer, one.tag)) {
        meet(*match);
      }
      return;
  }
}

void Player::keep_busy(std::uint32_t cpu, std::uint32_t operation, Time time) {
  if (time.count == 0) {
    leave(cpu, operation);
    return;
  }
  cpus_[cpu].is_busy = true;
  timers_.push({now_ + time.count, cpu, operation});
}

void Player::leave(std::uint32_t cpu, std::uint32_t operation) {
  cpus_[cpu].is_busy = false;
  list(cpu);
  if ((*schedule_)[operation].kind == OperationKind::send) {
    hand_over(operation);
  } else {
    end(operation);
  }
}

void Player::hand_over(std::uint32_t operation) {
  const Operation& send = (*schedule_)[operation];
  const std::uint32_t rank = ranks_[operation];
  places_[operation] = mailboxes_[send.peer].send(rank, send.tag);
  if (hosts_[rank] == hosts_[send.peer]) {
    arrived_.push_back(operation);
  } else {
    ++in_flight_;
    fabric_->submit(
        hosts_[rank],
        {Time(now_), hosts_[send.peer], Bytes(std::max<std::int64_t>(1, send.amount)), operation},
        settings_.traffic_class, settings_.service_level);
  }
  if (send.amount <= settings_.rendezvous.count) end(operation);
}

void Player::meet(const Match& match) {
  if ((*schedule_)[match.message].amount > settings_.rendezvous.count) end(match.message);
  add_task(match.receive);
}

void Player::end(std::uint32_t operation) {
  states_[operation] = State::done;
  --left_;
  finish_[ranks_[operation]] = now_;
  for (const std::uint32_t follower : schedule_->after_end(operation)) release(follower);
}

void Player::release(std::uint32_t operation) {
  if (--waits_[operation] == 0) add_task(operation);
}

void Player::report_deadlock() const {
  constexpr std::size_t kShown = 10;
  std::string text;
  std::size_t begun = 0;
  std::size_t others = 0;
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    if (states_[i] == State::done) continue;
    if (states_[i] != State::begun) {
      ++others;
    } else if (++begun <= kShown) {
      text += fmt::format("\n  {}", schedule_->describe(i));
    }
  }
  if (begun > kShown) text += fmt::format("\n  and {} more", begun - kShown);
  throw RunError(
      fmt::format("the workload is deadlocked at {}: nothing is under way, but {} operations wait "
                  "for a partner and {} behind them:{}",
                  to_string(Time(now_)), begun, others, text));
}

PlayerReport Player::report() const {
  PlayerReport out;
  out.operations_left = left_;
  out.lost = lost_.size();
  for (std::size_t r = 0; r < finish_.size(); ++r) {
    out.finish.emplace_back(finish_[r] - settings_.start.count);
    std::int64_t computing = 0;
    for (std::uint32_t cpu = first_cpu_[r]; cpu < first_cpu_[r + 1]; ++cpu) {
      computing = std::max(computing, cpus_[cpu].computing);
    }
    out.computing.emplace_back(computing);
    out.unexpected_max = std::max(out.unexpected_max, mailboxes_[r].unexpected_max());
  }
  return out;
}

}  // namespace weir::workload

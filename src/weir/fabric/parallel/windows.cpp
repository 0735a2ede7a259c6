#include "weir/fabric/parallel/windows.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "weir/fabric/headroom.hpp"

namespace weir::fabric {

namespace {

double thread_cpu_seconds() {
  timespec used{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

/// The fastest ideal ACK between two hosts; kNever: there is none. See Hosts::ack_latency().
std::int64_t fastest_ideal_ack(const Core& core) {
  const FabricSettings& s = core.settings;
  if (s.acks != AckMode::ideal) return kNever;
  if (s.ack_delay) return s.ack_delay->count;
  std::int64_t fastest = kNever;
  for (std::uint32_t host = 0; host < core.host_count; ++host) {
    const Output& out = core.links[core.first_port[host]];
    if (out.to == UINT32_MAX) continue;
    // It has come through a switch, unless its cable leads to another host.
    const std::int64_t crossed = s.routing_delay.count + s.crossbar_delay.count + out.delay;
    fastest = std::min(fastest, out.delay + (out.to_host ? 0 : crossed));
  }
  return fastest;
}

Lookahead lookahead_of(Part& part, std::int64_t everywhere, std::int64_t slack) {
  return {part.core().graph, part.border()->territories(), everywhere, slack};
}

}  // namespace

Windows::Windows(std::vector<Part*> parts, Duties duties)
    : parts_(std::move(parts)),
      duties_(std::move(duties)),
      first_part_(parts_.front()->border()->part()),
      slack_(parts_.front()->core()),
      slack_now_(slack_.of(kNever)),
      near_(lookahead_of(*parts_.front(), parts_.front()->core().horizon, slack_now_)),
      far_(lookahead_of(*parts_.front(), fastest_ideal_ack(parts_.front()->core()), slack_now_)),
      states_(parts_.size()),
      next_(parts_.front()->border()->territories().parts, kNever),
      meeting_(static_cast<std::uint32_t>(parts_.size())),
      help_(static_cast<std::uint32_t>(parts_.size())),
      begin_(static_cast<std::uint32_t>(parts_.size())),
      over_(static_cast<std::uint32_t>(parts_.size())) {
  whole_.reaches_all = true;
  if (duties_.ranks != nullptr) neighbours_ = std::make_unique<Neighbours>(*duties_.ranks, parts_);
  for (std::size_t p = 1; p < parts_.size(); ++p) {
    threads_.emplace_back([this, p] {
      for (;;) {
        begin_.meet([] {});
        if (quits_) return;
        work(p);
      }
    });
  }
}

Windows::~Windows() {
  quits_ = true;
  begin_.meet([] {});
  for (std::thread& thread : threads_) thread.join();
}

bool Windows::run_until(std::int64_t end, WhenIdle when_idle) {
  stop_ = false;
  is_over_ = false;
  failure_ = nullptr;
  end_ = end;
  when_idle_ = when_idle;
  const std::int64_t now = parts_.front()->core().now;
  if (next_check_ == kNever) {
    if (duties_.sample_period > 0) next_sample_ = now + duties_.sample_period;
    next_check_ = now + duties_.check_period;
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    states_[p].next = parts_[p]->next_time();
    states_[p].end = 0;
    has_losses_ = has_losses_ || !parts_[p]->core().is_down.empty();
  }
  whole_.reaches_all = whole_.reaches_all || has_losses_;
  plan();
  if (step_.kind != Step::over) {
    begin_.meet([] {});
    work(0);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  const bool is_over_here = std::all_of(parts_.begin(), parts_.end(), [&](const Part* part) {
    return part->is_over_at_any_time(when_idle);
  });
  const bool is_over = is_over_here && is_idle();
  return (neighbours_ ? neighbours_->is_true_everywhere(is_over) : is_over) || is_over_;
}

void Windows::work(std::size_t part) {
  while (step_.kind != Step::over) {
    run_step(part);
    tell_while_others_run();
    meeting_.meet([this] { plan(); });
  }
  states_[part].cpu_seconds = thread_cpu_seconds();
  // All have seen that it is over before anyone plans anew.
  over_.meet([] {});
}

void Windows::run_step(std::size_t part) {
  try {
    if (step_.kind == Step::window) {
      take_in(part);
      states_[part].end = end_of(part);
      parts_[part]->run_before(states_[part].end);
    } else if (step_.kind == Step::instant) {
      take_in(part);
      parts_[part]->begin_instant(step_.at);
    } else {
      do_duties(part);
    }
    if (neighbours_) neighbours_->pack(part);
    states_[part].next = parts_[part]->next_time();
  } catch (...) {
    states_[part].failure = std::current_exception();
  }
}

std::int64_t Windows::end_of(std::size_t part) const {
  std::int64_t end = step_.at;
  if (!has_own_ends()) return end;
  const Lookahead& ways = lookahead();
  for (std::size_t from = 0; from < next_.size(); ++from)
    end = std::min(end, later(next_[from], ways.between(from, first_part_ + part)));
  // All go on together unless going alone gains more than a window: what one has done more of in
  // this window it lacks in the next, and others wait for it in both. Where all cables between
  // parts are of one length, so are windows.
  const std::int64_t together = std::min(end, whole_.end);
  return end - together <= together - whole_.next ? together : end;
}

bool Windows::has_own_ends() const {
  return duties_.overseer == nullptr && far_.knows_ways() &&
         (!neighbours_ || neighbours_->tells_next());
}

void Windows::take_in(std::size_t part) {
  if (neighbours_) {
    neighbours_->take_in(part, [&](std::size_t other) { parts_[part]->take_in(*parts_[other]); });
    return;
  }
  for (std::size_t other = 0; other < parts_.size(); ++other)
    if (other != part) parts_[part]->take_in(*parts_[other]);
}

void Windows::do_duties(std::size_t part) {
  try {
    take_in(part);
  } catch (...) {
    states_[part].failure = std::current_exception();
  }
  help_.meet([] {});
  if (part != 0) {
    help(part);
    return;
  }
  has_help_ = true;
  try {
    rethrow_failures();
    end_instant(step_.at);
  } catch (...) {
    states_[part].failure = std::current_exception();
  }
  has_help_ = false;
  look_ = nullptr;
  help_.meet([] {});
}

void Windows::help(std::size_t part) {
  for (;;) {
    help_.meet([] {});
    if (look_ == nullptr) return;
    look_at(part);
    help_.meet([] {});
  }
}

void Windows::look_at(std::size_t part) {
  try {
    (*look_)(part);
  } catch (...) {
    states_[part].failure = std::current_exception();
  }
}

void Windows::side_by_side(const std::function<void(std::size_t)>& look) {
  if (!has_help_) {
    for (std::size_t part = 0; part < parts_.size(); ++part) look(part);
    return;
  }
  look_ = &look;
  help_.meet([] {});
  look_at(0);
  help_.meet([] {});
  rethrow_failures();
}

void Windows::rethrow_failures() {
  for (State& state : states_)
    if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
}

void Windows::tell_while_others_run() {
  try {
    while (!meeting_.is_last_missing() && duties_.observers->tell_some()) continue;
  } catch (...) {
    observer_failure_ = std::current_exception();  // one thread at a time tells
  }
}

void Windows::plan() {
  try {
    if (!neighbours_) rethrow_failures();
    if (observer_failure_) std::rethrow_exception(std::exchange(observer_failure_, nullptr));
    if (duties_.overseer != nullptr) {
      duties_.overseer->exchange();
      for (std::size_t p = 0; p < parts_.size(); ++p) states_[p].next = parts_[p]->next_time();
    }
    turn_over();
    whole_.busiest = count_busiest();
    if (neighbours_) {
      meet_ranks();
    } else {
      look_around();
    }
    ++statistics_.meetings;
    statistics_.busiest_events += whole_.busiest;
    if (step_.kind == Step::instant) {
      duties_.observers->tell_all();
      step_.kind = Step::duties;
      return;
    }
    // All parts have done what comes before the next thing that happens.
    duties_.observers->set_apart(whole_.next);
    if (!neighbours_) {
      duties_.peaks->merge_some(whole_.next);
    } else if (whole_.has_many_peaks) {
      duties_.peaks->merge_all(duties_.ranks, whole_.next);
    }
    plan_next();
  } catch (...) {
    failure_ = std::current_exception();
    step_.kind = Step::over;
  }
}

void Windows::turn_over() {
  if (parts_.size() < next_.size()) std::fill(next_.begin(), next_.end(), kNever);
  for (std::size_t p = 0; p < parts_.size(); ++p) next_[first_part_ + p] = states_[p].next;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (neighbours_) neighbours_->pack(p);
    const bool has_sent = parts_[p]->border()->has_sent();
    parts_[p]->border()->turn_over();
    for (std::size_t to = first_part_; has_sent && to < first_part_ + parts_.size(); ++to)
      next_[to] = std::min(next_[to], parts_[p]->border()->earliest(to));
  }
}

std::int64_t Windows::smallest_packet() const {
  std::int64_t bytes = kNever;
  for (Part* part : parts_) bytes = std::min(bytes, part->border()->smallest());
  return bytes;
}

void Windows::see_smallest(std::int64_t bytes) {
  const std::int64_t slack = slack_.of(bytes);
  if (slack == slack_now_) return;
  // By what other processes know of smaller packets the end is too late.
  if (whole_.end != kNever) whole_.end -= slack_now_ - slack;
  slack_now_ = slack;
  Part& part = *parts_.front();
  near_ = lookahead_of(part, part.core().horizon, slack);
  far_ = lookahead_of(part, fastest_ideal_ack(part.core()), slack);
}

void Windows::look_around() {
  see_smallest(smallest_packet());
  whole_.next = kNever;
  whole_.end = kNever;
  for (std::size_t part = 0; part < next_.size(); ++part) {
    whole_.next = std::min(whole_.next, next_[part]);
    whole_.end = std::min(whole_.end, later(next_[part], lookahead().out_of(part)));
  }
  whole_.reached = 0;
  for (const State& state : states_) whole_.reached = std::max(whole_.reached, state.end);
  whole_.reaches_all = reaches_all();
}

bool Windows::reaches_all() {
  if (has_losses_ || (duties_.overseer != nullptr && duties_.overseer->hands_over())) return true;
  // A packet that is larger than all before in its class is known everywhere a shortest cable later
  // (Core::announce()), until there can be no larger one.
  for (; may_announce_ < parts_.size(); ++may_announce_) {
    const Core& core = parts_[may_announce_]->core();
    const std::int64_t most = largest_packet(core.settings);
    for (; announced_class_ < core.buffers; ++announced_class_) {
      const std::int64_t room = core.links.room(announced_class_);
      if (room == kNever || room < most) return true;
    }
    announced_class_ = 0;
  }
  return false;
}

std::int64_t Windows::longest_window() const {
  const bool hands_over = duties_.overseer != nullptr && duties_.overseer->hands_over();
  const std::int64_t longest = hands_over ? near_.longest() : far_.longest();
  return longest == kNever ? parts_.front()->core().horizon : longest;
}

void Windows::end_instant(std::int64_t now) {
  if (now == next_sample_) {
    duties_.sample(now);
    next_sample_ += duties_.sample_period;
  }
  if (now == next_check_) {
    duties_.check(now);
    next_check_ += duties_.check_period;
  }
}

void Windows::meet_ranks() {
  const bool has_failed = std::any_of(states_.begin(), states_.end(), [](const State& state) {
    return static_cast<bool>(state.failure);
  });
  Neighbours::Word mine;
  mine.busiest = whole_.busiest;
  mine.is_idle = is_idle();
  mine.has_background = has_background();
  mine.has_failed = has_failed;
  mine.stops = stop_;
  mine.has_many_peaks = duties_.peaks->has_many();
  mine.reaches_all = reaches_all();
  mine.smallest = smallest_packet();
  for (const State& state : states_) mine.reached = std::max(mine.reached, state.end);
  for (const Part* part : parts_) mine.now = std::max(mine.now, part->core().now);
  whole_ = neighbours_->exchange(mine, duties_.overseer, lookahead(), next_);
  stop_ = whole_.stops;
  see_smallest(whole_.smallest);
  if (!whole_.has_failed) return;
  std::exception_ptr own;
  for (State& state : states_)
    if (state.failure) own = std::exchange(state.failure, nullptr);
  neighbours_->agree(own);
}

std::uint64_t Windows::count_busiest() {
  std::uint64_t most = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::uint64_t events = parts_[p]->core().counters.events;
    most = std::max(most, events - std::exchange(states_[p].events, events));
  }
  return most;
}

Windows::Statistics Windows::statistics() const {
  Statistics all = statistics_;
  for (Part* part : parts_) all.crossings += part->border()->counts();
  return all;
}

void Windows::plan_next() {
  for (;;) {
    const std::int64_t first = whole_.next;
    // Parts that have gone further than others wait for these.
    const bool stops = stop_ && first >= whole_.reached;
    const std::int64_t periodic = std::min(next_sample_, next_check_);
    const bool ends_idle = when_idle_ == WhenIdle::stop && periodic <= first &&
                           (neighbours_ ? whole_.is_idle : is_idle());
    if (stops || ends_idle || std::min(first, periodic) > end_) {
      is_over_ = !stops && ends_idle;
      const bool waits = neighbours_ ? whole_.has_background : has_background();
      end_run(is_over_ && waits ? periodic : 0);
      return;
    }
    const std::int64_t at = std::min(first, periodic);
    std::int64_t end = std::min(end_ + 1, periodic);
    if (stop_) end = std::min(end, whole_.reached);
    if (!has_own_ends()) end = std::min({end, whole_.end, later(at, longest_window())});
    end = std::max(end, at + 1);
    if (duties_.overseer == nullptr || !duties_.overseer->may_act(Time(at), Time(end))) {
      step_ = periodic <= first ? Step{Step::instant, periodic} : Step{Step::window, end};
      return;
    }
    run_instant(at);
  }
}

void Windows::end_run(std::int64_t least_now) {
  take_in_all();
  duties_.observers->tell_all();
  std::int64_t now = std::max(whole_.now, least_now);
  for (const Part* part : parts_) now = std::max(now, part->core().now);
  for (Part* part : parts_) part->core().now = now;
  step_.kind = Step::over;
}

void Windows::run_instant(std::int64_t at) {
  take_in_all();
  try_here([&] {
    for (Part* part : parts_) part->begin_instant(at);
  });
  if (neighbours_ && duties_.overseer->acts_in_instants()) exchange();
  duties_.overseer->in_instant(Time(at));
  if (at == next_sample_ || at == next_check_) {
    // What the overseer has set off in this instant.
    try_here([&] {
      for (Part* part : parts_) part->begin_instant(at);
    });
    exchange();
    duties_.observers->tell_all();
    try_here([&] { end_instant(at); });
  }
  try_here([&] {
    for (Part* part : parts_) part->finish_instant();
  });
  exchange();
  if (duties_.overseer->after_instant(Time(at))) stop_ = true;
  exchange();
  if (!neighbours_) {
    for (std::size_t p = 0; p < parts_.size(); ++p) next_[p] = parts_[p]->next_time();
    look_around();
  }
  constexpr unsigned kSome = 64;
  if (++instants_ % kSome == 0) duties_.observers->tell_all();
}

void Windows::try_here(const std::function<void()>& work) {
  if (states_.front().failure) return;
  try {
    work();
  } catch (...) {
    // Other processes hear of it with the next exchange.
    if (!neighbours_) throw;
    states_.front().failure = std::current_exception();
  }
}

void Windows::exchange() {
  duties_.overseer->exchange();
  if (neighbours_) {
    for (std::size_t p = 0; p < parts_.size(); ++p) states_[p].next = parts_[p]->next_time();
    turn_over();
    whole_.busiest = 0;
    meet_ranks();
    take_in_all();
    return;
  }
  for (Part* from : parts_) {
    if (!from->border()->has_sent()) continue;
    from->border()->turn_over();
    for (Part* to : parts_)
      if (to != from) to->take_in(*from);
  }
}

bool Windows::is_idle() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](Part* part) { return part->is_idle() && !part->border()->stirs().moves; });
}

bool Windows::has_background() const {
  return std::any_of(parts_.begin(), parts_.end(), [](Part* part) {
    return part->core().background_events != 0 || part->border()->stirs().has_background;
  });
}

double Windows::cpu_seconds_of_helpers() const {
  double seconds = 0;
  for (std::size_t p = 1; p < states_.size(); ++p) seconds += states_[p].cpu_seconds;
  return seconds;
}

void Windows::take_in_all() {
  for (std::size_t part = 0; part < parts_.size(); ++part) take_in(part);
}

}  // namespace weir::fabric

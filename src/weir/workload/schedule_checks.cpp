#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "weir/workload/schedule.hpp"

namespace weir::workload {
namespace {

/// Operations that can begin in some order, one after the other; the others hang on a circle.
std::vector<bool> can_begin(const Schedule& schedule) {
  std::vector<std::uint32_t> waits(schedule.size());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    waits[i] = schedule.wait_count(i);
    if (waits[i] == 0) ready.push_back(i);
  }
  std::vector<bool> can(schedule.size(), false);
  const auto let_go = [&](std::span<const std::uint32_t> followers) {
    for (const std::uint32_t follower : followers) {
      if (--waits[follower] == 0) ready.push_back(follower);
    }
  };
  while (!ready.empty()) {
    const std::uint32_t one = ready.back();
    ready.pop_back();
    can[one] = true;
    let_go(schedule.after_start(one));
    let_go(schedule.after_end(one));
  }
  return can;
}

/// For each stuck operation, one that it waits for and that is stuck as well.
std::vector<std::uint32_t> stuck_reasons(const Schedule& schedule, const std::vector<bool>& can) {
  std::vector<std::uint32_t> reason(schedule.size(), kAny);
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    if (can[i]) continue;
    for (const std::uint32_t follower : schedule.after_start(i)) reason[follower] = i;
    for (const std::uint32_t follower : schedule.after_end(i)) reason[follower] = i;
  }
  return reason;
}

/// A message or a receive that says exactly what it takes.
struct Half {
  std::uint32_t receiver = 0;  ///< rank
  std::uint32_t sender = 0;    ///< rank
  std::uint32_t tag = 0;
  std::uint32_t operation = 0;

  [[nodiscard]] auto pair() const { return std::tie(receiver, sender, tag); }
  bool operator<(const Half& other) const {
    return std::tie(receiver, sender, tag, operation) <
           std::tie(other.receiver, other.sender, other.tag, other.operation);
  }
};

struct Halves {
  std::vector<Half> sends;
  std::vector<Half> receives;
  std::vector<std::vector<std::uint32_t>> open;  ///< per rank: receives that take any of something
};

Halves halves_of(const Schedule& schedule) {
  Halves out;
  out.open.resize(schedule.rank_count());
  for (std::size_t r = 0; r < schedule.rank_count(); ++r) {
    const auto rank = static_cast<std::uint32_t>(r);
    std::uint32_t number = schedule.first(RankId(r));
    for (const Operation& one : schedule.operations(RankId(r))) {
      if (one.kind == OperationKind::send) {
        out.sends.push_back({one.peer, rank, one.tag, number});
      } else if (one.kind == OperationKind::receive) {
        if (one.peer == kAny || one.tag == kAny) {
          out.open[r].push_back(number);
        } else {
          out.receives.push_back({rank, one.peer, one.tag, number});
        }
      }
      ++number;
    }
  }
  std::sort(out.sends.begin(), out.sends.end());
  std::sort(out.receives.begin(), out.receives.end());
  return out;
}

InputError no_partner(const Schedule& schedule, std::uint32_t operation) {
  const Operation& one = schedule[operation];
  const bool is_send = one.kind == OperationKind::send;
  const std::string lacks = is_send ? fmt::format("rank {} has no receive left for it", one.peer)
                            : one.peer == kAny
                                ? std::string("no message is left for it")
                                : fmt::format("rank {} has no message left for it", one.peer);
  return {schedule.position(operation), is_send ? "send" : "recv",
          fmt::format("{}: {}", schedule.describe(operation), lacks)};
}

bool takes(const Operation& receive, const Half& message) {
  return (receive.peer == kAny || receive.peer == message.sender) &&
         (receive.tag == kAny || receive.tag == message.tag);
}

/// Messages of one rank that no exact receive took, against its receives that take any.
void check_open(const Schedule& schedule, const std::vector<Half>& left,
                const std::vector<std::uint32_t>& open) {
  for (const Half& message : left) {
    const bool fits = std::any_of(open.begin(), open.end(), [&](std::uint32_t receive) {
      return takes(schedule[receive], message);
    });
    if (!fits) throw no_partner(schedule, message.operation);
  }
  if (left.size() > open.size()) throw no_partner(schedule, left[open.size()].operation);
  if (left.size() < open.size()) throw no_partner(schedule, open[left.size()]);
}

}  // namespace

void check_order(const Schedule& schedule) {
  const std::vector<bool> can = can_begin(schedule);
  const auto stuck = std::find(can.begin(), can.end(), false);
  if (stuck == can.end()) return;
  const std::vector<std::uint32_t> reason = stuck_reasons(schedule, can);
  // Following the reasons ends in the circle; going round it once more tells it.
  auto at = static_cast<std::uint32_t>(stuck - can.begin());
  for (std::size_t i = 0; i < schedule.size(); ++i) at = reason[at];
  constexpr int kShown = 8;
  std::uint32_t first = at;
  for (std::uint32_t other = reason[at]; other != at; other = reason[other]) {
    first = std::min(first, other);
  }
  at = first;
  std::string text = schedule.describe(first);
  int shown = 0;
  do {
    at = reason[at];
    if (++shown <= kShown) text += fmt::format(" waits for {}", schedule.describe(at));
  } while (at != first);
  if (shown > kShown) text += fmt::format(" and so on, {} operations in all", shown);
  throw InputError(schedule.position(first), "requires",
                   "operations wait for each other in a circle: " + text);
}

void check_partners(const Schedule& schedule) {
  const Halves all = halves_of(schedule);
  std::vector<std::vector<Half>> left(schedule.rank_count());
  auto receive = all.receives.begin();
  for (const Half& send : all.sends) {
    if (receive != all.receives.end() && receive->pair() < send.pair()) break;
    if (receive != all.receives.end() && receive->pair() == send.pair()) {
      ++receive;
    } else {
      left[send.receiver].push_back(send);
    }
  }
  if (receive != all.receives.end()) throw no_partner(schedule, receive->operation);
  for (std::size_t r = 0; r < left.size(); ++r) check_open(schedule, left[r], all.open[r]);
}

}  // namespace weir::workload

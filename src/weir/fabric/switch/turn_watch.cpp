#include "weir/fabric/switch/turn_watch.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include <fmt/format.h>

#include "weir/fabric/checkpoint/node_state.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::fabric {

std::uint64_t TurnWatch::bound(std::uint32_t degree, std::uint32_t queues) {
  return 8 * std::uint64_t{degree} * degree * queues;
}

void TurnWatch::look(Core& core, const SwitchModel& switches, std::int64_t since) {
  collect(core, switches, since);
  judge(core);
  for (const Head& head : heads_) core.links[head.port].is_watched = false;
  heads_.erase(std::remove_if(heads_.begin(), heads_.end(),
                              [](const Head& head) { return !head.is_still_there; }),
               heads_.end());
  const auto free = std::min(candidates_.size(), kMost - heads_.size());
  const auto middle = candidates_.begin() + static_cast<std::ptrdiff_t>(free);
  std::partial_sort(candidates_.begin(), middle, candidates_.end(),
                    [](const Head& a, const Head& b) {
                      return std::tuple(a.ready, a.packet) < std::tuple(b.ready, b.packet);
                    });
  heads_.insert(heads_.end(), candidates_.begin(), middle);
  for (const Head& head : heads_) core.links[head.port].is_watched = true;
}

void TurnWatch::collect(const Core& core, const SwitchModel& switches, std::int64_t since) {
  candidates_.clear();
  for (Head& head : heads_) head.is_still_there = false;
  const Isolation* isolation = core.mechanisms.isolation.get();
  const bool limits_entry = isolation != nullptr && isolation->limits_entry();
  const auto look_at = [&](std::uint32_t port, std::uint32_t packet, bool is_at_egress) {
    const Packet& p = core.packets[packet];
    if (p.ready > since) return;
    // Where its queue at the output is stopped, it is not its turn.
    if (limits_entry && !is_at_egress && !isolation->may_enter(port, packet)) return;
    Head head;
    head.ready = p.ready;
    head.packet = packet;
    head.port = port;
    head.buffer = p.next_buffer;
    head.is_at_egress = is_at_egress;
    head.is_still_there = true;
    const auto known = std::find_if(heads_.begin(), heads_.end(),
                                    [&](const Head& other) { return other.is_same(head); });
    if (known == heads_.end()) {
      candidates_.push_back(head);
    } else {
      known->is_still_there = true;
    }
  };
  switches.for_each_head(std::ref(look_at));  // a std::function of a reference allocates nothing
}

void TurnWatch::judge(const Core& core) {
  std::uint32_t queues = 1;
  if (core.mechanisms.isolation)
    queues += core.mechanisms.isolation->resources(false, 2).set_aside_queues;
  for (Head& head : heads_) {
    if (!head.is_still_there) continue;
    const std::uint64_t most = bound(core.links[head.port].owner_degree, queues);
    if (head.passed <= most) continue;
    if (findings_.heads == 0) {
      findings_.port = head.port;
      findings_.buffer = head.buffer;
      findings_.bound = most;
    }
    if (!head.is_counted) ++findings_.heads;
    head.is_counted = true;
    findings_.passed = std::max(findings_.passed, head.passed);
  }
}

TurnWatch::Findings& TurnWatch::Findings::operator+=(const Findings& other) {
  if (heads == 0) {
    port = other.port;
    buffer = other.buffer;
    bound = other.bound;
  }
  heads += other.heads;
  passed = std::max(passed, other.passed);
  return *this;
}

std::string TurnWatch::Findings::note(const Core& core) const {
  if (heads == 0) return {};
  return fmt::format(
      "{} packets at the head of a queue were passed over: more than {} others left by the same "
      "output for the same class meanwhile (up to {}); the first waited for {}, class {}. Shares "
      "of "
      "flows there are not what the arbiter promises",
      heads, bound, passed, core.graph.name(PortId(port)), buffer);
}

void TurnWatch::checkpoint(NodeState& state) {
  std::vector<Head> here;
  for (const Head& head : heads_)
    if (head.port >= state.first_port() && head.port < state.end_port()) here.push_back(head);
  state(here);
  if (state.is_reading()) heads_.insert(heads_.end(), here.begin(), here.end());
}

void TurnWatch::find_packets(Core& core, const SwitchModel& switches) {
  for (Head& head : heads_) head.packet = kNone;
  switches.for_each_head([&](std::uint32_t port, std::uint32_t packet, bool is_at_egress) {
    const Packet& p = core.packets[packet];
    for (Head& head : heads_) {
      if (head.port == port && head.is_at_egress == is_at_egress && head.ready == p.ready &&
          head.buffer == p.next_buffer && head.packet == kNone) {
        head.packet = packet;
        break;
      }
    }
  });
  std::erase_if(heads_, [](const Head& head) { return head.packet == kNone; });
  for (const Head& head : heads_) core.links[head.port].is_watched = true;
}

void TurnWatch::checkpoint_totals(TotalState& state) { state.sum(findings_); }

}  // namespace weir::fabric

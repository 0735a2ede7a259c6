#include "weir/routing/path_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/routing/fit.hpp"

namespace weir::routing {

using topology::Graph;

const Keys<TieBreakSettings>& tie_break_keys() {
  static const Keys<TieBreakSettings> keys{
      choice(&TieBreakSettings::tie_break, "tie_break",
             "choice of the default route among equally short paths: the cable with the fewest "
             "pairs of hosts so far, by the destination's number, or the lowest port",
             {{"balanced", TieBreak::balanced},
              {"destination", TieBreak::destination},
              {"lowest-port", TieBreak::lowest_port}})};
  return keys;
}

/// Fills a PathTable. Kept apart because its work arrays are not needed afterwards.
class PathTableBuilder {
 public:
  PathTableBuilder(PathTable& table, std::string_view name, const Graph& graph, TieBreak tie)
      : t_(table), name_(name), graph_(graph), tie_(tie) {}

  void build(const std::vector<bool>& goes_down);

 private:
  void add_steps(const std::vector<bool>& goes_down);
  void add_exits();
  void measure(std::size_t exit);
  void check_reach(std::size_t exit) const;
  void order_states(std::size_t exit);
  void fill(HostId destination);
  [[nodiscard]] std::uint8_t choose(std::size_t state, const std::uint16_t* distance,
                                    HostId destination, std::uint32_t& next) const;
  [[nodiscard]] std::size_t states() const { return t_.phases_ * t_.switches_; }

  PathTable& t_;
  std::string_view name_;
  const Graph& graph_;
  TieBreak tie_;
  std::vector<std::vector<std::uint32_t>> before_;  ///< per state: states with a step to it
  std::vector<std::uint32_t> senders_;              ///< per switch: hosts that send into it
  std::vector<std::uint32_t> order_;                ///< states, farthest from the exit first
  std::vector<std::uint64_t> load_;                 ///< per switch port: pairs routed over it
  std::vector<std::uint64_t> flow_;                 ///< per state: pairs on their way to one host
};

void PathTableBuilder::build(const std::vector<bool>& goes_down) {
  t_.hosts_ = graph_.host_count();
  t_.switches_ = graph_.switch_count();
  t_.phases_ = goes_down.empty() ? 1 : 2;
  add_steps(goes_down);
  add_exits();
  const auto state_count = static_cast<double>(states());
  check_table_size(name_, state_count * (static_cast<double>(t_.hosts_) +
                                         2.0 * static_cast<double>(t_.exits_.size())));
  t_.distance_.assign(states() * t_.exits_.size(), PathTable::kFar);
  t_.table_.assign(states() * t_.hosts_, 0);
  load_.assign(t_.steps_.size(), 0);
  std::vector<std::vector<HostId>> hosts_of(t_.exits_.size());
  for (std::size_t h = 0; h < t_.hosts_; ++h) {
    if (t_.exit_of_[h] != PathTable::kNone) hosts_of[t_.exit_of_[h]].push_back(HostId(h));
  }
  for (std::size_t exit = 0; exit < t_.exits_.size(); ++exit) {
    measure(exit);
    check_reach(exit);
    order_states(exit);
    for (const HostId host : hosts_of[exit]) fill(host);
  }
}

void PathTableBuilder::add_steps(const std::vector<bool>& goes_down) {
  if (t_.phases_ == 2) t_.phase_after_.assign(graph_.port_count(), 0);
  before_.resize(states());
  for (std::size_t s = 0; s < t_.switches_; ++s) {
    t_.first_step_.push_back(static_cast<std::uint32_t>(t_.steps_.size()));
    for (const topology::Port& port : graph_.ports(graph_.node(SwitchId(s)))) {
      PathTable::Step& step = t_.steps_.emplace_back();
      if (!port.to.valid() || graph_.is_host(graph_.port(port.to).node)) continue;
      const std::size_t id = graph_.port(port.node, port.number).index();
      step.goes_down = t_.phases_ == 2 && goes_down[id];
      const std::size_t next =
          graph_.switch_of(graph_.port(port.to).node).index() + (step.goes_down ? t_.switches_ : 0);
      step.state = static_cast<std::uint32_t>(next);
      if (t_.phases_ == 2) t_.phase_after_[port.to.index()] = step.goes_down ? 1 : 0;
      before_[next].push_back(static_cast<std::uint32_t>(s));
      if (step.goes_down) before_[next].push_back(static_cast<std::uint32_t>(s + t_.switches_));
    }
  }
  t_.first_step_.push_back(static_cast<std::uint32_t>(t_.steps_.size()));
}

void PathTableBuilder::add_exits() {
  std::vector<std::uint32_t> exit_at(t_.switches_, PathTable::kNone);
  senders_.assign(t_.switches_, 0);
  for (std::size_t h = 0; h < t_.hosts_; ++h) {
    const topology::Port& port = graph_.port(graph_.host_port(HostId(h)));
    const NodeId entry = graph_.port(port.to).node;
    if (!graph_.is_host(entry)) ++senders_[graph_.switch_of(entry).index()];
    const NodeId node = graph_.port(port.from).node;
    if (graph_.is_host(node)) {  // two hosts back to back: nothing to route
      t_.exit_of_.push_back(PathTable::kNone);
      continue;
    }
    std::uint32_t& exit = exit_at[graph_.switch_of(node).index()];
    if (exit == PathTable::kNone) {
      exit = static_cast<std::uint32_t>(t_.exits_.size());
      t_.exits_.push_back(graph_.switch_of(node).value);
    }
    t_.exit_of_.push_back(exit);
  }
}

/// Breadth first against the direction of the steps.
void PathTableBuilder::measure(std::size_t exit) {
  std::uint16_t* distance = t_.distance_.data() + exit * states();
  std::vector<std::uint32_t> queue;
  for (std::size_t phase = 0; phase < t_.phases_; ++phase) {
    queue.push_back(static_cast<std::uint32_t>(phase * t_.switches_ + t_.exits_[exit]));
    distance[queue.back()] = 0;
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::uint32_t state : before_[queue[i]]) {
      if (distance[state] != PathTable::kFar) continue;
      distance[state] = static_cast<std::uint16_t>(distance[queue[i]] + 1);
      queue.push_back(state);
    }
  }
}

void PathTableBuilder::check_reach(std::size_t exit) const {
  const std::uint16_t* distance = t_.distance_.data() + exit * states();
  for (std::size_t s = 0; s < t_.switches_; ++s) {
    if (senders_[s] == 0 || distance[s] != PathTable::kFar) continue;
    throw InputError(fmt::format("{} finds no path from {} to the hosts of {}", name_,
                                 graph_.name(graph_.node(SwitchId(s))),
                                 graph_.name(graph_.node(SwitchId(t_.exits_[exit])))));
  }
}

void PathTableBuilder::order_states(std::size_t exit) {
  const std::uint16_t* distance = t_.distance_.data() + exit * states();
  order_.clear();
  for (std::uint32_t state = 0; state < states(); ++state) {
    if (distance[state] != PathTable::kFar && distance[state] != 0) order_.push_back(state);
  }
  std::stable_sort(order_.begin(), order_.end(), [distance](std::uint32_t a, std::uint32_t b) {
    return distance[a] > distance[b];
  });
}

/// Routes all hosts to `destination`, farthest switches first, so that each switch knows how many
/// pairs it passes on when it chooses.
void PathTableBuilder::fill(HostId destination) {
  const std::size_t exit = t_.exit_of_[destination.index()];
  const std::uint16_t* distance = t_.distance_.data() + exit * states();
  flow_.assign(states(), 0);
  std::copy(senders_.begin(), senders_.end(), flow_.begin());
  for (const std::uint32_t state : order_) {
    std::uint32_t next = PathTable::kNone;
    const std::uint8_t port = choose(state, distance, destination, next);
    t_.table_[state * t_.hosts_ + destination.index()] = port;
    flow_[next] += flow_[state];
    const std::size_t s = state < t_.switches_ ? state : state - t_.switches_;
    load_[t_.first_step_[s] + port] += flow_[state];
  }
  const topology::Port& last = graph_.port(graph_.port(graph_.host_port(destination)).from);
  for (std::size_t phase = 0; phase < t_.phases_; ++phase) {
    const std::size_t state = phase * t_.switches_ + t_.exits_[exit];
    t_.table_[state * t_.hosts_ + destination.index()] = static_cast<std::uint8_t>(last.number);
  }
}

std::uint8_t PathTableBuilder::choose(std::size_t state, const std::uint16_t* distance,
                                      HostId destination, std::uint32_t& next) const {
  const std::size_t first = t_.first_step_[state % t_.switches_];
  std::array<std::pair<std::uint8_t, std::uint32_t>, 256> choices;
  std::size_t count = 0;
  t_.for_each_step(state, distance, [&](std::uint8_t port, std::uint32_t to) {
    choices[count++] = {port, to};
  });
  std::size_t best = tie_ == TieBreak::destination ? destination.index() % count : 0;
  for (std::size_t i = 1; i < count && tie_ == TieBreak::balanced; ++i) {
    if (load_[first + choices[i].first] < load_[first + choices[best].first]) best = i;
  }
  next = choices[best].second;
  return choices[best].first;
}

PathTable::PathTable(std::string_view name, const Graph& graph, TieBreak tie,
                     const std::vector<bool>& goes_down) {
  PathTableBuilder(*this, name, graph, tie).build(goes_down);
}

void PathTable::candidates(const RouteQuery& query, CandidateList& out) const {
  const Candidate preferred = default_route(query);
  out.add(preferred);
  const std::size_t from = state(query);
  const std::size_t exit = exit_of_[query.destination.index()];
  const std::uint16_t* distance = distance_.data() + exit * phases_ * switches_;
  if (distance[from] == 0) return;
  for_each_step(from, distance, [&](std::uint8_t port, std::uint32_t) {
    if (port != preferred.port) out.add({port, 0});
  });
}

}  // namespace weir::routing

#include "weir/metrics/link_monitor.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace weir::metrics {

namespace {

/// a / b as a share between 0 and 1.
double share(std::int64_t a, std::int64_t b) {
  if (b <= 0) return 0;
  return std::clamp(static_cast<double>(a) / static_cast<double>(b), 0.0, 1.0);
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0.0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

}  // namespace

std::string link_group(const topology::Graph& graph, PortId port) {
  const topology::Port& p = graph.port(port);
  if (!p.to.valid()) return {};
  if (graph.is_host(p.node)) return "injection";
  if (graph.is_host(graph.port(p.to).node)) return "ejection";
  switch (p.role) {
    case topology::PortRole::up:
      return "up";
    case topology::PortRole::down:
      return "down";
    case topology::PortRole::horizontal:
      return "horizontal";
    case topology::PortRole::plain:
      break;
  }
  return "switch";
}

std::vector<PortId> links_by_name(const topology::Graph& graph) {
  std::vector<std::pair<std::string, PortId>> links;
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const PortId port(i);
    if (graph.port(port).to.valid()) links.emplace_back(graph.name(port), port);
  }
  std::sort(links.begin(), links.end());
  std::vector<PortId> ports;
  ports.reserve(links.size());
  for (const auto& [name, port] : links) ports.push_back(port);
  return ports;
}

LinkMonitor::LinkMonitor(const topology::Graph& graph, LinkMonitorSettings settings)
    : graph_(graph),
      settings_(std::move(settings)),
      links_(links_by_name(graph)),
      aimed_links_(graph, settings_.hot_aims),
      frames_(links_, settings_.frames),
      state_(graph.port_count()) {
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const PortId port(i);
    const std::string name = link_group(graph, port);
    if (name.empty()) continue;
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const GroupSeries& g) { return g.name == name; });
    if (group == groups_.end())
      group = groups_.insert(group, GroupSeries{name, {}, {}, {}, {}, {}});
    group->ports.push_back(port);
  }
  for (const HostId host : settings_.hot_destinations) {
    const PortId into = graph.port(graph.host_port(host)).from;
    if (into.valid()) hot_links_.push_back(into);
  }
  last_.ports.resize(graph.port_count());
}

void LinkMonitor::open_window(const NetworkSnapshot& now) {
  if (settings_.detect_warm_up || !openings_.empty()) return;
  openings_.push_back({now, std::vector<std::int64_t>(graph_.port_count(), 0)});
}

void LinkMonitor::count(const NetworkSnapshot& now) {
  if (now.at <= last_.at) return;
  has_series_ = false;
  open_window_if_due();
  times_.push_back(now.at);
  last_.at = now.at;
  last_.ports = now.ports;
}

void LinkMonitor::open_window_if_due() {
  const bool is_due = settings_.detect_warm_up ? times_.size() % samples_an_opening_ == 0
                                               : openings_.empty() && last_.at >= settings_.warm_up;
  if (!is_due) return;
  openings_.push_back({last_, std::vector<std::int64_t>(graph_.port_count(), 0)});
  constexpr std::size_t kMost = 32;
  if (openings_.size() <= kMost) return;
  // Every second one stays; the newest is one of them.
  for (std::size_t k = 0; 2 * k < openings_.size(); ++k) {
    if (k != 0) std::swap(openings_[k], openings_[2 * k]);
    if (2 * k + 1 == openings_.size()) break;
    for (std::size_t p = 0; p < openings_[k].queued_max.size(); ++p) {
      openings_[k].queued_max[p] =
          std::max(openings_[k].queued_max[p], openings_[2 * k + 1].queued_max[p]);
    }
  }
  openings_.resize(kMost / 2 + 1);
  samples_an_opening_ *= 2;
}

void LinkMonitor::choose_window(Time warm_up) {
  const auto first = std::find_if(openings_.begin(), openings_.end(), [&](const Opening& opening) {
    return opening.counters.at >= warm_up;
  });
  // Nothing was sampled in the window: totals from the beginning of the run.
  Opening chosen{{}, std::vector<std::int64_t>(graph_.port_count(), 0)};
  chosen.counters.ports.resize(graph_.port_count());
  if (first != openings_.end()) chosen.counters = first->counters;
  for (auto opening = first; opening != openings_.end(); ++opening) {
    for (std::size_t p = 0; p < chosen.queued_max.size(); ++p) {
      chosen.queued_max[p] = std::max(chosen.queued_max[p], opening->queued_max[p]);
    }
  }
  openings_.clear();
  openings_.push_back(std::move(chosen));
  settings_.warm_up = warm_up;
}

const std::vector<PortState>& LinkMonitor::sample(const NetworkSnapshot& now) {
  if (!begin_sample(now)) return state_;  // the sample at the end may fall on a regular one
  for (std::size_t i = 0; i < state_.size(); ++i) find_state(now, i);
  sum_up(now, 0, 1);
  end_sample(now);
  return state_;
}

bool LinkMonitor::begin_sample(const NetworkSnapshot& now) {
  const Time period = now.at - last_.at;
  if (period.count <= 0) return false;
  if (times_.empty()) period_ = period;
  open_window_if_due();
  frames_.begin(now.at, period, now.has_isolation);
  return true;
}

void LinkMonitor::find_states(const NetworkSnapshot& now, std::span<const std::uint32_t> ports) {
  for (const std::uint32_t port : ports) find_state(now, port);
}

void LinkMonitor::find_state(const NetworkSnapshot& now, std::size_t i) {
  const PortCounters& before = last_.ports[i];
  const PortCounters& after = now.ports[i];
  const PortId to = graph_.port(PortId(i)).to;
  if (to.valid()) {
    const std::int64_t period = (now.at - last_.at).count;
    state_[i] = {share(after.busy - before.busy, period), share(after.wait - before.wait, period),
                 after.queued, after.set_aside_egress + now.ports[to.index()].set_aside_ingress};
    if (!openings_.empty()) {
      std::int64_t& largest = openings_.back().queued_max[i];
      largest = std::max(largest, after.queued);
    }
  }
  last_.ports[i] = after;
}

void LinkMonitor::sum_up(const NetworkSnapshot& now, std::size_t which, std::size_t shares) {
  frames_.add_links(state_, links_.size() * which / shares, links_.size() * (which + 1) / shares);
  // The sum of a group depends on its order in the last bit: a group is summed up as a whole.
  for (std::size_t g = which; g < groups_.size(); g += shares) sample_group(groups_[g]);
  if (which == shares - 1) sample_buffers(now);
}

void LinkMonitor::end_sample(const NetworkSnapshot& now) {
  frames_.end();
  sample_hot_links();
  aimed_links_.sample(last_.at, now.at, state_);
  keep_history(now);
  times_.push_back(now.at);
  last_.at = now.at;
}

void LinkMonitor::sample_group(GroupSeries& group) {
  PortState sum;
  PortState top;
  for (const PortId p : group.ports) {
    const PortState& s = state_[p.index()];
    sum.utilization += s.utilization;
    sum.wait += s.wait;
    top.utilization = std::max(top.utilization, s.utilization);
    top.wait = std::max(top.wait, s.wait);
  }
  const auto n = static_cast<double>(group.ports.size());
  group.utilization_mean.push_back(sum.utilization / n);
  group.utilization_max.push_back(top.utilization);
  group.wait_mean.push_back(sum.wait / n);
  group.wait_max.push_back(top.wait);
}

void LinkMonitor::sample_hot_links() {
  if (hot_links_.empty()) return;
  double hot = 0;
  double queued = 0;
  for (const PortId p : hot_links_) {
    hot += state_[p.index()].utilization;
    queued += static_cast<double>(state_[p.index()].queued);
  }
  hot_utilization_.push_back(hot / static_cast<double>(hot_links_.size()));
  hot_queued_.push_back(queued / static_cast<double>(hot_links_.size()));
}

namespace {

/// Filled shares of many buffers.
class Filled {
 public:
  void add(std::int64_t bytes, std::int64_t capacity) {
    if (capacity <= 0) return;
    const double part = share(bytes, capacity);
    sum_ += part;
    fullest_ = std::max(fullest_, part);
    ++buffers_;
    if (bytes > 0) ++used_;
  }
  [[nodiscard]] bool any() const { return buffers_ > 0; }
  /// Of those that hold something.
  [[nodiscard]] double mean_of_used() const {
    return used_ == 0 ? 0.0 : sum_ / static_cast<double>(used_);
  }
  [[nodiscard]] double fullest() const { return fullest_; }

 private:
  double sum_ = 0;
  double fullest_ = 0;
  std::size_t buffers_ = 0;
  std::size_t used_ = 0;
};

}  // namespace

void LinkMonitor::sample_buffers(const NetworkSnapshot& now) {
  double queued = 0;
  Filled ingress;
  Filled egress;
  for (std::size_t i = 0; i < now.ports.size(); ++i) {
    const PortCounters& p = now.ports[i];
    if (graph_.is_host(graph_.port(PortId(i)).node)) continue;
    queued += static_cast<double>(p.queued);
    ingress.add(p.occupancy, p.capacity);
    egress.add(p.egress, p.egress_capacity);
  }
  queued_.push_back(queued);
  occupancy_max_.push_back(ingress.fullest());
  occupancy_used_.push_back(ingress.mean_of_used());
  if (!egress.any()) return;
  egress_max_.push_back(egress.fullest());
  egress_used_.push_back(egress.mean_of_used());
}

void LinkMonitor::keep_history(const NetworkSnapshot& now) {
  if (!settings_.has_link_series || history_given_up_) return;
  if (history_.size() * 4 + links_.size() * 4 > settings_.max_history) {
    history_given_up_ = true;
    history_ = {};
    return;
  }
  for (const PortId p : links_) {
    const PortState& s = state_[p.index()];
    history_.push_back({static_cast<float>(s.utilization), static_cast<float>(s.wait),
                        static_cast<float>(s.queued),
                        static_cast<float>(now.ports[p.index()].egress)});
  }
}

LinkMonitor::WindowTotals LinkMonitor::window(PortId port) const {
  const NetworkSnapshot& start = openings_.front().counters;
  const PortCounters& first = start.ports[port.index()];
  const PortCounters& end = last_.ports[port.index()];
  const std::int64_t length = (last_.at - start.at).count;
  return {share(end.busy - first.busy, length), share(end.wait - first.wait, length),
          end.bytes - first.bytes, end.packets - first.packets};
}

std::vector<PortId> LinkMonitor::ports_to_show() const {
  std::vector<PortId> ports = links_;
  if (ports.size() <= settings_.all_ports_up_to) return ports;
  std::stable_sort(ports.begin(), ports.end(),
                   [this](PortId a, PortId b) { return window(a).wait > window(b).wait; });
  ports.resize(std::min(ports.size(), settings_.top_ports));
  return ports;
}

void LinkMonitor::add_series(RunResult& result, std::string_view metric, std::string_view label,
                             std::vector<double> values, Reading reading) const {
  result.add_series(metric, label, times_.front() - period_, period_, std::move(values), reading);
}

void LinkMonitor::report_groups(RunResult& result) const {
  for (const GroupSeries& group : groups_) {
    WindowTotals sum;
    WindowTotals top;
    for (const PortId p : group.ports) {
      const WindowTotals w = window(p);
      sum.utilization += w.utilization;
      sum.wait += w.wait;
      top.utilization = std::max(top.utilization, w.utilization);
      top.wait = std::max(top.wait, w.wait);
    }
    const auto n = static_cast<double>(group.ports.size());
    result.add_scalar("link_utilization_mean", group.name, sum.utilization / n);
    result.add_scalar("link_utilization_max", group.name, top.utilization);
    result.add_scalar("link_wait_mean", group.name, sum.wait / n);
    result.add_scalar("link_wait_max", group.name, top.wait);
    if (!has_series_) continue;
    add_series(result, "link_utilization_mean", group.name, group.utilization_mean);
    add_series(result, "link_utilization_max", group.name, group.utilization_max);
    add_series(result, "link_wait_mean", group.name, group.wait_mean);
    add_series(result, "link_wait_max", group.name, group.wait_max);
  }
  if (hot_links_.empty()) return;
  double hot = 0;
  for (const PortId p : hot_links_) hot += window(p).utilization;
  result.add_scalar("hot_link_utilization", "", hot / static_cast<double>(hot_links_.size()));
  if (!has_series_) return;
  add_series(result, "hot_link_utilization", "", hot_utilization_);
  if (!aimed_links_.any()) return;
  result.add_scalar("hot_link_utilization", "aimed", aimed_links_.mean(settings_.warm_up));
  add_series(result, "hot_link_utilization", "aimed", aimed_links_.series());
}

void LinkMonitor::report_links(RunResult& result) const {
  for (const PortId p : links_) {
    const WindowTotals w = window(p);
    result.links.push_back({graph_.name(p), link_group(graph_, p), w.utilization, w.wait, w.bytes,
                            w.packets, openings_.front().queued_max[p.index()]});
  }
  if (!settings_.has_link_series) return;
  if (history_given_up_) {
    result.notes.emplace_back(
        "series of single links would need too much memory and were given up");
    return;
  }
  std::vector<std::size_t> position(graph_.port_count(), 0);
  for (std::size_t i = 0; i < links_.size(); ++i) position[links_[i].index()] = i;
  for (const PortId p : ports_to_show()) {
    std::vector<double> utilization;
    std::vector<double> wait;
    std::vector<double> queued;
    std::vector<double> egress;
    for (std::size_t k = 0; k < times_.size(); ++k) {
      const Point& point = history_[k * links_.size() + position[p.index()]];
      utilization.push_back(point.utilization);
      wait.push_back(point.wait);
      queued.push_back(point.queued);
      egress.push_back(point.egress);
    }
    const std::string name = graph_.name(p);
    add_series(result, "link_utilization", name, std::move(utilization));
    add_series(result, "link_wait", name, std::move(wait));
    add_series(result, "link_queued", name, std::move(queued), Reading::sampled);
    if (!egress_max_.empty() && !graph_.is_host(graph_.port(p).node)) {
      add_series(result, "egress_queued", name, std::move(egress), Reading::sampled);
    }
  }
}

void LinkMonitor::report_queued(RunResult& result) const {
  const auto measured = [this](const std::vector<double>& values) {
    std::vector<double> kept;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (times_[k] > settings_.warm_up) kept.push_back(values[k]);
    }
    return kept;
  };
  const auto largest = [](const std::vector<double>& v) {
    return *std::max_element(v.begin(), v.end());
  };
  if (const std::vector<double> kept = measured(queued_); !kept.empty()) {
    const auto add = [&](std::string_view metric, double value) {
      result.add_scalar(metric, "", value, Reading::sampled);
    };
    add("queued_max", largest(kept));
    if (!hot_links_.empty()) {
      const std::vector<double> hot = measured(hot_queued_);
      add("hot_link_queued", mean_of(hot));
      add("hot_link_queued_max", largest(hot));
    }
    add("buffer_occupancy_max", largest(measured(occupancy_max_)));
    add("buffer_occupancy_used", mean_of(measured(occupancy_used_)));
    if (!egress_max_.empty()) {
      add("egress_occupancy_used", mean_of(measured(egress_used_)));
      add("egress_occupancy_max", largest(measured(egress_max_)));
    }
  }
  if (!hot_links_.empty()) add_series(result, "hot_link_queued", "", hot_queued_, Reading::sampled);
  add_series(result, "buffer_occupancy_max", "", occupancy_max_, Reading::sampled);
  if (egress_max_.empty()) return;
  add_series(result, "egress_occupancy_max", "", egress_max_, Reading::sampled);
}

void LinkMonitor::report(RunResult& result, Time warm_up) {
  if (times_.empty()) return;
  choose_window(warm_up);
  report_groups(result);
  if (!has_series_) return;
  result.frames = frames_.finish();
  report_links(result);
  report_queued(result);
}

}  // namespace weir::metrics

#include "weir/metrics/link_monitor.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "weir/fabric/fabric.hpp"

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
      places_(graph.port_count()),
      state_(graph.port_count()) {
  for (std::size_t i = 0; i < graph.port_count(); ++i) {
    const PortId port(i);
    const topology::Port& p = graph.port(port);
    places_[i].is_switch = !graph.is_host(p.node);
    const std::string name = link_group(graph, port);
    if (name.empty()) continue;
    places_[i].to = p.to.value;
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const GroupSeries& g) { return g.name == name; });
    if (group == groups_.end())
      group = groups_.insert(group, GroupSeries{name, {}, {}, {}, {}, {}});
    group->ports.push_back(port);
    places_[i].group = static_cast<std::uint8_t>(group - groups_.begin());
  }
  if (groups_.size() > LinkSums::kMostGroups)
    throw std::logic_error("links are of more groups than samples add up");
  for (std::size_t k = 0; k < links_.size(); ++k)
    places_[links_[k].index()].link = static_cast<std::uint32_t>(k);
  for (const HostId host : settings_.hot_destinations) {
    const PortId into = graph.port(graph.host_port(host)).from;
    if (into.valid()) hot_links_.push_back(into);
  }
  watched_ = hot_links_;
  for (const PortId port : aimed_links_.ports()) watched_.push_back(port);
  last_.ports.resize(graph.port_count());
}

void LinkMonitor::open_window(const NetworkCounters& now) {
  if (settings_.detect_warm_up || !openings_.empty()) return;
  openings_.push_back({now, std::vector<std::int64_t>(graph_.port_count(), 0)});
}

void LinkMonitor::count(const NetworkCounters& now) {
  if (now.at <= last_.at) return;
  has_series_ = false;
  open_window_if_due();
  times_.push_back(now.at);
  last_ = now;
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
  std::vector<std::uint32_t> all(state_.size());
  std::iota(all.begin(), all.end(), 0U);
  LinkSums sums;
  sample_ports(now, all, sums);
  end_sample(now, sums);
  return state_;
}

bool LinkMonitor::begin_sample(const NetworkSnapshot& now) {
  const Time period = now.counters.at - last_.at;
  if (period.count <= 0) return false;
  if (times_.empty()) period_ = period;
  open_window_if_due();
  frames_.begin(now.counters.at, period, !now.set_aside.empty());
  return true;
}

void LinkMonitor::sample_ports(const NetworkSnapshot& now, std::span<const std::uint32_t> ports,
                               LinkSums& sums) {
  const std::int64_t period = (now.counters.at - last_.at).count;
  for (const std::uint32_t i : ports) {
    const Place& place = places_[i];
    const PortBuffers& buffers = now.buffers[i];
    if (place.is_switch) {
      sums.queued += buffers.queued;
      sums.ingress.add(std::min(buffers.ingress, now.ingress_capacity));
      sums.egress.add(std::min(buffers.egress, now.egress_capacity));
    }
    PortCounters& before = last_.ports[i];
    const PortCounters& after = now.counters.ports[i];
    if (place.link != UINT32_MAX) {
      const std::int64_t busy = std::clamp<std::int64_t>(after.busy - before.busy, 0, period);
      const std::int64_t wait = std::clamp<std::int64_t>(after.wait - before.wait, 0, period);
      sums.groups[place.group].add(busy, wait);
      const std::uint32_t set_aside =
          now.set_aside.empty() ? 0 : now.set_aside[i].egress + now.set_aside[place.to].ingress;
      state_[i] = {share(busy, period), share(wait, period), buffers.queued, set_aside};
      frames_.add_link(place.link, state_[i]);
      if (!openings_.empty()) {
        std::int64_t& largest = openings_.back().queued_max[i];
        largest = std::max(largest, buffers.queued);
      }
    }
    before = after;
  }
}

void LinkMonitor::end_sample(const NetworkSnapshot& now, const LinkSums& sums) {
  frames_.end();
  add_groups(now.counters.at - last_.at, sums);
  add_buffers(now, sums);
  sample_hot_links();
  aimed_links_.sample(last_.at, now.counters.at, state_);
  keep_history(now);
  last_.at = now.counters.at;
  times_.push_back(last_.at);
}

void LinkMonitor::add_groups(Time period, const LinkSums& sums) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    GroupSeries& group = groups_[g];
    const LinkSums::Group& sum = sums.groups[g];
    const auto whole = static_cast<double>(period.count);
    const double of_all = whole * static_cast<double>(group.ports.size());
    group.utilization_mean.push_back(static_cast<double>(sum.busy) / of_all);
    group.utilization_max.push_back(static_cast<double>(sum.busy_max) / whole);
    group.wait_mean.push_back(static_cast<double>(sum.wait) / of_all);
    group.wait_max.push_back(static_cast<double>(sum.wait_max) / whole);
  }
}

void LinkMonitor::add_buffers(const NetworkSnapshot& now, const LinkSums& sums) {
  queued_.push_back(static_cast<double>(sums.queued));
  occupancy_max_.push_back(sums.ingress.fullest_share(now.ingress_capacity));
  occupancy_used_.push_back(sums.ingress.used_share(now.ingress_capacity));
  if (now.egress_capacity <= 0) return;
  egress_max_.push_back(sums.egress.fullest_share(now.egress_capacity));
  egress_used_.push_back(sums.egress.used_share(now.egress_capacity));
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
                        static_cast<float>(now.buffers[p.index()].egress)});
  }
}

LinkMonitor::WindowTotals LinkMonitor::window(PortId port) const {
  const NetworkCounters& start = openings_.front().counters;
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

void LinkMonitor::complete(const fabric::Fabric& fabric) {
  if (fabric.ranks() == nullptr) return;
  fabric.share(last_.ports);
  for (Opening& opening : openings_) {
    fabric.share(opening.counters.ports);
    fabric.share(opening.queued_max);
  }
  const auto share_links = [&]<class Value>(std::span<Value> of_links) {
    if (of_links.empty()) return;
    std::vector<Value> of_ports(graph_.port_count());
    for (std::size_t k = 0; k < of_links.size(); ++k) of_ports[links_[k].index()] = of_links[k];
    fabric.share(of_ports);
    for (std::size_t k = 0; k < of_links.size(); ++k) of_links[k] = of_ports[links_[k].index()];
  };
  frames_.complete(share_links);
  for (std::size_t row = 0; row * links_.size() < history_.size(); ++row)
    share_links(std::span(history_).subspan(row * links_.size(), links_.size()));
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

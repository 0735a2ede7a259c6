#include "weir/rates/progressive_filling.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <utility>

namespace weir::rates {
namespace {

class Filling {
 public:
  Filling(const FlowSet& set, const FlowGroups& groups)
      : set_(set), groups_(groups), by_link_(set), links_(set.link_count()) {
    out_.level.assign(set.flow_count(), kGrowing);
    out_.bottleneck.resize(set.flow_count());
    for (std::size_t l = 0; l < links_.size(); ++l)
      links_[l].rest = FractionSum(set.capacity(LinkId(l)));
    for (std::size_t f = 0; f < set.flow_count(); ++f) {
      const Fraction weight = set.weight(FlowId(f));
      for (const LinkId l : set.path(FlowId(f))) {
        links_[l.index()].weight.add(weight);
        ++links_[l.index()].growing;
      }
    }
  }

  Assignment run() {
    std::vector<Entry> entries;
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (links_[l].growing > 0)
        entries.emplace_back(level_of(links_[l]), static_cast<std::uint32_t>(l));
    }
    Heap heap(std::greater<>(), std::move(entries));
    while (!heap.empty()) {
      const auto [level, l] = heap.top();
      heap.pop();
      const Link& link = links_[l];
      if (link.growing == 0) continue;
      const double now = level_of(link);
      if (now > level) {
        heap.emplace(now, l);
      } else {
        saturate(LinkId(l));
      }
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kGrowing = UINT32_MAX;

  struct Link {
    FractionSum rest;           ///< capacity that flows which have stopped leave
    FractionSum weight;         ///< of growing flows
    std::uint32_t growing = 0;  ///< flows
  };
  using Entry = std::pair<double, std::uint32_t>;
  using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  static double level_of(const Link& link) { return link.rest.value() / link.weight.value(); }

  /// Number of the level at which this link, the lowest one, saturates.
  std::uint32_t reach(const Link& link) {
    const Fraction weight = link.weight.total();
    double level = level_of(link);
    for (std::size_t i = out_.levels.size(); i-- > 0;) {
      if (out_.levels[i].value() < level * (1 - kWindow)) break;
      if (link.rest == out_.levels[i] * weight) return static_cast<std::uint32_t>(i);
    }
    Fraction reached = link.rest.total() / weight;
    // Levels rise; what rounding makes of nearly equal ones must not say otherwise.
    if (!out_.levels.empty()) {
      level = std::max(reached.value(), out_.levels.back().value());
      reached = reached.adjusted(level - reached.value());
    }
    out_.levels.push_back(reached);
    return static_cast<std::uint32_t>(out_.levels.size() - 1);
  }

  void saturate(LinkId l) {
    const std::uint32_t level = reach(links_[l.index()]);
    for (const FlowId f : by_link_[l]) {
      if (out_.level[f.index()] != kGrowing) continue;
      if (groups_.of.empty()) {
        stop(f, level, l);
        continue;
      }
      const std::uint32_t group = groups_.of[f.index()];
      for (std::uint64_t i = groups_.first[group]; i < groups_.first[group + 1]; ++i) {
        stop(groups_.flows[i], level, l);
      }
    }
  }

  void stop(FlowId f, std::uint32_t level, LinkId bottleneck) {
    out_.level[f.index()] = level;
    out_.bottleneck[f.index()] = bottleneck;
    const Fraction weight = set_.weight(f);
    const Fraction rate = out_.rate(set_, f);
    for (const LinkId l : set_.path(f)) {
      Link& link = links_[l.index()];
      link.rest.subtract(rate);
      link.weight.subtract(weight);
      --link.growing;
    }
  }

  static constexpr double kWindow = 1e-9;

  const FlowSet& set_;
  const FlowGroups& groups_;
  FlowsByLink by_link_;
  std::vector<Link> links_;
  Assignment out_;
};

}  // namespace

FlowGroups application_groups(const FlowSet& set) {
  FlowGroups groups;
  groups.first.resize(set.application_count() + 1);
  groups.of.reserve(set.flow_count());
  groups.flows.resize(set.flow_count());
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    groups.of.push_back(set.application(FlowId(f)).value);
    ++groups.first[groups.of.back() + 1];
  }
  for (std::size_t a = 0; a < set.application_count(); ++a) groups.first[a + 1] += groups.first[a];
  std::vector<std::uint64_t> next(groups.first.begin(), groups.first.end() - 1);
  for (std::size_t f = 0; f < set.flow_count(); ++f) groups.flows[next[groups.of[f]]++] = FlowId(f);
  return groups;
}

Assignment fill_progressively(const FlowSet& set, const FlowGroups& groups) {
  return Filling(set, groups).run();
}

}  // namespace weir::rates

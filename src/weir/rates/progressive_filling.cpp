#include "weir/rates/progressive_filling.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <utility>

#include "weir/base/prefetch.hpp"

namespace weir::rates {
namespace {

class Filling {
 public:
  Filling(const FlowSet& set, const FlowGroups& groups)
      : set_(set),
        groups_(groups),
        by_link_(set),
        links_(set.link_count()),
        has_stopped_(set.flow_count()) {
    out_.level.resize(set.flow_count());
    out_.bottleneck.resize(set.flow_count());
    if (set.is_weighted()) weights_.resize(links_.size());
    for (std::size_t l = 0; l < links_.size(); ++l)
      links_[l].rest = FractionSum(set.capacity(LinkId(l)));
    for (std::size_t f = 0; f < set.flow_count(); ++f) {
      for (const LinkId l : set.path(FlowId(f))) ++links_[l.index()].growing;
      if (!set.is_weighted()) continue;
      const Fraction weight = set.weight(FlowId(f));
      for (const LinkId l : set.path(FlowId(f))) weights_[l.index()].add(weight);
    }
  }

  Assignment run() {
    std::vector<Entry> entries;
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (links_[l].growing > 0) entries.emplace_back(level_of(l), static_cast<std::uint32_t>(l));
    }
    Heap heap(std::greater<>(), std::move(entries));
    while (!heap.empty()) {
      const auto [level, l] = heap.top();
      heap.pop();
      if (links_[l].growing == 0) continue;
      const double now = level_of(l);
      if (now > level) {
        heap.emplace(now, l);
      } else {
        saturate(LinkId(l));
      }
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kAhead = 6;

  struct Link {
    FractionSum rest;           ///< capacity that flows which have stopped leave
    std::uint32_t growing = 0;  ///< flows
  };
  using Entry = std::pair<double, std::uint32_t>;
  using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  /// Of the growing flows of a link.
  [[nodiscard]] Fraction weight_of(std::size_t l) const {
    return set_.is_weighted() ? weights_[l].total() : Fraction(links_[l].growing);
  }
  [[nodiscard]] double level_of(std::size_t l) const {
    return links_[l].rest.value() / (set_.is_weighted() ? weights_[l].value() : links_[l].growing);
  }

  /// Number of the level at which this link, the lowest one, saturates.
  std::uint32_t reach(std::size_t l) {
    const Link& link = links_[l];
    const Fraction weight = weight_of(l);
    double level = level_of(l);
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
    const std::uint32_t level = reach(l.index());
    stopping_.clear();
    for (const FlowId f : by_link_[l]) {
      if (!has_stopped_[f.index()]) collect(f);
    }
    for (std::size_t i = 0; i < stopping_.size(); ++i) {
      // Neither flows nor paths of a large set are in a cache: they are asked for in two steps.
      if (i + 2 * kAhead < stopping_.size()) prefetch(stopping_[i + 2 * kAhead]);
      if (i + kAhead < stopping_.size()) weir::prefetch(set_.path(stopping_[i + kAhead]).data());
      stop(stopping_[i], level, l);
    }
  }

  /// The flow, or all of its group.
  void collect(FlowId f) {
    if (groups_.of.empty()) {
      has_stopped_[f.index()] = true;
      stopping_.push_back(f);
      return;
    }
    const std::uint32_t group = groups_.of[f.index()];
    for (std::uint64_t i = groups_.first[group]; i < groups_.first[group + 1]; ++i) {
      has_stopped_[groups_.flows[i].index()] = true;
      stopping_.push_back(groups_.flows[i]);
    }
  }

  void prefetch(FlowId f) {
    set_.prefetch(f);
    weir::prefetch(&out_.level[f.index()]);
    weir::prefetch(&out_.bottleneck[f.index()]);
  }

  void stop(FlowId f, std::uint32_t level, LinkId bottleneck) {
    out_.level[f.index()] = level;
    out_.bottleneck[f.index()] = bottleneck;
    const Fraction rate = out_.rate(set_, f);
    for (const LinkId l : set_.path(f)) {
      links_[l.index()].rest.subtract(rate);
      --links_[l.index()].growing;
    }
    if (!set_.is_weighted()) return;
    const Fraction weight = set_.weight(f);
    for (const LinkId l : set_.path(f)) weights_[l.index()].subtract(weight);
  }

  static constexpr double kWindow = 1e-9;

  const FlowSet& set_;
  const FlowGroups& groups_;
  FlowsByLink by_link_;
  std::vector<Link> links_;
  std::vector<FractionSum> weights_;  ///< per link: of growing flows; empty: their number
  std::vector<bool> has_stopped_;     ///< per flow
  std::vector<FlowId> stopping_;
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

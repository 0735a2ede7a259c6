#include <limits>
#include <utility>

#include "weir/rates/algorithm.hpp"
#include "weir/rates/link_aggregates.hpp"
#include "weir/rates/progressive_filling.hpp"

namespace weir::rates {
namespace {

/// Alg. 4.12: all active applications grow together until a link is full; its applications stop.
class ApplicationFilling {
 public:
  explicit ApplicationFilling(const FlowSet& set)
      : set_(set),
        aggregates_(set),
        links_(aggregates_.links().size()),
        level_(set.application_count(), kActive),
        bottleneck_(set.application_count()) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      links_[i].rest = FractionSum(set.capacity(aggregates_.links()[i]));
      add_up(i);
    }
  }

  Assignment run() {
    FractionSum cumulated;
    while (const Link* lowest = find_lowest()) {
      const Fraction step = lowest->rest.total() / lowest->weight;
      cumulated.add(step);
      levels_.push_back(cumulated.total());
      for (Link& link : links_) {
        if (!link.weight.is_zero()) link.rest.subtract(step * link.weight);
      }
      stop_full_links();
    }
    return by_flow();
  }

 private:
  static constexpr std::uint32_t kActive = UINT32_MAX;

  struct Link {
    FractionSum rest;  ///< c_l
    Fraction weight;   ///< W_l of active applications
  };

  /// W_l anew rather than by subtraction: sums of few terms stay as precise as they began.
  void add_up(std::size_t i) {
    FractionSum weight;
    for (const ApplicationShare& share : aggregates_.shares(i)) {
      if (level_[share.application.index()] == kActive) weight.add(share.weight);
    }
    links_[i].weight = weight.total();
  }

  [[nodiscard]] const Link* find_lowest() const {
    const Link* lowest = nullptr;
    double step = std::numeric_limits<double>::infinity();
    for (const Link& link : links_) {
      if (link.weight.is_zero()) continue;
      const double here = link.rest.value() / link.weight.value();
      if (here < step) {
        step = here;
        lowest = &link;
      }
    }
    return lowest;
  }

  void stop_full_links() {
    const auto now = static_cast<std::uint32_t>(levels_.size() - 1);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i].weight.is_zero() || !links_[i].rest.is_zero()) continue;
      for (const ApplicationShare& share : aggregates_.shares(i)) {
        std::uint32_t& level = level_[share.application.index()];
        if (level != kActive) continue;
        level = now;
        bottleneck_[share.application.index()] = aggregates_.links()[i];
      }
    }
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (!links_[i].weight.is_zero()) add_up(i);
    }
  }

  Assignment by_flow() {
    Assignment out;
    out.levels = std::move(levels_);
    out.level.reserve(set_.flow_count());
    out.bottleneck.reserve(set_.flow_count());
    for (std::size_t f = 0; f < set_.flow_count(); ++f) {
      const std::size_t a = set_.application(FlowId(f)).index();
      out.level.push_back(level_[a]);
      out.bottleneck.push_back(bottleneck_[a]);
    }
    return out;
  }

  const FlowSet& set_;
  LinkAggregates aggregates_;
  std::vector<Link> links_;
  std::vector<Fraction> levels_;
  std::vector<std::uint32_t> level_;  ///< per application
  std::vector<LinkId> bottleneck_;    ///< per application
};

}  // namespace

Assignment afa(const FlowSet& set) { return ApplicationFilling(set).run(); }

Assignment afa_by_flows(const FlowSet& set) {
  return fill_progressively(set, application_groups(set));
}

namespace {

const Registration<Algorithm> by_links(
    algorithm_registry(),
    {"afa", "max-min fair applications, by links' sums", "zdornov2009, section 4.3.2", {}},
    {[](const FlowSet& set, std::uint64_t) { return afa(set); }, Promise::max_min_applications});

const Registration<Algorithm> by_flows(
    algorithm_registry(),
    {"afa-by-flows",
     "max-min fair applications: ffa that stops an application with its first flow",
     "zdornov2009, section 4.3.2",
     {}},
    {[](const FlowSet& set, std::uint64_t) { return afa_by_flows(set); },
     Promise::max_min_applications});

}  // namespace

}  // namespace weir::rates

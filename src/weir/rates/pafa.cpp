#include <optional>
#include <utility>

#include "weir/rates/algorithm.hpp"
#include "weir/rates/link_aggregates.hpp"

namespace weir::rates {
namespace {

using Applications = std::vector<bool>;

/// The worker of one link (zdornov2009, section 4.3.2): O(applications) of state, and no other
/// link's.
class Worker {
 public:
  Worker(const Fraction& capacity, std::span<const ApplicationShare> shares, std::size_t all)
      : rest_(capacity), weight_of_(all), present_(all) {
    for (const ApplicationShare& share : shares) {
      weight_of_[share.application.index()] = share.weight;
      present_[share.application.index()] = true;
    }
  }

  /// Rate collection: forgets the applications that have stopped and answers δ_l, or nothing for
  /// infinity.
  std::optional<Fraction> collect(const Applications& stopped) {
    FractionSum weight;
    for (std::size_t a = 0; a < present_.size(); ++a) {
      if (stopped[a]) present_[a] = false;
      if (present_[a]) weight.add(weight_of_[a]);
    }
    weight_ = weight.total();
    if (weight_.is_zero()) return std::nullopt;
    return rest_.total() / weight_;
  }

  /// Rate distribution: gives `step` to its applications and answers which of them stop here.
  Applications distribute(const Fraction& step) {
    if (!weight_.is_zero()) rest_.subtract(step * weight_);
    return rest_.is_zero() ? present_ : Applications(present_.size());
  }

 private:
  FractionSum rest_;
  Fraction weight_;
  std::vector<Fraction> weight_of_;
  Applications present_;
};

}  // namespace

Assignment pafa(const FlowSet& set) {
  const LinkAggregates aggregates(set);
  const std::size_t applications = set.application_count();
  std::vector<Worker> workers;
  for (std::size_t i = 0; i < aggregates.links().size(); ++i) {
    workers.emplace_back(set.capacity(aggregates.links()[i]), aggregates.shares(i), applications);
  }
  std::vector<Fraction> rate(applications);
  std::vector<LinkId> bottleneck(applications);
  FractionSum cumulated;
  Applications stopped(applications);
  while (true) {
    std::optional<Fraction> step;
    for (Worker& worker : workers) {
      const std::optional<Fraction> here = worker.collect(stopped);
      if (here && (!step || *here < *step)) step = here;
    }
    if (!step) break;
    cumulated.add(*step);
    stopped.assign(applications, false);
    for (std::size_t i = 0; i < workers.size(); ++i) {
      const Applications full = workers[i].distribute(*step);
      for (std::size_t a = 0; a < applications; ++a) {
        if (!full[a] || stopped[a]) continue;
        stopped[a] = true;
        rate[a] = cumulated.total();
        bottleneck[a] = aggregates.links()[i];
      }
    }
  }
  std::vector<Fraction> normalized;
  std::vector<LinkId> of_flow;
  for (std::size_t f = 0; f < set.flow_count(); ++f) {
    normalized.push_back(rate[set.application(FlowId(f)).index()]);
    of_flow.push_back(bottleneck[set.application(FlowId(f)).index()]);
  }
  return make_assignment(normalized, std::move(of_flow));
}

namespace {

const Registration<Algorithm> kPafaAlgorithm(
    algorithm_registry(),
    {"pafa",
     "max-min fair applications as a leader and a worker per link find them, to check afa with",
     "zdornov2009, section 4.3.2",
     {}},
    {[](const FlowSet& set, std::uint64_t) { return pafa(set); }, Promise::max_min_applications});

}  // namespace

}  // namespace weir::rates

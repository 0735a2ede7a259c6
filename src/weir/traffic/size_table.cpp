#include "weir/traffic/size_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::traffic {

SizeTable::SizeTable(std::vector<Outcome> outcomes) : SizeDistribution(std::move(outcomes)) {
  double sum = 0;
  for (const Outcome& outcome : this->outcomes()) {
    sum += outcome.probability;
    cumulative_.push_back(sum);
  }
  cumulative_.back() = 1;
}

std::vector<SizeDistribution::Outcome> SizeTable::interpolate(const std::vector<SizePoint>& points,
                                                              double scale) {
  const auto size_at = [&](const SizePoint& point) {
    return Bytes(std::max<std::int64_t>(1, std::llround(point.bytes * scale)));
  };
  std::vector<Outcome> outcomes;
  const SizePoint& first = points.front();
  if (first.share > 0) outcomes.push_back({size_at(first), first.share});
  Bytes below = first.bytes > 0 ? size_at(first) : Bytes(0);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Bytes size = size_at(points[i]);
    const double share = points[i].share - points[i - 1].share;
    if (share > 0) outcomes.push_back({size, share, std::min(below + Bytes(1), size)});
    below = size;
  }
  return outcomes;
}

Bytes SizeTable::draw(RandomStream& random) const {
  const double drawn = random.unit();
  const auto it = std::upper_bound(cumulative_.begin(), cumulative_.end(), drawn);
  const Outcome& outcome = outcomes()[static_cast<std::size_t>(it - cumulative_.begin())];
  const std::int64_t more = outcome.size.count - outcome.smallest.count;
  if (more == 0) return outcome.size;
  const double below = it == cumulative_.begin() ? 0 : *(it - 1);
  const double within = (drawn - below) / (*it - below);
  return outcome.smallest +
         Bytes(std::min(more, static_cast<std::int64_t>(within * static_cast<double>(more + 1))));
}

}  // namespace weir::traffic

#include <algorithm>

#include "weir/topology/lengths/range.hpp"

namespace weir::topology {
namespace {

class List final : public LengthDistribution {
 public:
  List(std::vector<double> metres, std::vector<double> shares)
      : LengthDistribution(*std::min_element(metres.begin(), metres.end())),
        metres_(std::move(metres)),
        shares_(std::move(shares)) {
    for (const double share : shares_) sum_ += share;
  }

  [[nodiscard]] double draw(RandomStream& random) const override {
    double rest = random.unit() * sum_;
    std::size_t i = 0;
    while (i + 1 < shares_.size() && rest >= shares_[i]) rest -= shares_[i++];
    while (shares_[i] == 0) --i;  // where rounding ran past the last that is possible
    return metres_[i];
  }

 private:
  std::vector<double> metres_;
  std::vector<double> shares_;
  double sum_ = 0;
};

std::vector<double> shares_of(const Settings& settings, std::size_t count) {
  if (!settings.has("shares")) return std::vector<double>(count, 1.0);
  std::vector<double> shares = settings.reals("shares");
  if (shares.size() != count) {
    throw settings.error("shares", fmt::format("has {} entries for {} lengths; one each, please",
                                               shares.size(), count));
  }
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1e9)) {
      throw settings.error("shares", fmt::format("{} is not between 0 and 10^9", share));
    }
  }
  if (!(shares.front() > 0)) throw settings.error("shares", "the first must be more than 0");
  return shares;
}

const LengthRegistration kList(
    length_registry(),
    {"list",
     "One of a few lengths, as cables are sold",
     "weir2026, docs/architecture.md",
     {Parameter::of(ParameterType::reals, "metres", "lengths in metres").required(),
      Parameter::of(ParameterType::reals, "shares",
                    "share of the cables of each length, in any unit (default: all the same)")}},
    [](const Settings& settings) {
      const std::vector<double> metres = settings.reals("metres");
      if (metres.empty()) throw settings.error("metres", "must name at least one length");
      for (const double one : metres) {
        if (!(one >= kShortestCable && one <= kLongestCable)) {
          throw settings.error("metres", fmt::format("{} m is not between {} and {} m", one,
                                                     kShortestCable, kLongestCable));
        }
      }
      return std::make_shared<List>(metres, shares_of(settings, metres.size()));
    });

}  // namespace
}  // namespace weir::topology

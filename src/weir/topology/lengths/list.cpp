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

struct ListedLengths {
  std::vector<double> metres;
  std::optional<std::vector<double>> shares;
};

std::vector<double> shares_of(const Checked<ListedLengths>& lengths) {
  const std::size_t count = lengths->metres.size();
  std::vector<double> shares = lengths->shares.value_or(std::vector<double>(count, 1.0));
  const auto refuse = [&](const std::string& why) {
    throw lengths.error(&ListedLengths::shares, why);
  };
  if (shares.size() != count)
    refuse(fmt::format("has {} entries for {} lengths; one each, please", shares.size(), count));
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1e9)) refuse(fmt::format("{} is not between 0 and 10^9", share));
  }
  if (!(shares.front() > 0)) refuse("the first must be more than 0");
  return shares;
}

const LengthRegistration kList(
    length_registry(),
    {"list", "One of a few lengths, as cables are sold", "weir2026, docs/architecture.md"},
    Keys<ListedLengths>{
        key(&ListedLengths::metres, "metres", "lengths in metres").required(),
        key(&ListedLengths::shares, "shares",
            "share of the cables of each length, in any unit (default: all the same)")},
    [](const Checked<ListedLengths>& lengths) {
      const auto refuse = [&](const std::string& why) {
        throw lengths.error(&ListedLengths::metres, why);
      };
      if (lengths->metres.empty()) refuse("must name at least one length");
      for (const double one : lengths->metres) {
        if (!(one >= kShortestCable && one <= kLongestCable)) {
          refuse(
              fmt::format("{} m is not between {} and {} m", one, kShortestCable, kLongestCable));
        }
      }
      return std::make_shared<List>(lengths->metres, shares_of(lengths));
    });

}  // namespace
}  // namespace weir::topology

#include "weir/base/keys.hpp"
#include "weir/traffic/size.hpp"

namespace weir::traffic {
namespace {

struct TwoSizes {
  Bytes small;
  Bytes large;
  double large_probability = 0.5;
};

class Bimodal final : public SizeDistribution {
 public:
  explicit Bimodal(const TwoSizes& sizes)
      : SizeDistribution(
            {{sizes.small, 1 - sizes.large_probability}, {sizes.large, sizes.large_probability}}),
        sizes_(sizes) {}

  [[nodiscard]] Bytes draw(RandomStream& random) const override {
    return random.unit() < sizes_.large_probability ? sizes_.large : sizes_.small;
  }

 private:
  TwoSizes sizes_;
};

const SizeRegistration kBimodal(
    size_registry(), {"bimodal", "Two sizes", "ferrer2012, section 7.4"},
    Keys<TwoSizes>{
        key(&TwoSizes::small, "small", "payload of a small message").required().at_least(1),
        key(&TwoSizes::large, "large", "payload of a large message").required().at_least(1),
        key(&TwoSizes::large_probability, "large_probability", "share of the large messages")
            .range(0, 1)},
    [](const Checked<TwoSizes>& sizes) {
      if (sizes->large < sizes->small)
        throw sizes.error(&TwoSizes::large, "is smaller than 'small'");
      return std::make_shared<Bimodal>(*sizes);
    });

}  // namespace
}  // namespace weir::traffic

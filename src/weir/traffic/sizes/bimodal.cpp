#include "weir/traffic/size.hpp"

namespace weir::traffic {
namespace {

class Bimodal final : public SizeDistribution {
 public:
  Bimodal(Bytes small, Bytes large, double large_probability)
      : SizeDistribution({{small, 1 - large_probability}, {large, large_probability}}),
        small_(small),
        large_(large),
        large_probability_(large_probability) {}

  [[nodiscard]] Bytes draw(RandomStream& random) const override {
    return random.unit() < large_probability_ ? large_ : small_;
  }

 private:
  Bytes small_;
  Bytes large_;
  double large_probability_;
};

const SizeRegistration kBimodal(
    size_registry(),
    {"bimodal",
     "Two sizes",
     "ferrer2012, section 7.4",
     {Parameter::of(ParameterType::bytes, "small", "payload of a small message")
          .required()
          .at_least(1),
      Parameter::of(ParameterType::bytes, "large", "payload of a large message")
          .required()
          .at_least(1),
      Parameter::of(ParameterType::real, "large_probability", "share of the large messages")
          .by_default("0.5")
          .range(0, 1)}},
    [](const Settings& settings) {
      if (settings.bytes("large") < settings.bytes("small")) {
        throw settings.error("large", "is smaller than 'small'");
      }
      return std::make_shared<Bimodal>(settings.bytes("small"), settings.bytes("large"),
                                       settings.real("large_probability"));
    });

}  // namespace
}  // namespace weir::traffic

#include "weir/topology/lengths/range.hpp"

namespace weir::topology {
namespace {

class Uniform final : public LengthDistribution {
 public:
  explicit Uniform(const LengthRange& range)
      : LengthDistribution(range.shortest), width_(range.longest - range.shortest) {}

  [[nodiscard]] double draw(RandomStream& random) const override {
    return shortest() + width_ * random.unit();
  }

 private:
  double width_;
};

const LengthRegistration kUniform(length_registry(),
                                  {"uniform",
                                   "Uniform distribution between the shortest and the longest",
                                   "weir2026, docs/architecture.md", with_length_range({})},
                                  [](const Settings& settings) {
                                    return std::make_shared<Uniform>(length_range(settings));
                                  });

}  // namespace
}  // namespace weir::topology

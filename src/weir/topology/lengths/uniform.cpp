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
                                   "weir2026, docs/architecture.md"},
                                  length_range_keys(), [](const Checked<LengthRange>& range) {
                                    check_length_range(range);
                                    return std::make_shared<Uniform>(*range);
                                  });

}  // namespace
}  // namespace weir::topology

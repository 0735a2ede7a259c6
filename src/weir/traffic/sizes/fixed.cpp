#include "weir/traffic/size.hpp"

namespace weir::traffic {
namespace {

class FixedSize final : public SizeDistribution {
 public:
  explicit FixedSize(Bytes size) : SizeDistribution({{size, 1.0}}), size_(size) {}
  [[nodiscard]] Bytes draw(RandomStream&) const override { return size_; }

 private:
  Bytes size_;
};

const SizeRegistration kFixedSize(
    size_registry(),
    {"fixed",
     "All messages have one size",
     "ferrer2012, section 7.4; rocher2021, section 4.1",
     {Parameter::of(ParameterType::bytes, "size", "payload of a message").required().at_least(1)}},
    [](const Settings& settings) { return std::make_shared<FixedSize>(settings.bytes("size")); });

}  // namespace
}  // namespace weir::traffic

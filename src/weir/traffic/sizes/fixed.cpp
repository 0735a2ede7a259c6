#include "weir/base/keys.hpp"
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

struct FixedSizeKeys {
  Bytes size;
};

const SizeRegistration kFixedSize(
    size_registry(),
    {"fixed", "All messages have one size", "ferrer2012, section 7.4; rocher2021, section 4.1"},
    Keys<FixedSizeKeys>{
        key(&FixedSizeKeys::size, "size", "payload of a message").required().at_least(1)},
    [](const Checked<FixedSizeKeys>& file) { return std::make_shared<FixedSize>(file->size); });

}  // namespace
}  // namespace weir::traffic

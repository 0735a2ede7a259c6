#include "weir/rates/protocols.hpp"

namespace weir::rates {
namespace {

class DffaStar final : public BoundProtocol<DffaStarProtocol<double>> {
 public:
  using BoundProtocol::BoundProtocol;
  [[nodiscard]] Time found_at(FlowIndex f) const override { return protocol_.flow(f).found_at; }
};

using DffaStarSettings = DffaStarProtocol<double>::Settings;

Keys<DffaStarSettings> dffa_star_keys() {
  return {key(&DffaStarSettings::is_optimized, "optimized",
              "whether taking a share collects the next one at once, instead of in turn")};
}

const Registration<ProtocolModel> kDffaStarProtocol(
    protocol_registry(),
    {"dffa-star", "distributed flow-fair algorithm for flows that are known beforehand",
     "zdornov2009, section 4.2.3", dffa_star_keys().parameters()},
    {"ffa", false, false,
     of_settings(dffa_star_keys(),
                 [](const Checked<DffaStarSettings>& settings, const ProtocolContext& context) {
                   return make_dffa_star(context, settings->is_optimized);
                 })});

}  // namespace

std::unique_ptr<RateProtocol> make_dffa_star(const ProtocolContext& context, bool is_optimized) {
  return std::make_unique<DffaStar>(context, DffaStarSettings{is_optimized});
}

}  // namespace weir::rates

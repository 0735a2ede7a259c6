#include <algorithm>

#include "weir/rates/protocols.hpp"

namespace weir::rates {
namespace {

class Dffa final : public BoundProtocol<DffaProtocol<double>> {
 public:
  using BoundProtocol::BoundProtocol;
  [[nodiscard]] Time found_at(FlowIndex f) const override { return protocol_.flow(f).found_at; }
  [[nodiscard]] std::uint32_t rounds() const override {
    std::uint32_t newest = 0;
    for (ElementIndex e = 0; e < plane_.element_count(); ++e) {
      newest = std::max(newest, protocol_.element(e).round);
    }
    return newest;
  }
};

Keys<DffaSettings> dffa_keys() {
  return {choice(&DffaSettings::rates, "during_calculation",
                 "what sources send during a calculation: hold, their last result (a new flow what "
                 "it has collected so far); follow, all flows what they have collected so far",
                 {{"hold", DuringCalculation::hold}, {"follow", DuringCalculation::follow}}),
          key(&DffaSettings::probe_retry, "probe_retry",
              "round trips from a negative answer to the next question for the round")
              .range(0, 1000)};
}

const Registration<ProtocolModel> kDffaProtocol(
    protocol_registry(),
    {"dffa", "distributed flow-fair algorithm, anew in a round whenever a flow starts or ends",
     "zdornov2009, section 4.2.3", dffa_keys().parameters()},
    {"ffa", true, false,
     of_settings(dffa_keys(),
                 [](const Checked<DffaSettings>& settings, const ProtocolContext& context) {
                   return make_dffa(context, *settings);
                 })});

}  // namespace

std::unique_ptr<RateProtocol> make_dffa(const ProtocolContext& context,
                                        const DffaSettings& settings) {
  return std::make_unique<Dffa>(context, settings);
}

}  // namespace weir::rates

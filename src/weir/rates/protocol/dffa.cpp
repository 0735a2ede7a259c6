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

const Registration<ProtocolModel> kDffaProtocol(
    protocol_registry(),
    {"dffa",
     "distributed flow-fair algorithm, anew in a round whenever a flow starts or ends",
     "zdornov2009, section 4.2.3",
     {Parameter::of(
          ParameterType::text, "during_calculation",
          "what sources send during a calculation: hold, their last result (a new flow what it has "
          "collected so far); follow, all flows what they have collected so far")
          .by_default("hold")
          .one_of({"hold", "follow"}),
      Parameter::of(ParameterType::real, "probe_retry",
                    "round trips from a negative answer to the next question for the round")
          .by_default("0.5")
          .range(0, 1000)}},
    {"ffa", true, false, [](const Settings& settings, const ProtocolContext& context) {
       DffaSettings out;
       out.probe_retry = settings.real("probe_retry");
       if (settings.text("during_calculation") == "follow") out.rates = DuringCalculation::follow;
       return make_dffa(context, out);
     }});

}  // namespace

std::unique_ptr<RateProtocol> make_dffa(const ProtocolContext& context,
                                        const DffaSettings& settings) {
  return std::make_unique<Dffa>(context, settings);
}

}  // namespace weir::rates

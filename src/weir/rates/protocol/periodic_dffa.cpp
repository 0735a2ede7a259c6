#include "weir/rates/periodic_dffa_protocol.hpp"

#include <algorithm>

#include "weir/rates/protocols.hpp"

namespace weir::rates {
namespace {

class PeriodicDffa final : public BoundProtocol<PeriodicDffaProtocol> {
 public:
  using BoundProtocol::BoundProtocol;
  [[nodiscard]] Time found_at(FlowIndex f) const override { return protocol_.changed_at(f); }
  [[nodiscard]] std::uint32_t rounds() const override { return protocol_.rounds_begun(); }
};

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = saa_m_parameters();
  all.push_back(
      Parameter::of(ParameterType::time, "period", "time from one calculation by DFFA to the next")
          .by_default("500 us"));
  all.push_back(Parameter::of(ParameterType::time, "calm",
                              "time after its result at which a rate that grows does so; as long "
                              "again until the flow asks for what is left over")
                    .by_default("100 us"));
  all.push_back(Parameter::of(ParameterType::text, "leader",
                              "switch or host that begins the rounds (default: the last switch)")
                    .by_default(""));
  return all;
}

const Registration<ProtocolModel> kPeriodicDffaProtocol(
    protocol_registry(),
    {"periodic-dffa", "DFFA from time to time, SAA-M in between", "zdornov2009, section 4.2.3",
     parameters()},
    {"ffa", true, false, [](const Settings& settings, const ProtocolContext& context) {
       PeriodicDffaSettings out;
       out.saa_m = read_saa_m(settings, context.seed);
       out.period = settings.time("period");
       if (out.period <= Time()) throw settings.error("period", "must be positive");
       out.calm = settings.time("calm");
       if (out.calm <= Time()) throw settings.error("calm", "must be positive");
       try {
         out.leader = context.element(settings.text("leader"));
       } catch (const InputError& error) {
         throw settings.error("leader", error.what());
       }
       return make_periodic_dffa(context, out);
     }});

}  // namespace

std::unique_ptr<RateProtocol> make_periodic_dffa(const ProtocolContext& context,
                                                 PeriodicDffaSettings settings) {
  // Results are rounded down by 1e-9, which nobody shall quarrel about.
  settings.saa_m.negligible = 1e-7;
  check_weights(context.plane);
  return std::make_unique<PeriodicDffa>(context, settings);
}

}  // namespace weir::rates

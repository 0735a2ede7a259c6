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

struct PeriodicDffaKeys : PeriodicDffaSettings {
  std::string leader_name;
};

Keys<PeriodicDffaKeys> periodic_dffa_keys() {
  using K = PeriodicDffaKeys;
  return Keys<K>{}
      .with(&K::saa_m, saa_m_keys())
      .with({key(&K::period, "period", "time from one calculation by DFFA to the next"),
             key(&K::calm, "calm",
                 "time after its result at which a rate that grows does so; as long again until "
                 "the flow asks for what is left over"),
             key(&K::leader_name, "leader",
                 "switch or host that begins the rounds (default: the last switch)")});
}

PeriodicDffaSettings periodic_settings(const Checked<PeriodicDffaKeys>& keys,
                                       const ProtocolContext& context) {
  using K = PeriodicDffaKeys;
  PeriodicDffaSettings out = *keys;
  out.saa_m = saa_m_settings(saa_m_keys().read(keys.settings()), context.seed);
  const auto check_positive = [&](auto member) {
    if ((*keys).*member <= Time()) throw keys.error(member, "must be positive");
  };
  check_positive(&K::period);
  check_positive(&K::calm);
  out.leader = element_of(keys, &K::leader_name, context);
  return out;
}

const Registration<ProtocolModel> kPeriodicDffaProtocol(
    protocol_registry(),
    {"periodic-dffa", "DFFA from time to time, SAA-M in between", "zdornov2009, section 4.2.3",
     periodic_dffa_keys().parameters()},
    {"ffa", true, false,
     of_settings(periodic_dffa_keys(),
                 [](const Checked<PeriodicDffaKeys>& keys, const ProtocolContext& context) {
                   return make_periodic_dffa(context, periodic_settings(keys, context));
                 })});

}  // namespace

std::unique_ptr<RateProtocol> make_periodic_dffa(const ProtocolContext& context,
                                                 PeriodicDffaSettings settings) {
  // Results are rounded down by 1e-9, which nobody shall quarrel about.
  settings.saa_m.negligible = 1e-7;
  check_weights(context.plane);
  return std::make_unique<PeriodicDffa>(context, settings);
}

}  // namespace weir::rates

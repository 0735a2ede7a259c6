#include "weir/rates/protocols.hpp"

namespace weir::rates {
namespace {

class Saa final : public BoundProtocol<SaaProtocol<double>> {
 public:
  using BoundProtocol::BoundProtocol;
  [[nodiscard]] Time found_at(FlowIndex f) const override { return protocol_.changed_at(f); }
};

struct SaaKeys : SaaSettings {
  Bytes data_packet;
};

Keys<SaaKeys> saa_keys() {
  return {SaaKeys{{microseconds(2), {}}, {}},
          {key(&SaaKeys::probe_period, "probe_period", "time from an answer to the next probe"),
           key(&SaaKeys::data_packet, "data_packet",
               "size of data packets that carry the fields at the flow's rate (piggy-backed "
               "probing) in place of probes; 0 B: probes")}};
}

SaaSettings saa_settings(const Checked<SaaKeys>& keys, const ControlPlane& plane) {
  SaaSettings out = *keys;
  if (out.probe_period <= Time()) throw keys.error(&SaaKeys::probe_period, "must be positive");
  Rate line = gigabits_per_second(10);
  if (plane.flow_count() > 0) line = plane.link(plane.route(0).front()).rate;
  if (keys->data_packet > Bytes(0)) out.packet_time = serialization_time(keys->data_packet, line);
  return out;
}

const Registration<ProtocolModel> kSaaProtocol(
    protocol_registry(),
    {"saa",
     "single application assignment: every flow announces itself and asks for its heaviest link",
     "zdornov2009, section 4.1.2", saa_keys().parameters()},
    {"saa", true, false,
     of_settings(saa_keys(), [](const Checked<SaaKeys>& keys, const ProtocolContext& context) {
       return make_saa(context, saa_settings(keys, context.plane));
     })});

}  // namespace

std::unique_ptr<RateProtocol> make_saa(const ProtocolContext& context,
                                       const SaaSettings& settings) {
  return std::make_unique<Saa>(context, settings);
}

}  // namespace weir::rates

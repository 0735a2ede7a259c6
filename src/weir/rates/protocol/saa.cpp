#include "weir/rates/protocols.hpp"

namespace weir::rates {
namespace {

class Saa final : public BoundProtocol<SaaProtocol<double>> {
 public:
  using BoundProtocol::BoundProtocol;
  [[nodiscard]] Time found_at(FlowIndex f) const override { return protocol_.changed_at(f); }
};

const Registration<ProtocolModel> kSaaProtocol(
    protocol_registry(),
    {"saa",
     "single application assignment: every flow announces itself and asks for its heaviest link",
     "zdornov2009, section 4.1.2",
     {Parameter::of(ParameterType::time, "probe_period", "time from an answer to the next probe")
          .by_default("2 us"),
      Parameter::of(ParameterType::bytes, "data_packet",
                    "size of data packets that carry the fields at the flow's rate (piggy-backed "
                    "probing) in place of probes; 0 B: probes")
          .by_default("0 B")}},
    {"saa", true, false, [](const Settings& settings, const ProtocolContext& context) {
       SaaSettings out;
       out.probe_period = settings.time("probe_period");
       if (out.probe_period <= Time()) throw settings.error("probe_period", "must be positive");
       const Bytes packet = settings.bytes("data_packet");
       Rate line = gigabits_per_second(10);
       if (context.plane.flow_count() > 0) {
         line = context.plane.link(context.plane.route(0).front()).rate;
       }
       if (packet > Bytes(0)) out.packet_time = serialization_time(packet, line);
       return make_saa(context, out);
     }});

}  // namespace

std::unique_ptr<RateProtocol> make_saa(const ProtocolContext& context,
                                       const SaaSettings& settings) {
  return std::make_unique<Saa>(context, settings);
}

}  // namespace weir::rates

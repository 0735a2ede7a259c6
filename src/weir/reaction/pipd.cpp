#include <fmt/format.h>

#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

struct PipdSettings : RateSettings {
  double factor = 4;
  double rate_unit = 1;
};

/// The law is about numbers, so that the unit in which rates are numbers is part of it.
double unit_over_link(const Checked<PipdSettings>& file, const fabric::ReactionContext& context) {
  const double most = 1 / to_seconds(packet_time(*context.graph, context.fabric));
  const double unit = file->rate_unit / most;
  const double least = file->least_rate;
  if (least > unit) return unit;
  throw file.error(
      &PipdSettings::rate_unit,
      fmt::format(
          "the lowest rate is {:.6g} packets/s (least_rate {:.4g} of {:.6g}), which must be "
          "more than the unit, {:.6g} packets/s: else a decrease would raise the rate",
          least * most, least, most, file->rate_unit));
}

const Registration<fabric::ReactionFactory> kPipd(
    fabric::reaction_registry(),
    {"pipd",
     "power increase, power decrease: a marked ACK takes the root of the rate of its flow, an ACK "
     "without mark a power of it",
     "yan2006pipd; yan2012, section 3.3.3"},
    Keys<PipdSettings>{
        key(&PipdSettings::factor, "factor",
            "factor m: exponent of the increase, root of the decrease")
            .range(1.0001, 1e6),
        key(&PipdSettings::rate_unit, "rate_unit",
            "unit of rates in packets/s, on which the powers depend: 1 as published, 1000 for a "
            "range of rates between least and full, 483.558994 for MB/s with packets of 2068 B at "
            "1 GB/s")
            .range(1e-6, 1e12)}
        .with(rate_keys()),
    [](const Checked<PipdSettings>& file, const fabric::ReactionContext& context) {
      const double unit = unit_over_link(file, context);
      return make_rate_reaction("pipd", make_pipd(file->factor, file->least_rate, unit), file,
                                context);
    });

}  // namespace

}  // namespace weir::reaction

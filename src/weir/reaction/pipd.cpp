#include <fmt/format.h>

#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

/// The law is about numbers, so that the unit in which rates are numbers is part of it.
double unit_over_link(const Settings& settings, const fabric::ReactionContext& context) {
  const double most = 1 / to_seconds(packet_time(*context.graph, context.fabric));
  const double unit = settings.real("rate_unit") / most;
  const double least = settings.real("least_rate");
  if (least > unit) return unit;
  throw settings.error(
      "rate_unit",
      fmt::format(
          "the lowest rate is {:.6g} packets/s (least_rate {:.4g} of {:.6g}), which must be "
          "more than the unit, {:.6g} packets/s: else a decrease would raise the rate",
          least * most, least, most, settings.real("rate_unit")));
}

const Registration<fabric::ReactionFactory> kPipd(
    fabric::reaction_registry(),
    {"pipd",
     "power increase, power decrease: a marked ACK takes the root of the rate of its flow, an ACK "
     "without mark a power of it",
     "yan2006pipd; yan2012, section 3.3.3",
     joined({Parameter::of(ParameterType::real, "factor",
                           "factor m: exponent of the increase, root of the decrease")
                 .by_default("4.0")
                 .range(1.0001, 1e6),
             Parameter::of(ParameterType::real, "rate_unit",
                           "unit of rates in packets/s, on which the powers depend: 1 as "
                           "published, 1000 for a range of rates between least and full, "
                           "483.558994 for MB/s with packets of 2068 B at 1 GB/s")
                 .by_default("1.0")
                 .range(1e-6, 1e12)},
            rate_parameters())},
    [](const Settings& settings, const fabric::ReactionContext& context) {
      const double unit = unit_over_link(settings, context);
      return make_rate_reaction(
          "pipd", make_pipd(settings.real("factor"), settings.real("least_rate"), unit), settings,
          context);
    });

}  // namespace

}  // namespace weir::reaction

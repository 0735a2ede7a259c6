#include <fmt/format.h>

#include <utility>

#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

using Type = ParameterType;

constexpr double kPicosecondsPerSecond = 1e12;

/// The one key of load, rate and interval that the user gave; empty when none.
std::string load_key(const Settings& settings) {
  std::string given;
  for (const char* key : {"load", "rate", "interval"}) {
    if (!settings.has(key)) continue;
    if (!given.empty()) {
      throw settings.error(key, fmt::format("'{}' says the same thing: give one of them", given));
    }
    given = key;
  }
  return given;
}

double counted_bytes(const Settings& settings, const MeanSize& size) {
  return settings.text("load_of") == "wire" ? size.wire : size.payload;
}

double interval_of(const Settings& settings, const std::string& key, double service,
                   const ArrivalContext& context) {
  if (key == "load") return service / settings.real("load");
  if (key == "rate") {
    const double bits = counted_bytes(settings, context.size) * 8;
    return bits * kPicosecondsPerSecond / static_cast<double>(settings.rate("rate").count);
  }
  return static_cast<double>(settings.time("interval").count);
}

}  // namespace

std::vector<Parameter> with_load_parameters(std::vector<Parameter> parameters) {
  parameters.push_back(
      Parameter::of(Type::real, "load", "offered load as a fraction of the host's link rate")
          .range(1e-9, 1000));
  parameters.push_back(
      Parameter::of(Type::rate, "rate", "offered load of one source as a data rate").at_least(1));
  parameters.push_back(
      Parameter::of(Type::time, "interval", "mean time between two messages of a source")
          .at_least(1));
  parameters.push_back(
      Parameter::of(Type::text, "load_of",
                    "bytes that load and rate count: payload, or wire (headers included)")
          .by_default("payload")
          .one_of({"payload", "wire"}));
  parameters.push_back(
      Parameter::of(Type::boolean, "overload",
                    "whether a source may be offered more than its host's link can carry")
          .by_default("false"));
  return parameters;
}

double mean_service(const Settings& settings, const ArrivalContext& context) {
  return counted_bytes(settings, context.size) * 8 * kPicosecondsPerSecond /
         static_cast<double>(context.link.count);
}

double mean_interval(const Settings& settings, const ArrivalContext& context,
                     std::optional<double> load) {
  const std::string key = load_key(settings);
  if (key.empty() && !load) {
    throw settings.error("load", "is missing; give 'load', 'rate' or 'interval'");
  }
  const double service = mean_service(settings, context);
  const double interval = load ? service / *load : interval_of(settings, key, service, context);
  const std::string& shown = key.empty() ? "load" : key;
  if (interval < 1) throw settings.error(shown, "asks for more than one message a picosecond");
  const double offered = service / interval;
  if (offered > 1 + kLoadRounding && !settings.boolean("overload")) {
    throw settings.error(shown,
                         fmt::format("offers {:.4g} times what the host's link of {} carries; "
                                     "overload = true allows that",
                                     offered, to_string(context.link)));
  }
  return interval;
}

}  // namespace weir::traffic

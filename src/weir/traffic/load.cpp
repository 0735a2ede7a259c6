#include <fmt/format.h>

#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

/// At the key that says the load.
InputError load_error(const Checked<LoadKeys>& file, const std::string& why) {
  if (file->rate) return file.error(&LoadKeys::rate, why);
  if (file->interval) return file.error(&LoadKeys::interval, why);
  return file.error(&LoadKeys::load, why);
}

/// False: no key says it.
bool has_load(const Checked<LoadKeys>& file) {
  std::string given;
  const auto look = [&](auto member) {
    if (!file.is_given(member)) return;
    if (!given.empty()) {
      throw file.error(member, fmt::format("'{}' says the same thing: give one of them", given));
    }
    given = file.name_of(member);
  };
  look(&LoadKeys::load);
  look(&LoadKeys::rate);
  look(&LoadKeys::interval);
  return !given.empty();
}

/// ps that the mean message takes at a rate.
double time_at(Rate rate, const LoadKeys& keys, const MeanSize& size) {
  const double bytes = keys.counts_wire ? size.wire : size.payload;
  return bytes * 8 * static_cast<double>(kPicosecondsPerSecond) / static_cast<double>(rate.count);
}

double interval_of(const LoadKeys& keys, double service, const ArrivalContext& context) {
  if (keys.load) return service / *keys.load;
  if (keys.rate) return time_at(*keys.rate, keys, context.size);
  return static_cast<double>(keys.interval->count);
}

}  // namespace

const Keys<LoadKeys>& load_keys() {
  static const Keys<LoadKeys> keys{
      key(&LoadKeys::load, "load", "offered load as a fraction of the host's link rate")
          .range(1e-9, 1000),
      key(&LoadKeys::rate, "rate", "offered load of one source as a data rate").at_least(1),
      key(&LoadKeys::interval, "interval", "mean time between two messages of a source")
          .at_least(1),
      choice(&LoadKeys::counts_wire, "load_of",
             "bytes that load and rate count: payload, or wire (headers included)",
             {{"payload", false}, {"wire", true}}),
      key(&LoadKeys::overload, "overload",
          "whether a source may be offered more than its host's link can carry")};
  return keys;
}

double mean_service(const LoadKeys& keys, const ArrivalContext& context) {
  return time_at(context.link, keys, context.size);
}

double mean_interval(const Checked<LoadKeys>& file, const ArrivalContext& context,
                     std::optional<double> load) {
  if (!has_load(file) && !load) {
    throw file.error(&LoadKeys::load, "is missing; give 'load', 'rate' or 'interval'");
  }
  const double service = mean_service(*file, context);
  const double interval = load ? service / *load : interval_of(*file, service, context);
  if (interval < 1) throw load_error(file, "asks for more than one message a picosecond");
  const double offered = service / interval;
  if (offered > 1 + kLoadRounding && !file->overload) {
    throw load_error(file, fmt::format("offers {:.4g} times what the host's link of {} carries; "
                                       "overload = true allows that",
                                       offered, to_string(context.link)));
  }
  return interval;
}

}  // namespace weir::traffic

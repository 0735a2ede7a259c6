#include "weir/experiment/claims/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/topology/statistics.hpp"

namespace weir::experiment::claims {
namespace {

/// Points whose first run is looked at: the first, the last and some between.
constexpr std::size_t kPoints = 4;
/// Packet-hops of one that simulates, and the most work of one that does not.
constexpr double kHops = 20'000;
constexpr double kMostWork = 1e6;

/// What runs are called and how they are drawn does not decide their numbers.
std::string text_of(const Variant& variant) {
  ConfigTable table = variant.table;
  for (const char* section : {"plot", "results", "view"}) table.erase(section);
  if (ConfigValue* head = table.find("experiment"); head != nullptr && head->is_table()) {
    for (const char* key : {"name", "title"}) head->table().erase(key);
  }
  return to_toml(table);
}

std::string numbers_of(const metrics::RunResult& result) {
  std::string text;
  for (const metrics::Scalar& one : result.scalars) {
    text += fmt::format("{} {:.9g}\n", to_string(one.name), one.value);
  }
  return text;
}

/// What the first part of a run does.
std::string course_of(const Configuration& configuration, const Variant& variant,
                      NetworkCache& networks) {
  const auto network = configuration.kind->has_network ? networks.get(configuration) : nullptr;
  const auto mean_hops = [&] {
    constexpr std::uint64_t kWork = 100'000;
    return topology::statistics(*network->graph, kWork).mean_hops;
  };
  if (configuration.kind->probe) {
    constexpr double kForever = std::numeric_limits<double>::infinity();
    const Probe probe =
        configuration.kind->probe(configuration, network, mean_hops, {kHops, kForever});
    return fmt::format("{:016x}", probe.fingerprint);
  }
  if (configuration.kind->needs(configuration, network, mean_hops).packet_hops > kMostWork) {
    return "long";
  }
  const auto record = run_one(configuration, variant, networks, [](const auto&) { return true; });
  return record->status == "done" ? numbers_of(record->result) : record->error;
}

}  // namespace

std::string fingerprint(const Plan& plan) {
  std::string text;
  for (const Variant& variant : plan.variants()) text += text_of(variant);
  NetworkCache networks;
  const std::size_t points = plan.points().size();
  const std::size_t chosen = std::min(points, kPoints);
  for (std::size_t i = 0; i < chosen; ++i) {
    const std::size_t point = chosen == 1 ? 0 : i * (points - 1) / (chosen - 1);
    const Variant& variant = plan.variants()[plan.points()[point].runs.front()];
    try {
      text += course_of(resolve(variant.table), variant, networks);
    } catch (const RunError& error) {
      text += error.what();
    }
  }
  constexpr std::size_t kDigits = 16;
  return configuration_hash(std::string_view(text)).substr(0, kDigits);
}

}  // namespace weir::experiment::claims

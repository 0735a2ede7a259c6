#include "weir/routing/fit.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weir::routing {
namespace {

/// Filled beside routing_registry() during static initialization, and not changed afterwards.
std::map<std::string, FitTest>& fit_tests() {
  static std::map<std::string, FitTest> tests;
  return tests;
}

}  // namespace

FittedRouting::FittedRouting(ModelInfo info, std::string needs, FitTest fits,
                             std::vector<Parameter> parameters, RoutingFactory make) {
  info.parameters = std::move(parameters);
  fit_tests().emplace(info.name, fits);
  auto checked = [name = info.name, needs = std::move(needs), fits, make = std::move(make)](
                     const Settings& settings, const topology::Graph& graph) {
    if (!fits(graph)) throw misfit(name, needs, graph);
    return make(settings, graph);
  };
  routing_registry().add({std::move(info), std::move(checked)});
}

std::vector<std::string> fitting_routings(const topology::Graph& graph) {
  std::vector<std::string> names;
  for (const auto& [name, fits] : fit_tests()) {
    if (fits(graph)) names.push_back(name);
  }
  return names;
}

InputError misfit(std::string_view routing, std::string_view needs, const topology::Graph& graph) {
  return InputError(fmt::format("{} needs {}; this is a {}; routings that fit: {}", routing, needs,
                                graph.family(), fmt::join(fitting_routings(graph), ", ")));
}

void check_table_size(std::string_view routing, double bytes, double limit) {
  if (bytes <= limit) return;
  constexpr double kMebibyte = 1U << 20U;
  throw InputError(fmt::format(
      "{} keeps a full table, which would take {:.0f} MiB for this network (limit {:.0f} MiB); "
      "take a routing that computes its routes",
      routing, bytes / kMebibyte, limit / kMebibyte));
}

}  // namespace weir::routing

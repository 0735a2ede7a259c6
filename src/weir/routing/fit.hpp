#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/keys.hpp"
#include "weir/routing/routing.hpp"

namespace weir::routing {

/// Whether a routing function can serve a graph, told without building its tables.
using FitTest = bool (*)(const topology::Graph& graph);

/// Registers a routing function whose fit to a topology is known: it refuses other graphs with an
/// error that lists the routings that fit.
struct FittedRouting {
  /// `needs` completes "NAME needs ...": "a fat tree". `make` takes Checked<S> and the graph.
  template <class S, class Make>
  FittedRouting(ModelInfo info, std::string needs, FitTest fits, const Keys<S>& keys, Make make)
      : FittedRouting(std::move(info), std::move(needs), fits, keys.parameters(),
                      of_settings(keys, std::move(make))) {}
  /// Without keys: `make` takes the graph.
  template <class Make>
  FittedRouting(ModelInfo info, std::string needs, FitTest fits, Make make)
      : FittedRouting(
            std::move(info), std::move(needs), fits, {},
            [make](const Settings&, const topology::Graph& graph) { return make(graph); }) {}

 private:
  FittedRouting(ModelInfo info, std::string needs, FitTest fits, std::vector<Parameter> parameters,
                RoutingFactory make);
};

/// Names of the registered routings whose FitTest accepts `graph`, sorted.
std::vector<std::string> fitting_routings(const topology::Graph& graph);

/// "d-mod-k needs a fat tree; this is a torus; routings that fit: ...".
InputError misfit(std::string_view routing, std::string_view needs, const topology::Graph& graph);

/// Refuses tables of more than `limit` bytes: NAME would need ... for this network.
void check_table_size(std::string_view routing, double bytes, double limit = 512.0 * (1U << 20U));

}  // namespace weir::routing

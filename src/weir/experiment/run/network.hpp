#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "weir/experiment/config/configuration.hpp"
#include "weir/flow_routing/flow_router.hpp"
#include "weir/flow_routing/flow_tables.hpp"
#include "weir/routing/channel_dependency.hpp"

namespace weir::experiment {

/// A network with its routes: immutable, shared by runs.
struct Network {
  std::shared_ptr<const topology::Graph> graph;
  std::shared_ptr<const routing::RoutingFunction> routing;
  /// Where packets set flows up ([flow_routing] set_up = "packets"); else null.
  std::shared_ptr<const flow_routing::FlowTables> flow_tables;
  bool is_fixed = true;  ///< packets take their default routes, whatever happens
  routing::DependencyReport dependencies;
};

/// Makes the graph of a topology, with the delays that the seed draws. Throws InputError with the
/// place of the section.
topology::Graph make_graph(const ConfigTable& source,
                           const Chosen<topology::TopologyFactory>& chosen,
                           const topology::LinkSpec& link,
                           const topology::CableDelays& cables = {});

/// Makes graph and routing, and checks the channel dependencies. Throws InputError when they do
/// not fit each other, when packets would not arrive, and for a cycle unless `allow_cycles`.
std::shared_ptr<const Network> make_network(const Configuration& configuration);

/// Makes the selection function of a run.
std::unique_ptr<fabric::SelectionFunction> make_selection(const Configuration& configuration);

/// Makes the isolation mechanism of a run on a network; null for "none". Throws InputError with its
/// place.
std::shared_ptr<fabric::Isolation> make_isolation(const Configuration& configuration,
                                                  const Network& network);

/// Makes the mechanisms of a run that can add queues or classes to its ports, to count them. Throws
/// InputError with their place.
std::vector<std::shared_ptr<fabric::Mechanism>> make_with_queues(const Configuration& configuration,
                                                                 const Network& network);

/// Makes the admission control of a run on a network; null for "none". Throws InputError with its
/// place, also for traffic that it could never accept.
std::shared_ptr<fabric::Admission> make_admission(const Configuration& configuration,
                                                  const Network& network);

/// Makes the flow routing of a run on a network; null where paths do not depend on flows.
std::shared_ptr<flow_routing::FlowRouter> make_flow_routing(const Configuration& configuration,
                                                            const Network& network);

/// Makes the source reaction of a run on a network; null for "none". Throws InputError with its
/// place.
std::shared_ptr<fabric::Reaction> make_reaction(const Configuration& configuration,
                                                const Network& network,
                                                std::shared_ptr<const fabric::Marker> marker);

/// Makes a network once for the runs that follow each other. Safe to be called by many threads.
class NetworkCache {
 public:
  std::shared_ptr<const Network> get(const Configuration& configuration);

 private:
  struct Kept {
    std::string text;
    std::shared_ptr<const Network> network;
  };
  static constexpr std::size_t kMostKept = 4;

  std::mutex mutex_;
  std::deque<Kept> kept_;  ///< the latest last
};

}  // namespace weir::experiment

#include "weir/topology/topology.hpp"

namespace weir::topology {
namespace {

const TopologyRegistration kTwoHosts(topology_registry(),
                                     {"two-hosts",
                                      "Two hosts joined by one cable, without a switch",
                                      "weir2026, docs/guide/experiment-files.md"},
                                     [](const Settings& /*settings*/, const LinkSpec& link) {
                                       GraphBuilder builder("two-hosts");
                                       const HostId first = builder.add_host();
                                       const HostId second = builder.add_host();
                                       builder.connect(first, second, link);
                                       return builder.build();
                                     });
const NaturalRouting kTwoHostsRouting("two-hosts", {"shortest-path"});

}  // namespace
}  // namespace weir::topology

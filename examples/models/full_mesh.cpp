#include "weir/topology/model_settings.hpp"

namespace weir::topology {

namespace {

/// Every two switches are joined by a cable. Ports of a switch: its hosts, then the other switches
/// in the order of their numbers.
Graph make_full_mesh(std::size_t switches, std::size_t hosts, const LinkSpec& link) {
  GraphBuilder builder("full-mesh");
  for (std::size_t s = 0; s < switches; ++s) {
    const SwitchId here = builder.add_switch(hosts + switches - 1);
    for (std::size_t port = 0; port < hosts; ++port) {
      builder.connect(builder.add_host(), here, port, link);
    }
    for (std::size_t other = 0; other < s; ++other) {
      builder.connect(SwitchId(other), hosts + s - 1, here, hosts + other, link);
    }
  }
  return builder.build();
}

struct FullMeshSettings {
  std::int64_t switches = 0;
  std::int64_t hosts = 1;
};

const TopologyRegistration kFullMesh(
    topology_registry(),
    {"full-mesh", "Switches with hosts on each, every two switches joined by a cable", "weir2026"},
    Keys<FullMeshSettings>{
        key(&FullMeshSettings::switches, "switches", "switches").required().range(2, kMaxPorts),
        key(&FullMeshSettings::hosts, "hosts", "hosts on each switch").range(1, kMaxPorts)},
    [](const Checked<FullMeshSettings>& settings, const LinkSpec& link) {
      if (settings->switches - 1 + settings->hosts > kMaxPorts) {
        throw settings.error(
            &FullMeshSettings::hosts,
            fmt::format("{} hosts and {} other switches are more than the {} ports of a switch",
                        settings->hosts, settings->switches - 1, kMaxPorts));
      }
      return make_full_mesh(static_cast<std::size_t>(settings->switches),
                            static_cast<std::size_t>(settings->hosts), link);
    });
const NaturalRouting kFullMeshRouting("full-mesh", {"shortest-path"});

}  // namespace

}  // namespace weir::topology

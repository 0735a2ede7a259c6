#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

Graph make_single_switch(int hosts, const LinkSpec& link) {
  GraphBuilder builder("single-switch");
  const SwitchId hub = builder.add_switch(static_cast<std::size_t>(hosts), {}, 1);
  for (int h = 0; h < hosts; ++h) {
    builder.set_role(hub, static_cast<std::size_t>(h), PortRole::down);
    builder.connect(builder.add_host(), hub, static_cast<std::size_t>(h), link);
  }
  return builder.build();
}

struct SingleSwitchSettings {
  int hosts = 0;
};

const TopologyRegistration kSingleSwitch(
    topology_registry(), {"single-switch", "One switch; host i on port i", "karol1987input"},
    Keys<SingleSwitchSettings>{
        key(&SingleSwitchSettings::hosts, "hosts", "hosts, one a port").required().range(1, 256)},
    [](const Checked<SingleSwitchSettings>& settings, const LinkSpec& link) {
      return make_single_switch(settings->hosts, link);
    });
const NaturalRouting kSingleSwitchRouting("single-switch", {"shortest-path"});

}  // namespace
}  // namespace weir::topology

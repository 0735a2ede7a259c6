#include <algorithm>

#include <fmt/format.h>

#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

/// Switches in a row; ports of a switch: its hosts, then left, then right (ends have only one of
/// them).
Graph make_line(const std::vector<int>& hosts_per_switch, const LinkSpec& host_link,
                const LinkSpec& link) {
  GraphBuilder builder("line");
  const std::size_t switches = hosts_per_switch.size();
  std::size_t free_port_before = 0;
  for (std::size_t s = 0; s < switches; ++s) {
    const auto hosts = static_cast<std::size_t>(hosts_per_switch[s]);
    const std::size_t neighbours = (s > 0 ? 1U : 0U) + (s + 1 < switches ? 1U : 0U);
    const SwitchId here = builder.add_switch(std::max<std::size_t>(hosts + neighbours, 1));
    for (std::size_t port = 0; port < hosts; ++port) {
      builder.connect(builder.add_host(), here, port, host_link);
    }
    if (s > 0) builder.connect(SwitchId(s - 1), free_port_before, here, hosts, link);
    free_port_before = hosts + neighbours - 1;
  }
  return builder.build();
}

struct LineSettings {
  std::size_t switches = 0;
  std::vector<std::int64_t> hosts_per_switch{1};
  OwnLink host;
};

std::vector<int> hosts_of_switches(const Checked<LineSettings>& settings) {
  std::vector<int> hosts = int_list(settings, &LineSettings::hosts_per_switch, 0, kMaxPorts - 2);
  if (hosts.size() == 1) hosts.resize(settings->switches, hosts[0]);
  if (hosts.size() != settings->switches) {
    throw settings.error(
        &LineSettings::hosts_per_switch,
        fmt::format("has {} entries; give one for all or one for each of the {} switches",
                    hosts.size(), settings->switches));
  }
  return hosts;
}

const TopologyRegistration kLine(
    topology_registry(),
    {"line",
     "Switches in a row with hosts on each: parking lots, chains of bottlenecks, hop counts",
     "zdornov2009, section 1.3"},
    Keys<LineSettings>{
        key(&LineSettings::switches, "switches", "switches in the row").required().range(1, 65536),
        key(&LineSettings::hosts_per_switch, "hosts_per_switch",
            "hosts on each switch: one number for all, or one per switch")}
        .with(&LineSettings::host, own_link_keys("host", "the host cables")),
    [](const Checked<LineSettings>& settings, const LinkSpec& link) {
      const LinkSpec host_link = changed_link(settings, &LineSettings::host, link);
      const std::vector<int> hosts = hosts_of_switches(settings);
      return at_key(settings, &LineSettings::hosts_per_switch,
                    [&] { return make_line(hosts, host_link, link); });
    });
const NaturalRouting kLineRouting("line", {"shortest-path"});

}  // namespace
}  // namespace weir::topology

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

std::vector<int> hosts_of_switches(const Settings& settings) {
  const auto switches = static_cast<std::size_t>(settings.integer("switches"));
  std::vector<int> hosts;
  for (const std::int64_t n : settings.integers("hosts_per_switch")) {
    if (n < 0 || n > kMaxPorts - 2) {
      throw settings.error("hosts_per_switch",
                           fmt::format("entries must be 0 to {}, not {}", kMaxPorts - 2, n));
    }
    hosts.push_back(static_cast<int>(n));
  }
  if (hosts.size() == 1) hosts.resize(switches, hosts[0]);
  if (hosts.size() != switches) {
    throw settings.error(
        "hosts_per_switch",
        fmt::format("has {} entries; give one for all or one for each of the {} switches",
                    hosts.size(), switches));
  }
  return hosts;
}

const TopologyRegistration kLine(
    topology_registry(),
    {"line",
     "Switches in a row with hosts on each: parking lots, chains of bottlenecks, hop counts",
     "zdornov2009, section 1.3",
     {Parameter::of(ParameterType::integer, "switches", "switches in the row")
          .required()
          .range(1, 65536),
      Parameter::of(ParameterType::integers, "hosts_per_switch",
                    "hosts on each switch: one number for all, or one per switch")
          .by_default("[1]"),
      Parameter::of(ParameterType::rate, "host_rate",
                    "rate of the host cables (default: as [link])"),
      Parameter::of(ParameterType::time, "host_delay",
                    "delay of the host cables (default: as [link])")
          .at_least(0)}},
    [](const Settings& settings, const LinkSpec& link) {
      const LinkSpec host_link = changed_link(settings, link, "host_rate", "host_delay");
      return at_parameter(settings, "hosts_per_switch",
                          [&] { return make_line(hosts_of_switches(settings), host_link, link); });
    });

}  // namespace
}  // namespace weir::topology

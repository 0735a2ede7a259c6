#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

/// Names of the nodes of two switches joined by one cable. Hosts are numbered in this order; the
/// ports of a switch are its hosts in this order, then the cable between the switches.
struct TwoSwitches {
  std::string family;
  std::string first_switch;
  std::string second_switch;
  std::vector<std::string> first_hosts;   ///< on the first switch
  std::vector<std::string> second_hosts;  ///< on the second switch
};

SwitchId add_with_hosts(GraphBuilder& builder, const std::string& name,
                        const std::vector<std::string>& hosts, const LinkSpec& link) {
  if (hosts.size() + 1 > kMaxPorts) {
    throw InputError(fmt::format("{} has more than {} hosts", name, kMaxPorts - 1));
  }
  const SwitchId s = builder.add_switch(hosts.size() + 1, name);
  for (std::size_t port = 0; port < hosts.size(); ++port) {
    builder.connect(builder.add_host(hosts[port]), s, port, link);
  }
  return s;
}

Graph make_two_switches(const TwoSwitches& names, const LinkSpec& link, const LinkSpec& middle) {
  GraphBuilder builder(names.family);
  const SwitchId first = add_with_hosts(builder, names.first_switch, names.first_hosts, link);
  const SwitchId second = add_with_hosts(builder, names.second_switch, names.second_hosts, link);
  builder.connect(first, names.first_hosts.size(), second, names.second_hosts.size(), middle);
  return builder.build();
}

/// prefix1, prefix2, ...
std::vector<std::string> numbered(const char* prefix, int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  return names;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const TopologyRegistration kCongestionSpreading(
    topology_registry(),
    {"congestion-spreading",
     "Sources s1..s4 on sw1; s5, s6 and destinations d1, d2 on sw2. s1, s2 send to d1, the others "
     "to d2",
     "zdornov2009, figure 1.1"},
    [](const Settings& /*settings*/, const LinkSpec& link) {
      return make_two_switches(
          {"congestion-spreading", "sw1", "sw2", numbered("s", 4), {"s5", "s6", "d1", "d2"}}, link,
          link);
    });
const NaturalRouting kCongestionSpreadingRouting("congestion-spreading", {"shortest-path"});

const TopologyRegistration kSharedLink(
    topology_registry(),
    {"shared-link",
     "Sources x1, x2, x3 on X; y1, y2 and sinks z (the hot one), v on Y; x3 to v is the victim",
     "ferrer2012, figures 3.4 and 3.5"},
    [](const Settings& /*settings*/, const LinkSpec& link) {
      return make_two_switches({"shared-link", "X", "Y", numbered("x", 3), {"y1", "y2", "z", "v"}},
                               link, link);
    });
const NaturalRouting kSharedLinkRouting("shared-link", {"shortest-path"});

struct TwoSwitchesSettings {
  int remote = 2;
  int victims = 1;
  int local = 2;
  OwnLink middle;
};

const TopologyRegistration kTwoSwitches(
    topology_registry(),
    {"two-switches",
     "Remote and victim sources on A; local sources, the congested sink c1 and victim sinks on B",
     "yan2012, section 3.4"},
    Keys<TwoSwitchesSettings>{key(&TwoSwitchesSettings::remote, "remote",
                                  "sources ar1.. on A, for flows to the congested sink")
                                  .range(0, 254),
                              key(&TwoSwitchesSettings::victims, "victims",
                                  "sources av1.. on A and as many sinks bv1.. on B")
                                  .range(0, 254),
                              key(&TwoSwitchesSettings::local, "local",
                                  "sources bl1.. on B, for flows to the congested sink")
                                  .range(0, 254)}
        .with(&TwoSwitchesSettings::middle,
              own_link_keys("middle", "the cable between the switches")),
    [](const Checked<TwoSwitchesSettings>& settings, const LinkSpec& link) {
      const int victims = settings->victims;
      const TwoSwitches names{
          "two-switches", "A", "B",
          joined(numbered("ar", settings->remote), numbered("av", victims)),
          joined(joined(numbered("bl", settings->local), {"c1"}), numbered("bv", victims))};
      const LinkSpec middle = changed_link(settings, &TwoSwitchesSettings::middle, link);
      return at_key(settings, &TwoSwitchesSettings::remote,
                    [&] { return make_two_switches(names, link, middle); });
    });
const NaturalRouting kTwoSwitchesRouting("two-switches", {"shortest-path"});

}  // namespace
}  // namespace weir::topology

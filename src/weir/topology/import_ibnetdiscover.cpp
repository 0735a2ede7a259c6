#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

struct IbnetdiscoverSettings : SubnetOptions {
  FilePath file;
  std::optional<Time> cable_delay;
};

const TopologyRegistration kIbnetdiscover(
    topology_registry(),
    {"ibnetdiscover",
     "A real InfiniBand fabric, from the output of ibnetdiscover; its link speeds set the rates",
     "rdmacore2023diags, ibnetdiscover(8)"},
    Keys<IbnetdiscoverSettings>{
        key(&IbnetdiscoverSettings::file, "file", "file with the output of ibnetdiscover")
            .required(),
        key(&IbnetdiscoverSettings::cable_delay, "delay",
            "propagation delay of every cable, instead of the link's")
            .at_least(0),
        key(&IbnetdiscoverSettings::rate_of_unknown_speed, "rate_of_unknown_speed",
            "data rate of links whose speed the file shows as ???")
            .at_least(1),
        key(&IbnetdiscoverSettings::exclude, "exclude",
            "pieces of names of adapters to leave out, as \"Aggregation Node\"")},
    [](const Checked<IbnetdiscoverSettings>& settings, const LinkSpec& link) {
      SubnetOptions options = *settings;
      options.has_own_delay = settings->cable_delay.has_value();
      options.delay = settings->cable_delay.value_or(link.delay);
      const std::string text = text_of(settings, &IbnetdiscoverSettings::file);
      return make_subnet_graph(parse_ibnetdiscover(text, settings->file.name), options);
    });
const NaturalRouting kIbnetdiscoverRouting("ibnetdiscover",
                                           {"linear-forwarding-tables", "up-down"});

}  // namespace
}  // namespace weir::topology

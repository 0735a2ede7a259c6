#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

Graph import_fabric(const Settings& settings, const LinkSpec& link) {
  SubnetOptions options;
  options.has_own_delay = settings.given("delay");
  options.delay = options.has_own_delay ? settings.time("delay") : link.delay;
  if (settings.has("rate_of_unknown_speed")) {
    options.rate_of_unknown_speed = settings.rate("rate_of_unknown_speed");
  }
  options.exclude = settings.texts("exclude");
  const std::string path = settings.path("file");
  const std::string text = at_parameter(settings, "file", [&] { return read_text_file(path); });
  return make_subnet_graph(parse_ibnetdiscover(text, path), options);
}

const TopologyRegistration kIbnetdiscover(
    topology_registry(),
    {"ibnetdiscover",
     "A real InfiniBand fabric, from the output of ibnetdiscover; its link speeds set the rates",
     "rdmacore2023diags, ibnetdiscover(8)",
     {Parameter::of(ParameterType::path, "file", "file with the output of ibnetdiscover")
          .required(),
      Parameter::of(ParameterType::time, "delay",
                    "propagation delay of every cable, instead of the link's")
          .at_least(0),
      Parameter::of(ParameterType::rate, "rate_of_unknown_speed",
                    "data rate of links whose speed the file shows as ???")
          .at_least(1),
      Parameter::of(ParameterType::texts, "exclude",
                    "pieces of names of adapters to leave out, as \"Aggregation Node\"")
          .by_default("[]")}},
    import_fabric);

}  // namespace
}  // namespace weir::topology

#include "weir/topology/umin.hpp"

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

UminShape umin_shape(int k, int stages) {
  UminShape shape;
  shape.k = static_cast<std::uint32_t>(k);
  shape.n = static_cast<std::uint32_t>(stages);
  std::int64_t power = 1;
  shape.power.push_back(1);
  for (int i = 0; i < stages; ++i) {
    power *= k;
    if (power > kMaxHosts) {
      throw InputError(fmt::format("a {}-ary {}-fly has more than {} hosts", k, stages, kMaxHosts));
    }
    shape.power.push_back(static_cast<std::uint32_t>(power));
  }
  shape.hosts = shape.power.back();
  shape.per_stage = shape.hosts / shape.k;
  return shape;
}

}  // namespace

Graph make_umin(int k, int stages, std::span<const LinkSpec> links) {
  auto shape = std::make_shared<const UminShape>(umin_shape(k, stages));
  GraphBuilder builder("umin-butterfly");
  for (std::uint32_t h = 0; h < shape->hosts; ++h) builder.add_host();
  for (std::uint32_t s = 0; s < shape->per_stage * shape->n; ++s) {
    builder.add_switch(shape->k, {}, static_cast<int>(s / shape->per_stage) + 1);
  }
  const auto owner = [&](std::uint32_t stage, std::uint32_t position) {
    return SwitchId(stage * shape->per_stage + position / shape->k);
  };
  const std::uint32_t last = shape->n - 1;
  for (std::uint32_t h = 0; h < shape->hosts; ++h) {
    builder.connect_one_way(HostId(h), owner(0, h), h % shape->k, links.front());
    builder.connect_one_way(owner(last, h), h % shape->k, HostId(h), links.back());
  }
  for (std::uint32_t stage = 0; stage < last; ++stage) {
    for (std::uint32_t out = 0; out < shape->hosts; ++out) {
      const std::uint32_t in = shape->exchange(out, stage + 1);
      builder.connect_one_way(owner(stage, out), out % shape->k, owner(stage + 1, in),
                              in % shape->k, links[stage + 1]);
    }
  }
  builder.set_shape(std::move(shape));
  return builder.build();
}

namespace {

struct UminSettings : StageSettings {
  int k = 0;
  int n = 0;
};

const TopologyRegistration kUmin(
    topology_registry(),
    {"umin-butterfly",
     "Unidirectional multistage network: k^n hosts, butterfly wiring, every path crosses n "
     "switches",
     "ferrer2012, section 7.3"},
    Keys<UminSettings>{key(&UminSettings::k, "k", "arity: input and output channels of a switch")
                           .required()
                           .range(2, 256),
                       key(&UminSettings::n, "n", "stages").required().range(1, 24)}
        .with(stage_keys()),
    [](const Checked<UminSettings>& settings, const LinkSpec& link) {
      // Cables into stage 0, between the stages, and out of the last stage.
      const auto links = stage_links(settings, link, settings->n + 1);
      return at_key(settings, &UminSettings::n,
                    [&] { return make_umin(settings->k, settings->n, links); });
    });
const NaturalRouting kUminRouting("umin-butterfly", {"destination-tag"});

}  // namespace
}  // namespace weir::topology

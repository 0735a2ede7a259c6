#include "weir/topology/bmin.hpp"

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

BminShape bmin_shape(int k, int stages, int hosts) {
  if (hosts % k != 0) {
    throw InputError(fmt::format("{} hosts cannot be spread over {}-host switches", hosts, k));
  }
  BminShape shape;
  shape.k = static_cast<std::uint32_t>(k);
  shape.n = static_cast<std::uint32_t>(stages);
  shape.hosts = static_cast<std::uint32_t>(hosts);
  shape.per_stage = shape.hosts / shape.k;
  // A switch of the last stage reaches down to k^(n-1) first-stage switches, which must be all.
  std::uint64_t reach = 1;
  for (int stage = 1; stage < stages && reach < shape.per_stage; ++stage) reach *= shape.k;
  if (reach < shape.per_stage) {
    throw InputError(fmt::format("{} stages of {}-ary switches join at most {} hosts, not {}",
                                 stages, k, reach * shape.k, hosts));
  }
  if (std::int64_t{shape.per_stage} * stages > kMaxSwitches) {
    throw InputError(fmt::format("a network with more than {} switches", kMaxSwitches));
  }
  return shape;
}

}  // namespace

Graph make_bmin(int k, int stages, int hosts, std::span<const LinkSpec> links) {
  auto shape = std::make_shared<const BminShape>(bmin_shape(k, stages, hosts));
  GraphBuilder builder("bmin-perfect-shuffle");
  for (std::uint32_t h = 0; h < shape->hosts; ++h) builder.add_host();
  const std::uint32_t ports = 2 * shape->k;
  for (std::uint32_t s = 0; s < shape->per_stage * shape->n; ++s) {
    const SwitchId id =
        builder.add_switch(ports, {}, static_cast<int>(shape->stage(SwitchId(s))) + 1);
    for (std::uint32_t port = 0; port < ports; ++port) {
      builder.set_role(id, port, port < shape->k ? PortRole::down : PortRole::up);
    }
  }
  for (std::uint32_t h = 0; h < shape->hosts; ++h) {
    builder.connect(HostId(h), shape->at(0, h / shape->k), h % shape->k, links[0]);
  }
  for (std::uint32_t stage = 0; stage + 1 < shape->n; ++stage) {
    for (std::uint32_t lower = 0; lower < shape->hosts; ++lower) {
      const std::uint32_t upper = shape->shuffle(lower);
      builder.connect(shape->at(stage, lower / shape->k), shape->k + lower % shape->k,
                      shape->at(stage + 1, upper / shape->k), upper % shape->k, links[stage + 1]);
    }
  }
  builder.set_shape(std::move(shape));
  return builder.build();
}

namespace {

struct BminSettings : StageSettings {
  int hosts = 0;
  int k = 0;
  int n = 0;
};

const TopologyRegistration kBmin(
    topology_registry(),
    {"bmin-perfect-shuffle",
     "Bidirectional multistage network, k-ary perfect shuffle between n stages of hosts/k switches",
     "ferrer2012, section 7.3"},
    Keys<BminSettings>{
        key(&BminSettings::hosts, "hosts", "hosts, a multiple of k").required().range(2, 1 << 24),
        key(&BminSettings::k, "k", "arity: ports down and ports up").required().range(2, 128),
        key(&BminSettings::n, "n", "stages").required().range(1, 24)}
        .with(stage_keys()),
    [](const Checked<BminSettings>& settings, const LinkSpec& link) {
      const auto links = stage_links(settings, link, settings->n);
      return at_key(settings, &BminSettings::hosts,
                    [&] { return make_bmin(settings->k, settings->n, settings->hosts, links); });
    });
const NaturalRouting kBminRouting("bmin-perfect-shuffle", {"turnaround"});

}  // namespace
}  // namespace weir::topology

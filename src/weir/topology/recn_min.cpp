#include "weir/topology/fat_tree.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

/// Bidirectional MINs of 8-port switches, 4 ports down and 4 up. 4^n hosts make a 4-ary n-tree.
/// Half of 4^n hosts (512, 2048) keep n stages of hosts/4 switches: each switch of the last stage
/// has two children instead of four, each by two parallel cables, and so does each switch below it
/// with its parents.
FatTreeParameters recn_min_parameters(int hosts) {
  int stages = 1;
  int full = 4;
  for (; full < hosts; full *= 4) ++stages;
  FatTreeParameters parameters = k_ary_n_tree_parameters(4, stages);
  if (full > hosts) {
    parameters.children.back() = 2;
    parameters.parents.back() = 2;
    parameters.parallel.back() = 2;
  }
  return parameters;
}

struct RecnMinSettings : StageSettings {
  std::int64_t hosts = 0;
};

int host_count(const Checked<RecnMinSettings>& settings) {
  for (const int known : {64, 256, 512, 2048}) {
    if (settings->hosts == known) return known;
  }
  throw settings.error(&RecnMinSettings::hosts, "must be 64, 256, 512 or 2048");
}

const TopologyRegistration kRecnMin(
    topology_registry(),
    {"recn-min",
     "Bidirectional MIN of 8-port switches: 64 and 256 hosts as 4-ary trees; 512 and 2048 with "
     "doubled "
     "cables to the last of 5 and 6 stages",
     "lippens2010, section 5.1"},
    Keys<RecnMinSettings>{key(&RecnMinSettings::hosts, "hosts",
                              "64 (3 stages, 48 switches), 256 (4, 256), 512 (5, 640) or "
                              "2048 (6, 3072)")
                              .required()}
        .with(stage_keys()),
    [](const Checked<RecnMinSettings>& settings, const LinkSpec& link) {
      const FatTreeParameters parameters = recn_min_parameters(host_count(settings));
      return make_fat_tree(
          "recn-min", parameters,
          stage_links(settings, link, static_cast<int>(parameters.children.size())));
    });
const NaturalRouting kRecnMinRouting("recn-min", {"d-mod-k"});

}  // namespace
}  // namespace weir::topology

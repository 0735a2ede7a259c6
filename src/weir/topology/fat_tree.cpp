#include "weir/topology/fat_tree.hpp"

#include <numeric>

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

constexpr std::size_t kMaxStages = 24;

void check_lists(const FatTreeParameters& parameters) {
  const std::size_t stages = parameters.children.size();
  if (stages == 0 || stages > kMaxStages) {
    throw InputError(fmt::format("a fat tree has 1 to {} stages, not {}", kMaxStages, stages));
  }
  if (parameters.parents.size() != stages || parameters.parallel.size() != stages) {
    throw InputError(
        fmt::format("a fat tree of {} stages needs as many numbers of parents and parallel links, "
                    "not {} and {}",
                    stages, parameters.parents.size(), parameters.parallel.size()));
  }
  for (std::size_t s = 0; s < stages; ++s) {
    for (const int n : {parameters.children[s], parameters.parents[s], parameters.parallel[s]}) {
      if (n < 1) {
        throw InputError(fmt::format(
            "stage {} of a fat tree has {} where at least 1 child, parent or link is needed", s + 1,
            n));
      }
    }
  }
  if (parameters.parents[0] != 1 || parameters.parallel[0] != 1) {
    throw InputError("hosts have one port: the first number of parents and of parallel links is 1");
  }
}

/// a * b, or an error once it passes `limit`.
std::int64_t bounded_product(std::int64_t a, std::int64_t b, std::int64_t limit, const char* what) {
  if (a > limit / b) throw InputError(fmt::format("a fat tree with more than {} {}", limit, what));
  return a * b;
}

/// Fills hosts_below, copies, first_switch and the port counts.
void size_stages(FatTreeShape& shape) {
  const auto& [children, parents, parallel] = shape.parameters;
  const std::size_t stages = children.size();
  std::int64_t hosts = 1;
  std::int64_t copies = 1;
  shape.hosts_below = {1};
  shape.copies = {1};
  shape.down_ports = {0};
  shape.up_ports = {1};
  for (std::size_t s = 0; s < stages; ++s) {
    hosts = bounded_product(hosts, children[s], kMaxHosts, "hosts");
    copies = bounded_product(copies, parents[s], kMaxSwitches, "switches");
    shape.hosts_below.push_back(static_cast<std::uint32_t>(hosts));
    shape.copies.push_back(static_cast<std::uint32_t>(copies));
    const std::int64_t down = std::int64_t{children[s]} * parallel[s];
    const std::int64_t up = s + 1 < stages ? std::int64_t{parents[s + 1]} * parallel[s + 1] : 0;
    if (down + up > kMaxPorts) {
      throw InputError(
          fmt::format("a stage-{} switch would have {} ports down and {} up; at most {}", s + 1,
                      down, up, kMaxPorts));
    }
    shape.down_ports.push_back(static_cast<std::uint16_t>(down));
    shape.up_ports.push_back(static_cast<std::uint16_t>(up));
  }
  shape.first_switch = {0, 0};
  for (std::size_t s = 1; s <= stages; ++s) {
    const std::int64_t subtrees = hosts / shape.hosts_below[s];
    const std::int64_t here = bounded_product(subtrees, shape.copies[s], kMaxSwitches, "switches");
    const std::int64_t total = shape.first_switch[s] + here;
    if (total > kMaxSwitches) {
      throw InputError(fmt::format("a fat tree with more than {} switches", kMaxSwitches));
    }
    shape.first_switch.push_back(static_cast<std::uint32_t>(total));
  }
}

}  // namespace

FatTreeShape fat_tree_shape(const FatTreeParameters& parameters) {
  check_lists(parameters);
  FatTreeShape shape;
  shape.parameters = parameters;
  shape.stages = static_cast<int>(parameters.children.size());
  size_stages(shape);
  const std::size_t switches = shape.first_switch.back();
  shape.switch_subtree.reserve(switches);
  shape.switch_copy.reserve(switches);
  shape.switch_stage.reserve(switches);
  for (int s = 1; s <= shape.stages; ++s) {
    const auto stage = static_cast<std::size_t>(s);
    const std::uint32_t subtrees = shape.hosts_below.back() / shape.hosts_below[stage];
    for (std::uint32_t subtree = 0; subtree < subtrees; ++subtree) {
      for (std::uint32_t copy = 0; copy < shape.copies[stage]; ++copy) {
        shape.switch_subtree.push_back(subtree);
        shape.switch_copy.push_back(copy);
        shape.switch_stage.push_back(static_cast<std::uint8_t>(s));
      }
    }
  }
  return shape;
}

namespace {

void add_nodes(GraphBuilder& builder, const FatTreeShape& shape,
               std::span<const std::size_t> extra_ports) {
  for (std::uint32_t h = 0; h < shape.hosts_below.back(); ++h) builder.add_host();
  for (const std::uint8_t stage : shape.switch_stage) {
    const std::size_t down = shape.down_ports[stage];
    const std::size_t up = shape.up_ports[stage];
    const std::size_t extra = extra_ports.empty() ? 0 : extra_ports[stage - 1U];
    const SwitchId id = builder.add_switch(down + up + extra, {}, stage);
    for (std::size_t port = 0; port < down; ++port) builder.set_role(id, port, PortRole::down);
    for (std::size_t port = down; port < down + up; ++port) {
      builder.set_role(id, port, PortRole::up);
    }
  }
}

/// Cables one switch of stage s-1 to all its parents at stage s.
void connect_to_parents(GraphBuilder& builder, const FatTreeShape& shape, SwitchId child, int s,
                        const LinkSpec& link) {
  const auto stage = static_cast<std::size_t>(s);
  const auto children = static_cast<std::uint32_t>(shape.parameters.children[stage - 1]);
  const auto parents = static_cast<std::uint32_t>(shape.parameters.parents[stage - 1]);
  const auto parallel = static_cast<std::uint32_t>(shape.parameters.parallel[stage - 1]);
  const std::uint32_t subtree = shape.switch_subtree[child.index()];
  const std::uint32_t copy = shape.switch_copy[child.index()];
  for (std::uint32_t u = 0; u < parents; ++u) {
    const SwitchId parent = shape.at(s, subtree / children, copy * parents + u);
    for (std::uint32_t j = 0; j < parallel; ++j) {
      builder.connect(child, shape.down_ports[stage - 1] + u * parallel + j, parent,
                      (subtree % children) * parallel + j, link);
    }
  }
}

}  // namespace

void add_fat_tree(GraphBuilder& builder, const FatTreeShape& shape, std::span<const LinkSpec> links,
                  std::span<const std::size_t> extra_ports) {
  add_nodes(builder, shape, extra_ports);
  const std::uint32_t per_leaf = shape.hosts_below[1];
  for (std::uint32_t h = 0; h < shape.hosts_below.back(); ++h) {
    builder.connect(HostId(h), shape.at(1, h / per_leaf, 0), h % per_leaf, links[0]);
  }
  for (int s = 2; s <= shape.stages; ++s) {
    const auto stage = static_cast<std::size_t>(s);
    for (std::uint32_t i = shape.first_switch[stage - 1]; i < shape.first_switch[stage]; ++i) {
      connect_to_parents(builder, shape, SwitchId(i), s, links[stage - 1]);
    }
  }
}

Graph make_fat_tree(const std::string& family, const FatTreeParameters& parameters,
                    std::span<const LinkSpec> links) {
  auto shape = std::make_shared<const FatTreeShape>(fat_tree_shape(parameters));
  GraphBuilder builder(family);
  add_fat_tree(builder, *shape, links);
  builder.set_shape(std::move(shape));
  return builder.build();
}

Graph make_fat_tree(const std::string& family, const FatTreeParameters& parameters,
                    const LinkSpec& link) {
  return make_fat_tree(family, parameters, std::vector<LinkSpec>(parameters.children.size(), link));
}

FatTreeParameters k_ary_n_tree_parameters(int k, int n) {
  const auto stages = static_cast<std::size_t>(n);
  FatTreeParameters parameters{std::vector<int>(stages, k), std::vector<int>(stages, k),
                               std::vector<int>(stages, 1)};
  if (n > 0) parameters.parents[0] = 1;
  return parameters;
}

FatTreeParameters rlft_parameters(int ports, int stages) {
  if (ports < 2 || ports % 2 != 0) {
    throw InputError(
        fmt::format("the switches of a real-life fat tree have an even number of ports, "
                    "half up and half down, not {}",
                    ports));
  }
  FatTreeParameters parameters = k_ary_n_tree_parameters(ports / 2, stages);
  if (stages > 0) parameters.children.back() = ports;
  return parameters;
}

namespace {

struct GeneralizedTreeSettings : StageSettings {
  std::vector<std::int64_t> children;
  std::vector<std::int64_t> parents;
  std::vector<std::int64_t> parallel;
};

Graph make_generalized(const std::string& family, const Checked<GeneralizedTreeSettings>& settings,
                       const LinkSpec& link, std::vector<int> parallel) {
  using K = GeneralizedTreeSettings;
  const FatTreeParameters parameters{int_list(settings, &K::children),
                                     int_list(settings, &K::parents), std::move(parallel)};
  const auto links = stage_links(settings, link, static_cast<int>(parameters.children.size()));
  return at_key(settings, &K::children, [&] { return make_fat_tree(family, parameters, links); });
}

/// Of both, but for those of stages, which come last.
Keys<GeneralizedTreeSettings> generalized_keys() {
  using K = GeneralizedTreeSettings;
  return {key(&K::children, "children",
              "m_1..m_h: children of a switch of each stage, leaf stage first")
              .required(),
          key(&K::parents, "parents",
              "w_1..w_h: parents of a node of each stage, hosts first (w_1 = 1)")
              .required()};
}

const TopologyRegistration kPgft(
    topology_registry(),
    {"pgft", "Parallel-ports generalized fat tree PGFT(h; m; w; p)",
     "zahavi2011rlft; rocher2021, section 2.1"},
    generalized_keys()
        .with({key(&GeneralizedTreeSettings::parallel, "parallel",
                   "p_1..p_h: parallel cables per parent, hosts first (p_1 = 1)")
                   .required()})
        .with(stage_keys()),
    [](const Checked<GeneralizedTreeSettings>& settings, const LinkSpec& link) {
      return make_generalized("pgft", settings, link,
                              int_list(settings, &GeneralizedTreeSettings::parallel));
    });
const NaturalRouting kPgftRouting("pgft", {"d-mod-k"});

const TopologyRegistration kXgft(
    topology_registry(),
    {"xgft", "Extended generalized fat tree XGFT(h; m; w): any children and parents per stage",
     "ohring1995xgft; rocher2021, section 2.1"},
    generalized_keys().with(stage_keys()),
    [](const Checked<GeneralizedTreeSettings>& settings, const LinkSpec& link) {
      return make_generalized("xgft", settings, link,
                              std::vector<int>(settings->children.size(), 1));
    });
const NaturalRouting kXgftRouting("xgft", {"d-mod-k"});

/// Switches of `size`, in one family their ports down, in the other all.
struct RegularTreeSettings : StageSettings {
  int size = 0;
  int stages = 0;
};

Keys<RegularTreeSettings> regular_tree_keys(Key<RegularTreeSettings> size, const char* stages) {
  return Keys<RegularTreeSettings>{
      std::move(size),
      key(&RegularTreeSettings::stages, stages, "stages of switches").required().range(1, 24)}
      .with(stage_keys());
}

Graph make_regular(const std::string& family, const Checked<RegularTreeSettings>& settings,
                   const LinkSpec& link, FatTreeParameters (*parameters)(int size, int stages)) {
  const auto links = stage_links(settings, link, settings->stages);
  return at_key(settings, &RegularTreeSettings::size, [&] {
    return make_fat_tree(family, parameters(settings->size, settings->stages), links);
  });
}

const TopologyRegistration kKAryNTree(
    topology_registry(),
    {"k-ary-n-tree", "k-ary n-tree: k^n hosts below n stages of k^(n-1) switches",
     "petrini1997trees; zdornov2009, section 6.1"},
    regular_tree_keys(
        key(&RegularTreeSettings::size, "k", "down ports of a switch").required().range(1, 256),
        "n"),
    [](const Checked<RegularTreeSettings>& settings, const LinkSpec& link) {
      return make_regular("k-ary-n-tree", settings, link, k_ary_n_tree_parameters);
    });
const NaturalRouting kKAryNTreeRouting("k-ary-n-tree", {"d-mod-k"});

const TopologyRegistration kRlft(
    topology_registry(),
    {"rlft", "Real-life fat tree of equal P-port switches: 2 (P/2)^n hosts, constant bisection",
     "zahavi2011rlft; rocher2021, section 2.1"},
    regular_tree_keys(key(&RegularTreeSettings::size, "ports",
                          "ports of a switch (even): half down, half up; all down at the top")
                          .required()
                          .range(2, 256),
                      "stages"),
    [](const Checked<RegularTreeSettings>& settings, const LinkSpec& link) {
      return make_regular("rlft", settings, link, rlft_parameters);
    });
const NaturalRouting kRlftRouting("rlft", {"d-mod-k"});

}  // namespace
}  // namespace weir::topology
